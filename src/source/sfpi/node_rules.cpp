#include "source/sfpi/node_rules.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "chip/isa/def_use.h"
#include "chip/isa/effects.h"
#include "chip/isa/modifiers.h"
#include "chip/isa/row.h"

namespace lanewise::sfpi {
namespace {

using compiler::Kind;
using compiler::kNone;
using compiler::Node;
using compiler::Recording;
using compiler::Value;
using Checked = tl::expected<void, Mistake>;

constexpr std::size_t kOperands = std::size(lanewise_node{}.operand);

constexpr unsigned bit(std::size_t operand) {
  return 1U << operand;
}

/// Operands of a kind, as masks: bit i is operand[i].
struct Signature {
  unsigned values = 0;     ///< vectors
  unsigned conditions = 0; ///< conditions
  unsigned optional = 0;   ///< vectors that may be missing
};

bool has_many_results(isa::Op op) {
  return op == isa::Op::SFPSWAP || op == isa::Op::SFPTRANSP;
}

/// Which operands an instruction needs, by the registers that its word would read if VA, VB, VC and
/// VD were LReg[1..4]. The LUT instructions and SFPTRANSP name no register: there operand[i] is
/// what LReg[i] holds.
Signature instruction_signature(const Recording& recording, const isa::Row& row,
                                const lanewise_node& node) {
  if (row.op == isa::Op::SFPTRANSP) return {.values = 0x0F, .optional = 0xF0};
  if (row.op == isa::Op::SFPSWAP) return {.values = bit(2) | bit(3)};
  // The destination of these is read in the lanes of the other half or not at all: a value that
  // VD holds before may be given.
  constexpr unsigned kOld = bit(3);
  std::uint32_t word = static_cast<std::uint32_t>(row.opcode) << 24;
  const auto set = [&](std::string_view name, std::uint32_t value) {
    if (const isa::Field* field = row.field(name)) word |= field->insert(value);
  };
  set("VA", 1);
  set("VB", 2);
  set("VC", 3);
  set("VD", 4);
  set("Mod0", node.mod);
  set("Mod1", node.mod);
  if (row.op == isa::Op::SFPSHFT2) set("Imm12", 2); // VB is in its low bits
  const isa::LRegSet read = isa::lregs_read(recording.arch, word);
  if (row.op == isa::Op::SFPLUT || row.op == isa::Op::SFPLUTFP32) {
    return {.values = read & 0x7F, .optional = 0x7F};
  }
  return {.values = read >> 1 & 0xF, .optional = 0x7 | kOld};
}

Signature signature(const Recording& recording, const lanewise_node& node) {
  switch (node.kind) {
    case Kind::FloatAdd:
    case Kind::FloatSub:
    case Kind::FloatMul:
    case Kind::Assign:
    case Kind::Compare: return {.values = bit(0) | bit(1)};
    case Kind::FloatMad: return {.values = bit(0) | bit(1) | bit(2)};
    case Kind::Result:
    case Kind::WriteLReg:
    case Kind::WriteConst:
    case Kind::Print: return {.values = bit(0)};
    case Kind::And:
    case Kind::Or: return {.conditions = bit(0) | bit(1)};
    case Kind::FromCondition:
    case Kind::Not:
    case Kind::If:
    case Kind::ElseIf:
    case Kind::Narrow: return {.conditions = bit(0)};
    case Kind::Instruction:
      return instruction_signature(recording, *isa::find_row(recording.arch, node.opcode), node);
    default: return {};
  }
}

/// Whether the node is an instruction that gives no vector that an operand could name.
bool is_without_result(const Recording& recording, const Node& node) {
  if (node.kind != Kind::Instruction) return false;
  const isa::Op op = compiler::operation(recording, node);
  return op == isa::Op::SFPSTORE || has_many_results(op) ||
         isa::find_row(recording.arch, node.opcode)->unit != isa::Unit::Vector;
}

Checked check_value(const Recording& recording, const lanewise_node& node, std::size_t index) {
  const Node& operand = recording.nodes[node.operand[index]];
  if (!compiler::is_value(operand.kind)) {
    return mistake(fmt::format("operand {} must be a vector", index),
                   "do not use a condition or an effect as a vector");
  }
  if (operand.kind == Kind::Undefined && node.kind != Kind::Assign) {
    return mistake("a variable is used before it has a value",
                   "give it a value where it is declared");
  }
  const bool reads_results = node.kind == Kind::Result;
  if (!reads_results && is_without_result(recording, operand)) {
    return mistake(fmt::format("operand {} is an instruction without a vector result", index));
  }
  return {};
}

Checked check_operands(const Recording& recording, const lanewise_node& node) {
  const Signature wanted = signature(recording, node);
  for (std::size_t i = 0; i < kOperands; ++i) {
    const Value operand = node.operand[i];
    const bool takes_value = ((wanted.values | wanted.optional) & bit(i)) != 0;
    const bool takes_condition = (wanted.conditions & bit(i)) != 0;
    if (operand == kNone) {
      if (((wanted.values | wanted.conditions) & bit(i)) != 0) {
        return mistake(fmt::format("operand {} is missing", i));
      }
      continue;
    }
    if (!takes_value && !takes_condition) {
      return mistake(fmt::format("operand {} is one more than the operation takes", i));
    }
    if (operand >= recording.nodes.size()) {
      return mistake(fmt::format("operand {} is no operation of this kernel", i),
                     "give every vector a value before it is used, and do not keep vectors in "
                     "memory that is not initialised");
    }
    if (takes_condition) {
      if (compiler::is_condition(recording.nodes[operand].kind)) continue;
      return mistake(fmt::format("operand {} must be a condition", i));
    }
    if (Checked checked = check_value(recording, node, i); !checked) return checked;
  }
  return {};
}

Checked check_range(std::string_view what, std::int64_t number, std::int64_t first,
                    std::int64_t last) {
  if (number >= first && number <= last) return {};
  return mistake(fmt::format("{} {} is not in {}..{}", what, number, first, last));
}

Checked check_result(const Recording& recording, const lanewise_node& node) {
  const Node& source = recording.nodes[node.operand[0]];
  const bool has_results =
      source.kind == Kind::Instruction && has_many_results(compiler::operation(recording, source));
  if (!has_results) return mistake("a result is taken of an operation that has only one");
  if (compiler::operation(recording, source) == isa::Op::SFPSWAP) {
    return check_range("result", node.imm, 0, 1);
  }
  // LReg[4..7] are lost where they are not given.
  constexpr std::int32_t kGiven = 3;
  if (node.imm > kGiven && node.imm < static_cast<std::int32_t>(kOperands) &&
      source.operand[node.imm] == kNone) {
    return mistake(fmt::format("result {} of SFPTRANSP is lost, since it was not given", node.imm));
  }
  return check_range("result", node.imm, 0, kOperands - 1);
}

/// Instructions that change lanes or configuration without a vector that tells so. The passes learn
/// of them as If, Narrow, WriteConst..., or as Raw words.
bool has_own_kind(isa::Op op) {
  constexpr unsigned kOwn = isa::part::kVectorConfig | isa::part::kInstructions;
  // Comparisons and sums that set flags give a vector as well.
  const bool gives_no_vector = !isa::may_write_lregs(op);
  return (gives_no_vector && isa::may_change_lanes(op)) || (isa::parts_written(op) & kOwn) != 0;
}

/// Addresses of Dst, and of a tile in it.
constexpr std::int32_t kDstRows = 1024, kTileRows = 64;

/// The address field of a load or store lies below that of ADDR_MOD. Its numbers are taken as
/// signed or not, since the address counts modulo 1024.
Checked check_address(const Recording& recording, const isa::Row& row, const lanewise_node& node) {
  if (row.op != isa::Op::SFPLOAD && row.op != isa::Op::SFPSTORE) return {};
  const ArchParams& chip = arch_params(recording.arch);
  const std::int32_t stride = chip.vector.dst_rows_per_access;
  const unsigned bits = 16U - chip.front_end.addr_mod_bits;
  const std::int32_t end = 1 << bits;
  if (node.imm >= -end / 2 && node.imm < end) return {};
  return mistake(
      fmt::format("dst_reg[{}] needs an address that does not fit into the {} bits of {}",
                  node.imm / stride, bits, row.mnemonic),
      fmt::format("Dst has elements 0 to {}; tile n begins at dst_reg[{} * n]",
                  kDstRows / stride - 1, kTileRows / stride));
}

/// The chip that came first of those that have something.
std::string_view first_chip(isa::Chips chips) {
  for (const Arch arch : kOldestFirst) {
    if (isa::includes(chips, arch)) return arch_params(arch).names.family;
  }
  return {};
}

Checked missing_instruction(Arch arch, std::uint8_t opcode) {
  const std::string_view chip = arch_params(arch).names.family;
  for (const Arch other : kOldestFirst) {
    const isa::Row* row = isa::find_row(other, opcode);
    if (row == nullptr) continue;
    return mistake(fmt::format("{} has no {}: it appeared with {}", chip, row->mnemonic,
                               arch_params(other).names.family),
                   "use what this chip has");
  }
  return mistake(fmt::format("{} has no opcode {:#04x}", chip, opcode), "use what this chip has");
}

/// A mode that other chips have and this one, of which little is known, has not.
Checked check_mode(Arch arch, const isa::Row& row, unsigned mod) {
  if (!has_narrow_lanes(arch)) return {};
  unsigned known = 0;
  for (const isa::Modifier& each : isa::modifiers(row.op)) {
    if (isa::includes(each.chips, arch)) known |= each.mask;
  }
  for (const isa::Modifier& each : isa::modifiers(row.op)) {
    const bool is_foreign = !isa::includes(each.chips, arch) && (each.value & mod & ~known) != 0;
    if (!is_foreign || !each.applies_to(mod)) continue;
    return mistake(
        fmt::format("{} has no {} {}: it appeared with {}", arch_params(arch).names.family,
                    row.mnemonic, each.name, first_chip(each.chips)),
        "use what this chip has");
  }
  return {};
}

Checked check_instruction(const Recording& recording, const lanewise_node& node) {
  const isa::Row* row = isa::find_row(recording.arch, node.opcode);
  if (row == nullptr) return missing_instruction(recording.arch, node.opcode);
  constexpr std::int32_t kLargestModifier = 15;
  if (has_own_kind(row->op)) {
    return mistake(fmt::format("{} cannot be an operation on vectors", row->mnemonic),
                   "emit it as an instruction word");
  }
  if (Checked checked = check_range("modifier", node.mod, 0, kLargestModifier); !checked) {
    return checked;
  }
  if (Checked checked = check_mode(recording.arch, *row, node.mod); !checked) return checked;
  if (Checked checked = check_address(recording, *row, node); !checked) return checked;
  const std::int32_t sections = 1 << arch_params(recording.arch).front_end.addr_mod_bits;
  return check_range("ADDR_MOD", node.addr_mod, 0, sections - 1);
}

Checked check_kind(const lanewise_node& node) {
  if (node.kind > Kind::Print) {
    return mistake(fmt::format("there is no operation {}", static_cast<unsigned>(node.kind)));
  }
  if (node.relation > LanewiseRelation::GT || node.type > LanewiseType::UInt) {
    return mistake("there is no such comparison");
  }
  return {};
}

Checked check_numbers(const Recording& recording, const lanewise_node& node) {
  const ArchParams& chip = arch_params(recording.arch);
  switch (node.kind) {
    case Kind::ConstRegister:
      return check_range("constant register L", node.imm, chip.vector.lregs, 15);
    case Kind::ReadLReg:
    case Kind::WriteLReg: return check_range("register L", node.imm, 0, chip.vector.lregs - 1);
    case Kind::WriteConst: return check_range("programmable constant L", node.imm, 11, 14);
    case Kind::Result: return check_result(recording, node);
    case Kind::FloatMad: return check_range("modifier", node.mod, 0, 3);
    case Kind::Raw: return check_range("modifier", node.mod, 0, kLanewiseComputedWord);
    case Kind::FloatAdd:
    case Kind::FloatSub:
    case Kind::FloatMul: return check_range("immediate", node.imm, 0, kLanewiseLregPressure);
    case Kind::Print:
      return check_range("text", node.imm, 0,
                         static_cast<std::int64_t>(recording.texts.size()) - 1);
    default: return {};
  }
}

} // namespace

Checked check_node(const Recording& recording, const lanewise_node& node) {
  if (Checked checked = check_kind(node); !checked) return checked;
  if (node.kind == Kind::Instruction) {
    if (Checked checked = check_instruction(recording, node); !checked) return checked;
  }
  if (Checked checked = check_operands(recording, node); !checked) return checked;
  return check_numbers(recording, node);
}

} // namespace lanewise::sfpi
