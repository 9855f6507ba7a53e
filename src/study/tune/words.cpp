#include "study/tune/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "chip/isa/def_use.h"
#include "chip/isa/encoding.h"
#include "chip/machine/state.h"
#include "study/tune/modes.h"

namespace lanewise::tune {

namespace {

using isa::FieldValue;
using isa::Op;

constexpr unsigned kFirstTemplateVd = 12;
namespace immediate {
constexpr unsigned kFloatB = isa::kMode<Op::SFPLOADI, "FLOATB">;
constexpr unsigned kUshort = isa::kMode<Op::SFPLOADI, "USHORT">;
constexpr unsigned kUpper = isa::kMode<Op::SFPLOADI, "UPPER">;
} // namespace immediate

std::uint32_t word_of(Arch arch, Op op, std::initializer_list<FieldValue> fields) {
  return isa::encode(arch, op, fields).value_or(0);
}

/// Adds a field where the chip's instruction has it.
std::uint32_t with_field(Arch arch, Op op, std::uint32_t word, std::string_view name,
                         std::uint32_t value) {
  const isa::Row* row = isa::find_row(arch, op);
  const isa::Field* field = row == nullptr ? nullptr : row->field(name);
  return field == nullptr ? word : word | field->insert(value);
}

/// The name of the immediate of a unary operation.
std::string_view immediate_name(Op op) {
  if (op == Op::SFPSETEXP) return "Imm8";
  if (op == Op::SFPSETSGN) return "Imm1";
  return "Imm12";
}

std::uint32_t multiply_word(Arch arch, const Node& node, std::array<unsigned, 3> sources,
                            unsigned vd, bool indirect) {
  return word_of(arch, node.op,
                 {{"VA", sources[0]},
                  {"VB", sources[1]},
                  {"VC", sources[2]},
                  {"VD", vd},
                  {"Mod1", node.mod | (indirect ? mod::kIndirectVd : 0)}});
}

/// x + constant or x * constant.
std::uint32_t immediate_word(Arch arch, const OperandRegisters& registers, unsigned vd,
                             bool indirect) {
  return word_of(arch, registers.adds ? Op::SFPADDI : Op::SFPMULI,
                 {{"Imm16", registers.immediate >> 16},
                  {"VD", vd},
                  {"Mod1", indirect ? mod::kIndirectVd : 0U}});
}

std::uint32_t round_word(Arch arch, const Node& node, unsigned vc, unsigned vd) {
  std::uint32_t word = word_of(arch, Op::SFPSTOCHRND,
                               {{"Imm5", static_cast<std::uint32_t>(node.immediate)},
                                {"VB", vc}, // the stall logic believes that VB is read (VU 5.3)
                                {"VC", vc},
                                {"VD", vd},
                                {"Mod1", node.mod}});
  word = with_field(arch, Op::SFPSTOCHRND, word, "RoundingMode", node.rounding);
  return with_field(arch, Op::SFPSTOCHRND, word, "Stochastic", node.rounding & 1U);
}

std::uint32_t simple_word(Arch arch, const Node& node, unsigned vc, unsigned vd, unsigned mod) {
  std::uint32_t word = word_of(arch, node.op, {{"VC", vc}, {"VD", vd}});
  word = with_field(arch, node.op, word, "Mod1", mod);
  return with_field(arch, node.op, word, immediate_name(node.op),
                    static_cast<std::uint32_t>(node.immediate));
}

bool shifts_vc(Arch arch, const Node& node) {
  return node.op == Op::SFPSHFT && arch_params(arch).vector.shift_has_modes;
}

std::uint32_t unary_word(Arch arch, const Node& node, unsigned source, unsigned vd) {
  if (node.op == Op::SFPSTOCHRND) return round_word(arch, node, source, vd);
  if (shifts_vc(arch, node)) return simple_word(arch, node, source, vd, node.mod | mod::kUseVc);
  return simple_word(arch, node, source, vd, node.mod);
}

std::uint32_t lookup_word(Arch arch, const Node& node, unsigned vd) {
  const std::uint32_t word = word_of(arch, node.op, {{"VD", vd}});
  return with_field(arch, node.op, word, node.op == Op::SFPLUT ? "Mod0" : "Mod1", node.mod);
}

bool takes_vb(Arch arch, const Node& node) {
  return arch_params(arch).vector.logic_uses_vb && (node.op == Op::SFPAND || node.op == Op::SFPOR);
}

std::uint32_t binary_word(Arch arch, const Node& node, unsigned vc, unsigned second, unsigned vd) {
  if (!takes_vb(arch, node)) return simple_word(arch, node, vc, second, node.mod);
  return word_of(arch, node.op, {{"VB", second}, {"VC", vc}, {"VD", vd}, {"Mod1", mod::kUseVb}});
}

std::uint32_t extreme_word(Arch arch, unsigned vc, unsigned vd) {
  return word_of(arch, Op::SFPSWAP, {{"VC", vc}, {"VD", vd}, {"Mod1", mod::kMinMax}});
}

} // namespace

std::uint32_t issued_word(Arch arch, const Node& node, Encoding encoding,
                          const OperandRegisters& registers, unsigned tied) {
  const std::vector<unsigned>& from = registers.operands;
  if (node.op == Op::SFPMOV && encoding == Encoding::Immediate)
    return load_immediate_words(arch, registers.result, registers.immediate).front();
  if (node.op == Op::SFPLOADI)
    return word_of(arch, node.op,
                   {{"VD", registers.result},
                    {"Mod0", node.mod},
                    {"Imm16", static_cast<std::uint32_t>(node.immediate)}});
  if (is_lookup(node)) return lookup_word(arch, node, registers.result);
  if (node.op == Op::SFPMAD && encoding == Encoding::Immediate)
    return immediate_word(arch, registers, registers.result, false);
  if (is_multiply(node))
    return multiply_word(arch, node, {from[0], from[1], from[2]}, registers.result, false);
  if (node.op == Op::SFPSWAP) { // VD gets the smaller one, VC the larger one
    const unsigned kept = from[tied], other = from[1 - tied];
    if (node.maximum && other >= kFirstTemplateVd) // VD 12..15 would write a template (VU C13)
      return word_of(arch, Op::SFPSWAP, {{"VC", other}, {"VD", kept}, {"Mod1", mod::kMaxMin}});
    return node.maximum ? extreme_word(arch, kept, other) : extreme_word(arch, other, kept);
  }
  if (from.size() == 1) return unary_word(arch, node, from[0], registers.result);
  if (node.kind == NodeKind::Condition)
    return simple_word(arch, node, from[0], from[1], node.mod); // SFPGT, SFPLE: VD against VC
  if (node.op == Op::SFPSHFT2)                                  // VB is in the immediate (VU C36)
    return word_of(
        arch, node.op,
        {{"Imm12", from[1]}, {"VC", from[0]}, {"VD", registers.result}, {"Mod1", node.mod}});
  const bool exchanged = tied == 0;
  return binary_word(arch, node, from[exchanged ? 1 : 0], from[exchanged ? 0 : 1],
                     registers.result);
}

std::uint32_t template_word(Arch arch, const Node& node, Encoding encoding,
                            const OperandRegisters& registers, unsigned macro_operand,
                            bool indirect) {
  const std::vector<unsigned>& from = registers.operands;
  if (is_lookup(node)) return lookup_word(arch, node, 0);
  if (node.op == Op::SFPMAD && encoding == Encoding::Immediate)
    return immediate_word(arch, registers, macro_operand == kNone ? from[0] : 0, indirect);
  if (is_multiply(node)) {
    // The macro's register takes VB or VC, so a factor in it stands second.
    if (macro_operand == 0) return multiply_word(arch, node, {from[1], 0, from[2]}, 0, indirect);
    if (macro_operand == 1) return multiply_word(arch, node, {from[0], 0, from[2]}, 0, indirect);
    return multiply_word(arch, node, {from[0], from[1], 0}, 0, indirect);
  }
  if (node.op == Op::SFPSWAP)
    return node.maximum ? extreme_word(arch, 0, from[1]) : extreme_word(arch, from[1], 0);
  if (node.operands.size() == 1) {
    const unsigned source = macro_operand == kNone ? from[0] : 0;
    const bool second = node.op == Op::SFPSHFT && !shifts_vc(arch, node);
    return second ? simple_word(arch, node, 0, source, node.mod)
                  : unary_word(arch, node, source, 0);
  }
  if (macro_operand == 0) return binary_word(arch, node, 0, from[1], 0);
  return binary_word(arch, node, from[0], 0, 0);
}

std::uint32_t control_word(Arch arch, Op op) {
  constexpr unsigned kEnable = 3, kFromImmediate = 10; // SFPENCC
  if (op == Op::SFPENCC) return word_of(arch, op, {{"Imm2", kEnable}, {"Mod1", kFromImmediate}});
  return word_of(arch, op, {});
}

std::vector<unsigned> table_registers(Arch arch, const Node& lookup) {
  const isa::LRegSet read = isa::lregs_read(arch, lookup_word(arch, lookup, 0), false);
  std::vector<unsigned> registers;
  for (unsigned lreg = 0; lreg < kWritableLRegs; ++lreg) {
    if ((read >> lreg & 1U) != 0 && lreg != kLookupInput) registers.push_back(lreg);
  }
  return registers;
}

std::uint32_t nop_word(Arch arch) {
  return word_of(arch, Op::SFPNOP, {});
}

namespace {

std::uint32_t access_word(Arch arch, Op op, unsigned lreg, unsigned mode, unsigned addr_mod,
                          int address) {
  return word_of(arch, op,
                 {{"VD", lreg},
                  {"Mod0", mode},
                  {"AddrMod", addr_mod},
                  {"Imm10", static_cast<std::uint32_t>(address) & 0x3FFU}});
}

} // namespace

std::uint32_t load_word(Arch arch, unsigned lreg, unsigned mode, unsigned addr_mod, int address) {
  return access_word(arch, Op::SFPLOAD, lreg, mode, addr_mod, address);
}
std::uint32_t store_word(Arch arch, unsigned lreg, unsigned mode, unsigned addr_mod, int address) {
  return access_word(arch, Op::SFPSTORE, lreg, mode, addr_mod, address);
}

std::uint32_t macro_word(Arch arch, unsigned index, unsigned lreg, unsigned mode, unsigned addr_mod,
                         int address) {
  return word_of(arch, Op::SFPLOADMACRO,
                 {{"MacroIndex", index},
                  {"VDLo", lreg & 3},
                  {"Mod0", mode},
                  {"AddrMod", addr_mod},
                  {"Imm9", (static_cast<std::uint32_t>(address) & 0x3FFU) >> 1},
                  {"VDHi", lreg >> 2}});
}

std::uint32_t replay_word(Arch arch, unsigned first, unsigned count, bool records, bool executes) {
  return word_of(
      arch, Op::REPLAY,
      {{"Index", first}, {"Count", count}, {"Exec", executes ? 1 : 0}, {"Load", records ? 1 : 0}});
}

std::uint32_t set_config_word(Arch arch, unsigned destination, unsigned immediate, bool is_value) {
  return word_of(arch, Op::SFPCONFIG,
                 {{"Imm16", immediate},
                  {"ConfigDest", destination},
                  {"Mod1", is_value ? unsigned{isa::kMode<Op::SFPCONFIG, "IMM16_IS_VALUE">} : 0U}});
}

std::uint32_t set_thread_config_word(Arch arch, unsigned word, unsigned value) {
  const isa::Row* row = isa::find_row(arch, Op::SETC16);
  std::uint32_t result = static_cast<std::uint32_t>(row->opcode) << 24;
  result |= row->fields()[0].insert(word);
  return result | row->fields()[1].insert(value);
}

std::uint32_t advance_word(Arch arch, unsigned rows) {
  return word_of(arch, Op::INCRWC, {{"DstInc", rows}});
}

std::uint32_t advance_copy_word(Arch arch, unsigned rows) {
  return word_of(arch, Op::INCRWC, {{"DstCr", 1}, {"DstInc", rows}});
}

unsigned still_field(Arch arch) {
  return (1U << arch_params(arch).front_end.addr_mod_bits) - 1;
}
unsigned moving_field(Arch arch) {
  return still_field(arch) - 1;
}
unsigned moving_section(Arch arch) {
  constexpr unsigned kSectionsBelowBase = 4;
  return moving_field(arch) +
         (arch_params(arch).front_end.addr_mod_has_base ? kSectionsBelowBase : 0);
}
std::vector<std::uint32_t> moving_section_words(Arch arch, unsigned stride) {
  const ArchParams& chip = arch_params(arch);
  const unsigned section = moving_section(arch);
  return {set_thread_config_word(
              arch, chip.config.addr_mod_ab_word + section * chip.config.addr_mod_ab_stride, 0),
          set_thread_config_word(arch, chip.config.addr_mod_dst_word + section, stride),
          set_thread_config_word(arch, chip.config.addr_mod_bias_word + section, 0)};
}

std::vector<std::uint32_t> load_immediate_words(Arch arch, unsigned lreg, std::uint32_t bits) {
  const auto load = [&](unsigned mode, std::uint32_t number) {
    return word_of(arch, Op::SFPLOADI, {{"VD", lreg}, {"Mod0", mode}, {"Imm16", number}});
  };
  if ((bits & 0xFFFF) == 0) return {load(immediate::kFloatB, bits >> 16)};
  if (bits >> 16 == 0) return {load(immediate::kUshort, bits)};
  return {load(immediate::kUshort, bits & 0xFFFF), load(immediate::kUpper, bits >> 16)};
}

std::string tti_text(Arch arch, std::uint32_t word) {
  const isa::Decoded decoded = isa::decode(arch, word);
  if (decoded.row == nullptr) return fmt::format("TT_OP(0x{:08x})", word);
  std::vector<std::string> operands;
  std::uint32_t joined = 0;
  for (const isa::Field& field : decoded.row->fields()) {
    if (field.role == isa::Role::Extra) continue;
    joined = joined << field.width() | field.extract(word);
    if (field.joins_next) continue;
    operands.push_back(joined < 16 ? fmt::to_string(joined) : fmt::format("0x{:x}", joined));
    joined = 0;
  }
  if (operands.empty()) return fmt::format("TTI_{}", decoded.row->mnemonic);
  return fmt::format("TTI_{}({})", decoded.row->mnemonic, fmt::join(operands, ", "));
}

} // namespace lanewise::tune
