#include "run/execution/kernel_hints.h"

#include <fmt/format.h>

#include "chip/isa/encoding.h"

namespace lanewise::execution {

namespace {

using compiler::Kind;
using isa::Op;

/// The instruction of a node; NOP for what is no instruction.
Op op_of(const compiler::Recording& recording, const compiler::Node& node) {
  if (node.kind == Kind::Instruction) return operation(recording, node);
  if (node.kind != Kind::Raw) return Op::NOP;
  const isa::Decoded d = isa::decode(recording.arch, static_cast<std::uint32_t>(node.imm));
  return d.row == nullptr ? Op::NOP : d.row->op;
}

} // namespace

std::string loop_hint(const compiler::Recording& recording) {
  unsigned stores = 0;
  std::uint32_t line = 0;
  for (const compiler::Node& node : recording.nodes) {
    switch (op_of(recording, node)) {
      case Op::SFPSTORE:
        ++stores;
        line = recording.sites[node.site].line;
        break;
      case Op::REPLAY: // what stores more is not to be seen
      case Op::SFPLOADMACRO: return "";
      default: break;
    }
  }
  if (stores != 1) return "";
  return fmt::format(
      "{}:{}: hint: this stores 32 of a tile's 1024 elements; a loop over the 32 rows "
      "with dst_reg++ at its end handles all of them",
      recording.name, line);
}

} // namespace lanewise::execution
