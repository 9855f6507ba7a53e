#include "run/oracle/node_execution.h"

#include <algorithm>
#include <cstring>

#include "base/source_line.h"
#include "chip/isa/encoding.h"
#include "chip/isa/fields.h"
#include "chip/machine/executor.h"

namespace lanewise::oracle {

namespace {

using compiler::Kind;
using compiler::Measure;
using compiler::Node;
using compiler::NumberType;
using compiler::Outcome;
using compiler::Recording;
using compiler::Relation;
using isa::Op;

constexpr unsigned kOne = 10, kMinusOne = 11; ///< constant registers
constexpr std::uint32_t kNegateVc = isa::kMode<Op::SFPADD, "NEGATE_VC">;

constexpr std::uint32_t kShiftImmediate = isa::kMode<Op::SFPSHFT2, "SHFT_IMM">;
constexpr std::uint32_t kShiftRegister = isa::kMode<Op::SFPSHFT2, "SHFT_LREG">;

/// SFPSTOCHRND's imm is RoundingMode << 8 | Imm5.
constexpr unsigned kRoundingShift = 8;

/// The register number by which SFPMOV names a special source, such as 9 for the PRNG (VU C30):
/// that of the constant register that is its operand.
std::optional<std::uint32_t> special_source(const Recording& recording, const Node& node, Op op) {
  if (op != Op::SFPMOV || !isa::has_mode<Op::SFPMOV, "FROM_SPECIAL">(node.mod)) return std::nullopt;
  if (node.operand[2] == compiler::kNone) return static_cast<std::uint32_t>(node.imm);
  return static_cast<std::uint32_t>(recording.nodes[node.operand[2]].imm);
}

/// The value of a field of an Instruction node; operand i is in LReg[i].
std::uint32_t field_value(const Recording& recording, const Node& node, Op op,
                          const isa::Field& field) {
  const auto imm = static_cast<std::uint32_t>(node.imm);
  if (field.name == "VA") return 0;
  if (field.name == "VB") return 1;
  if (field.name == "VC") return special_source(recording, node, op).value_or(2);
  if (field.name == "VD") return kResultLReg;
  if (field.name == "Mod0" || field.name == "Mod1") return node.mod;
  if (field.name == "AddrMod") return node.addr_mod;
  if (field.name == "RoundingMode" || field.name == "Stochastic") return imm >> kRoundingShift;
  // VU C36: SFPSHFT2 has VB in the low bits of Imm12.
  if (op == Op::SFPSHFT2) return node.mod == kShiftRegister ? 1 : 0;
  return field.name.starts_with("Imm") ? imm : 0;
}

Expected<std::uint32_t> instruction_word(const Recording& recording, const Node& node) {
  const std::uint32_t opcode = static_cast<std::uint32_t>(node.opcode) << 24;
  const isa::Row* row = isa::find_row(recording.arch, node.opcode);
  if (row == nullptr) return opcode; // decoding says what is wrong
  if (row->unit != isa::Unit::Vector || row->op == Op::SFPCONFIG || row->op == Op::SFPLOADMACRO ||
      (row->op == Op::SFPSHFT2 && (node.mod < 3 || node.mod == kShiftImmediate))) {
    return Unexpected(Fault{.kind = FaultKind::Unsupported,
                            .message = "has no form whose result is a value",
                            .remedy = "use the instruction word itself (TTI_...)",
                            .instruction = std::string(row->mnemonic)});
  }
  std::uint32_t word = opcode;
  for (const isa::Field& field : row->fields()) {
    word |= field.insert(field_value(recording, node, row->op, field));
  }
  return word;
}

Expected<std::uint32_t> mad_word(Arch arch, const Node& node) {
  const std::uint32_t mod = node.mod & 3U;
  const ArchParams& chip = arch_params(arch);
  if (mod != 0 && !chip.vector.mad_negate_bits && !chip.vector.mad_adds_half) {
    return Unexpected(Fault{.kind = FaultKind::Unsupported,
                            .message = "negates an operand of SFPMAD, which this chip cannot do",
                            .remedy = "multiply by LReg[11] = -1.0 instead",
                            .rule = "VU 3.2",
                            .instruction = "SFPMAD"});
  }
  return *isa::encode(arch, Op::SFPMAD,
                      {{"VA", 0}, {"VB", 1}, {"VC", 2}, {"VD", kResultLReg}, {"Mod1", mod}});
}

/// `mod`: of the chip that adds 0.5 and -0.5.
std::uint32_t difference_word(Arch arch, std::uint32_t mod) {
  if (arch_params(arch).vector.mad_negate_bits) {
    return *isa::encode(
        arch, Op::SFPADD,
        {{"VA", kOne}, {"VB", 0}, {"VC", 1}, {"VD", kResultLReg}, {"Mod1", kNegateVc}});
  }
  return *isa::encode(
      arch, Op::SFPMAD,
      {{"VA", 1}, {"VB", kMinusOne}, {"VC", 0}, {"VD", kResultLReg}, {"Mod1", mod}});
}

Expected<std::uint32_t> node_word(const Recording& recording, const Node& node) {
  const Arch arch = recording.arch;
  const ArchParams& chip = arch_params(arch);
  const std::uint32_t half = chip.vector.mad_adds_half ? node.mod : 0U;
  switch (node.kind) {
    case Kind::FloatAdd:
      return *isa::encode(
          arch, Op::SFPADD,
          {{"VA", kOne}, {"VB", 0}, {"VC", 1}, {"VD", kResultLReg}, {"Mod1", half}});
    case Kind::FloatMul:
      return *isa::encode(arch, Op::SFPMUL,
                          {{"VA", 0},
                           {"VB", 1},
                           {"VC", chip.vector.zero_lreg},
                           {"VD", kResultLReg},
                           {"Mod1", half | (node.mod & 1U)}});
    case Kind::FloatSub: return difference_word(arch, half);
    case Kind::FloatMad: return mad_word(arch, node);
    case Kind::WriteConst:
      return *isa::encode(arch, Op::SFPCONFIG,
                          {{"ConfigDest", static_cast<std::uint32_t>(node.imm)}});
    default: return instruction_word(recording, node);
  }
}

/// A word that every chip which gets here has.
MicroOp known_op(Arch arch, Op op, std::initializer_list<isa::FieldValue> fields) {
  return *decode_micro_op(arch, *isa::encode(arch, op, fields), 0);
}

constexpr std::uint32_t kCompareSetsFlag = isa::kMode<Op::SFPGT, "SET_CC">;

/// Lanes of which `condition(lane)` is true.
template <class Condition>
std::uint32_t lanes_where(Condition&& condition) {
  std::uint32_t mask = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    mask |= static_cast<std::uint32_t>(condition(lane)) << lane;
  }
  return mask;
}

/// Wrapping: no chip has an instruction that knows better.
Lanes integer_difference(Arch arch, const Lanes& first, const Lanes& second) {
  Lanes difference;
  std::ranges::transform(
      first, second, difference.begin(),
      [arch](std::uint32_t a, std::uint32_t b) { return wrap_lane(arch, a - b); });
  return difference;
}

MicroOp difference_op(compiler::ComparisonRules rules, Arch arch) {
  constexpr std::uint32_t kNegateFirst = isa::kMode<Op::SFPMAD, "NEGATE_VA">;
  if (compiler::difference_negates(rules, arch)) {
    return known_op(
        arch, Op::SFPMAD,
        {{"VA", kOne}, {"VB", 1}, {"VC", 0}, {"VD", kResultLReg}, {"Mod1", kNegateFirst}});
  }
  return known_op(arch, Op::SFPMAD, {{"VA", 1}, {"VB", kMinusOne}, {"VC", 0}, {"VD", kResultLReg}});
}

} // namespace

Expected<MicroOp> node_micro_op(const Recording& recording, const Node& node) {
  const std::uint32_t line = recording.sites[node.site].line;
  const auto word = node_word(recording, node);
  auto op = word ? decode_micro_op(recording.arch, *word, line)
                 : Expected<MicroOp>(Unexpected(word.error()));
  if (!op) {
    op.error().file = recording.name;
    op.error().line = line;
    settle_place(op.error());
  }
  return op;
}

BorrowedRegisters::BorrowedRegisters(VectorState& vector, std::uint32_t lanes)
    : vector_(vector), flags_(vector.flags), use_flags_(vector.use_flags) {
  std::memcpy(saved_, vector.lreg, sizeof saved_);
  vector.flags = lanes;
  vector.use_flags = kAllLanes;
}

BorrowedRegisters::~BorrowedRegisters() {
  std::memcpy(vector_.lreg, saved_, sizeof saved_);
  vector_.flags = flags_;
  vector_.use_flags = use_flags_;
}

void BorrowedRegisters::put(unsigned lreg, const Lanes& value) {
  std::copy(value.begin(), value.end(), vector_.lreg[lreg]);
}

Lanes BorrowedRegisters::take(unsigned lreg) const {
  Lanes value;
  std::copy_n(vector_.lreg[lreg], kLanes, value.begin());
  return value;
}

Comparison::Comparison(Arch arch, compiler::ComparisonRules rules)
    : arch_(arch), rules_(rules), difference_(difference_op(rules, arch)) {
  if (arch_params(arch).vector.has_compare_arecip_mul24)
    order_ = known_op(arch, Op::SFPGT, {{"VD", 1}, {"VC", 0}, {"Mod1", kCompareSetsFlag}});
}

std::uint32_t Comparison::is_before(MachineState& state, const Lanes& first,
                                    const Lanes& second) const {
  BorrowedRegisters registers(state.vector, kAllLanes);
  registers.put(0, first);
  registers.put(1, second);
  execute_in_group(state, {&*order_, 1});
  return state.vector.flags;
}

Lanes Comparison::float_difference(MachineState& state, const Lanes& first,
                                   const Lanes& second) const {
  BorrowedRegisters registers(state.vector, kAllLanes);
  registers.put(0, first);
  registers.put(1, second);
  execute_in_group(state, {&difference_, 1});
  return registers.take(kResultLReg);
}

std::uint32_t Comparison::holds(MachineState& state, Relation relation, NumberType type,
                                const Lanes& left, const Lanes& right, bool left_is_zero,
                                bool right_is_zero) const {
  const compiler::Decision decision =
      compiler::decide(rules_, arch_, type, relation, left_is_zero, right_is_zero);
  const Lanes& first = decision.swapped ? right : left;
  const Lanes& second = decision.swapped ? left : right;
  const auto tested = [&](const Lanes& lanes) {
    return lanes_where([&](unsigned lane) { return has_outcome(decision.outcome, lanes[lane]); });
  };
  switch (decision.measure) {
    case Measure::First: return tested(first);
    case Measure::Bits: return tested(integer_difference(arch_, first, second));
    case Measure::Order: {
      const std::uint32_t before = is_before(state, first, second);
      return decision.outcome == Outcome::Negative ? before : ~before;
    }
    case Measure::Difference: break;
  }
  return tested(type == NumberType::Float ? float_difference(state, first, second)
                                          : integer_difference(arch_, first, second));
}

} // namespace lanewise::oracle
