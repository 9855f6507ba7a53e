#include "run/oracle/dst_range.h"

#include <fmt/format.h>

#include "chip/isa/encoding.h"
#include "chip/machine/dst_address.h"

namespace lanewise::oracle {

namespace {

using isa::ConfigField;
using isa::Op;

constexpr std::int32_t kAddresses = kDstRows;
constexpr std::int32_t kTileRows = 64;
/// Addresses per element of dst_reg: of 4 rows, one reaches the even or the odd columns, or all.
std::int32_t stride(Arch arch) {
  return arch_params(arch).vector.dst_rows_per_access;
}

bool is_wide(const compiler::Node& node, const MachineState& state, bool is_store) {
  const DstMode mode = resolve_dst_mode(state.config, static_cast<DstMode>(node.mod));
  return is_store ? store_is_32bit(mode) : is_32bit(mode);
}

/// What `address` reaches, of 32-bit data among those of which there are only half as many.
std::int32_t reached(std::int32_t address, bool wide) {
  const std::int32_t wrapped = (address % kAddresses + kAddresses) % kAddresses;
  if (!wide) return wrapped;
  const auto row = [](std::int32_t a) { return adjust_row_32(static_cast<unsigned>(a) & ~3U); };
  for (std::int32_t a = wrapped & 3; a < kAddresses / 2; a += 4) {
    if (row(a) == row(wrapped)) return a;
  }
  return wrapped;
}

} // namespace

void DstRange::follow(const MachineState& state, std::uint32_t word, std::uint32_t dst_before) {
  const isa::Decoded d = isa::decode(state.config.arch(), word);
  if (d.row == nullptr) return;
  if (d.row->op == Op::SETRWC) turns_ = 0;
  if (d.row->op == Op::INCRWC && d["DstCr"] == 0 && state.rwc.dst < dst_before)
    turns_ += kAddresses;
}

std::optional<Fault> DstRange::check(const compiler::Recording& recording,
                                     const compiler::Node& node, const MachineState& state) const {
  const Op op = operation(recording, node);
  if (op != Op::SFPLOAD && op != Op::SFPSTORE) return std::nullopt;
  const bool wide = is_wide(node, state, op == Op::SFPSTORE);
  const std::int32_t moved =
      turns_ + static_cast<std::int32_t>(
                   state.rwc.dst + state.config.get(ConfigField::DEST_TARGET_REG_CFG_MATH_Offset));
  const std::int32_t address = node.imm + moved;
  const std::int32_t end = wide ? kAddresses / 2 : kAddresses;
  if (address >= 0 && address < end) return std::nullopt;
  const std::int32_t step = stride(recording.arch);
  const std::string counted =
      moved == 0 ? "" : fmt::format(", {} elements on by the counter,", moved / step);
  return Fault{.kind = FaultKind::NonContractual,
               .message = fmt::format(
                   "dst_reg[{}]{} lies outside of Dst, which has elements 0 to {}{}; the address "
                   "wraps, and this is element {}",
                   node.imm / step, counted, end / step - 1, wide ? " of 32 bits" : "",
                   reached(address, wide) / step),
               .remedy = fmt::format(
                   "tile n begins at dst_reg[{} * n]; a negative index needs dst_reg++ before",
                   kTileRows / step),
               .rule = kDstRangeRule,
               .instruction = op == Op::SFPLOAD ? "SFPLOAD" : "SFPSTORE",
               .file = recording.name,
               .line = recording.sites[node.site].line};
}

} // namespace lanewise::oracle
