#include "source/compiler/select.h"

#include <algorithm>
#include <array>
#include <utility>

#include "chip/isa/def_use.h"
#include "chip/isa/fields.h"
#include "source/compiler/literals.h"
#include "source/compiler/selector.h"
#include "source/compiler/uses.h"

namespace lanewise::compiler {

namespace {

using isa::kMode;
using isa::Op;

constexpr auto kUnsigned16 = kMode<Op::SFPLOADI, "USHORT">;
constexpr auto kUpperWord = kMode<Op::SFPLOADI, "UPPER">;
constexpr auto kAddImmediate = kMode<Op::SFPIADD, "ARG_IMM">;
constexpr auto kAddNoFlag = kMode<Op::SFPIADD, "CC_NONE">;
/// SFPAND and SFPOR on Blackhole: VB and VC, not VD and VC.
constexpr auto kLogicUsesVb = kMode<Op::SFPAND, "USE_VB">;
/// SFPSHFT on Blackhole: with an immediate, VC is what is shifted.
constexpr auto kShiftImmediate = kMode<Op::SFPSHFT, "ARG_IMM">;
constexpr auto kShiftUsesVc = kMode<Op::SFPSHFT, "ARG_IMM_USE_VC">;
constexpr auto kNegateImmediateSource = kMode<Op::SFPADDI, "NEGATE_VC">;
static_assert(kNegateImmediateSource == kMode<Op::SFPMULI, "NEGATE_VC">);

/// LRegs 8, 10, and by the kernels' convention 11 (seed 000, 1.2): they are always there.
constexpr std::array kFixedConstants{Selector::Literal{0x3F56594B, Reg::physical(8), 0},
                                     Selector::Literal{0x3F800000, kOne, 0},
                                     Selector::Literal{0xBF800000, kMinusOne, 0}};

bool is_commutative(Op op, std::uint8_t mod) {
  return op == Op::SFPAND || op == Op::SFPOR || op == Op::SFPXOR ||
         (op == Op::SFPIADD && mod == kAddNoFlag);
}

} // namespace

Code Selector::run() {
  for (const Node& node : nodes_) {
    if (node.dead) continue;
    if (node.kind == Kind::Assign) is_variable_[node.operand[0]] = true;
    if (writes_minus_one(node)) keeps_minus_one_ = false;
  }
  for (const Value value : plan_.order) {
    position_ = plan_.position[value];
    emit_node(value);
    forget_literals(nodes_[value]);
  }
  return std::move(code_);
}

void Selector::emit_node(Value value) {
  const Node& node = nodes_[value];
  site_ = node.site;
  switch (node.kind) {
    case Kind::Constant:
      reg_[value] = new_constant(static_cast<std::uint32_t>(node.imm));
      note_literal(value);
      break;
    case Kind::ConstRegister: // a snapshot: the register changes before the last use
      reg_[value] = new_reg();
      move(reg_[value], Reg::physical(static_cast<unsigned>(node.imm)), false);
      break;
    case Kind::FloatAdd:
    case Kind::FloatSub:
    case Kind::FloatMul:
    case Kind::FloatMad: emit_float(value); break;
    case Kind::Instruction: emit_instruction(value); break;
    case Kind::Assign: emit_assign(value); break;
    case Kind::FromCondition: emit_from_condition(value); break;
    case Kind::ReadLReg:
    case Kind::WriteLReg: {
      Instr instr = make(Op::SFPNOP);
      instr.kind = node.kind == Kind::ReadLReg ? InstrKind::ReadLReg : InstrKind::WriteLReg;
      instr.imm = node.imm;
      if (node.kind == Kind::ReadLReg) {
        instr.vd = reg_[value] = new_reg();
      } else {
        instr.vc = general_source(node.operand[0]);
      }
      push(instr);
      break;
    }
    case Kind::WriteConst: {
      Instr instr = make(Op::SFPCONFIG);
      instr.imm = node.imm;
      instr.pins.push_back({.reg = general_source(node.operand[0]), .lreg = 0});
      push(instr);
      break;
    }
    case Kind::Raw: {
      Instr instr = make(Op::SFPNOP);
      instr.kind = InstrKind::Raw;
      instr.word = static_cast<std::uint32_t>(node.imm);
      instr.is_authors = node.mod != kLanewiseOwnWord;
      instr.computed = node.mod == kLanewiseComputedWord;
      push(instr);
      break;
    }
    default: emit_predicate(node);
  }
}

Instr Selector::make(Op op, std::uint8_t mod) const {
  Instr instr;
  instr.op = op;
  instr.mod = mod;
  instr.site = site_;
  return instr;
}

void Selector::move(Reg to, Reg from, bool keeps, bool all_lanes) {
  Instr instr = make(Op::SFPMOV, all_lanes ? kMovAllLanes : 0);
  instr.vd = to;
  instr.vc = from;
  instr.keeps_vd = keeps;
  push(instr);
}

void Selector::negate(Reg to, Reg from) {
  Instr instr = make(Op::SFPMOV, kMode<Op::SFPMOV, "NEGATE">);
  instr.vd = to;
  instr.vc = from;
  push(instr);
}

void Selector::load_constant(Reg to, std::uint32_t bits, bool keeps) {
  Instr instr = make(Op::SFPLOADI);
  instr.vd = to;
  instr.keeps_vd = keeps;
  const auto load = [&](std::uint8_t mode, std::uint32_t imm) {
    instr.mod = mode;
    instr.imm = static_cast<std::int32_t>(imm & 0xFFFF);
    push(instr);
  };
  if (const auto single = literal_load(arch_, bits)) return load(single->mode, single->imm);
  if (const auto near = near_register(bits)) {
    instr = make(Op::SFPIADD, kAddImmediate | kAddNoFlag);
    instr.vd = to;
    instr.keeps_vd = keeps;
    instr.vc = near->reg;
    instr.imm = static_cast<std::int32_t>(bits - near->bits);
    return push(instr);
  }
  load(kUnsigned16, bits);
  instr.reads_vd = true;
  load(kUpperWord, bits >> 16);
}

/// A register from whose bits SFPIADD makes the constant with its immediate: one that never
/// changes, or that of a literal which is wanted later, too.
std::optional<Selector::Literal> Selector::near_register(std::uint32_t bits) const {
  constexpr int kFirst = 763; // the release that looks for one
  if (recording_.epoch < kFirst) return std::nullopt;
  const auto is_near = [&](const Literal& other) {
    return fits_imm12(static_cast<std::int32_t>(bits - other.bits));
  };
  for (const Literal& fixed : kFixedConstants) {
    if (is_near(fixed) && (fixed.reg != kMinusOne || keeps_minus_one_)) return fixed;
  }
  for (const Literal& literal : literals_) {
    if (literal.last_use > position_ && is_near(literal)) return literal;
  }
  return std::nullopt;
}

/// Whether the kernel puts something of its own where others expect -1.
bool Selector::writes_minus_one(const Node& node) const {
  if (node.kind == Kind::WriteConst) return static_cast<unsigned>(node.imm) == kMinusOne.number();
  if (node.kind != Kind::Raw) return false;
  const auto word = static_cast<std::uint32_t>(node.imm);
  return (isa::lregs_written(arch_, word) & 1U << kMinusOne.number()) != 0;
}

/// Keeps in mind which literals stand in registers, in all lanes that are enabled here.
void Selector::note_literal(Value value) {
  const auto bits = static_cast<std::uint32_t>(nodes_[value].imm);
  if (!is_variable_[value]) literals_.push_back({bits, reg_[value], plan_.last_use[value]});
}

/// Words of the author may do anything to lanes and registers, and behind a condition there are
/// more lanes than in it.
void Selector::forget_literals(const Node& node) {
  switch (node.kind) {
    case Kind::Raw:
      if (node.mod == kLanewiseOwnWord) return;
      break;
    case Kind::ElseIf:
    case Kind::Else:
    case Kind::EndIf:
    case Kind::EndBlock: break;
    default: return;
  }
  literals_.clear();
}

Reg Selector::new_constant(std::uint32_t bits) {
  const Reg reg = new_reg();
  code_.origins.back().is_constant = true;
  code_.origins.back().constant = bits;
  load_constant(reg, bits, false);
  return reg;
}

Reg Selector::source(Value value) {
  if (const auto constant = constant_register(recording_, plan_, value))
    return Reg::physical(*constant);
  return general_source(value);
}

Reg Selector::general_source(Value value) {
  if (!reg_[value].is_none()) return reg_[value];
  if (const auto constant = constant_register(recording_, plan_, value)) {
    const Reg copy = new_reg();
    move(copy, Reg::physical(*constant), false, true);
    return copy;
  }
  if (plan_.at_test[value]) {
    emit_node(value);
    return reg_[value];
  }
  const Node& node = nodes_[value];
  if (node.kind == Kind::Constant) return new_constant(static_cast<std::uint32_t>(node.imm));
  return reg_[value] = new_reg(); // never given a value
}

Reg Selector::overwritable(Value value, Value user) {
  const Value merge = plan_.merge[user];
  if (merge != kNone && nodes_[merge].operand[0] == value) {
    bool keeps = false;
    return variable(merge, keeps);
  }
  const Node& node = nodes_[value];
  const bool is_fresh =
      reg_[value].is_none() && (node.kind == Kind::Constant || node.kind == Kind::ConstRegister);
  const Reg from = general_source(value);
  if (is_fresh || may_overwrite(recording_, plan_, value, user)) return from;
  const Reg copy = new_reg();
  move(copy, from, false, moves_lanes(recording_, nodes_[user]));
  return copy;
}

Reg Selector::variable(Value assign, bool& keeps) {
  const Value old_value = nodes_[assign].operand[0];
  keeps = true;
  if (nodes_[old_value].kind == Kind::Undefined && reg_[old_value].is_none()) {
    keeps = false;
    return new_reg();
  }
  if (const auto constant = constant_register(recording_, plan_, old_value)) {
    const Reg copy = new_reg();
    move(copy, Reg::physical(*constant), false, true);
    return copy;
  }
  const Reg from = general_source(old_value);
  if (plan_.last_use[old_value] == plan_.position[assign]) return from;
  const Reg copy = new_reg();
  move(copy, from, false, true);
  return copy;
}

Reg Selector::target(Value value, bool& keeps) {
  keeps = false;
  const Value assign = plan_.merge[value];
  reg_[value] = assign == kNone ? new_reg() : variable(assign, keeps);
  if (assign != kNone) reg_[assign] = reg_[value];
  return reg_[value];
}

// -------------------------------------------------------------------- floats

void Selector::emit_float(Value value) {
  if (const auto constant = immediate_operand(recording_, plan_, value))
    return emit_float_immediate(value, *constant);
  const Node& node = nodes_[value];
  const Reg a = source(node.operand[0]);
  const Reg b = source(node.operand[1]);
  Instr instr;
  switch (node.kind) {
    case Kind::FloatAdd: // 1 * a + b
      instr = make(Op::SFPADD, node.mod);
      instr.va = kOne, instr.vb = a, instr.vc = b;
      break;
    case Kind::FloatSub:
      if (chip_.vector.mad_negate_bits) { // 1 * a + -b
        instr = make(Op::SFPADD, 2);
        instr.va = kOne, instr.vb = a, instr.vc = b;
      } else { // b * -1 + a
        instr = make(Op::SFPMAD, node.mod);
        instr.va = b, instr.vb = kMinusOne, instr.vc = a;
      }
      break;
    case Kind::FloatMul: // a * b + 0
      instr = make(Op::SFPMUL, node.mod);
      instr.va = a, instr.vb = b, instr.vc = Reg::physical(chip_.vector.zero_lreg);
      break;
    default:
      instr = make(Op::SFPMAD, node.mod);
      instr.va = a, instr.vb = b, instr.vc = source(node.operand[2]);
  }
  instr.vd = target(value, instr.keeps_vd);
  push(instr);
}

/// SFPADDI, SFPMULI: VD = an immediate in FP16b + or * VD, whose sign they can flip before.
void Selector::emit_float_immediate(Value value, unsigned constant) {
  const Node& node = nodes_[value];
  const bool is_always = plan_.float_immediates == FloatImmediates::Always;
  const bool negates = negates_operand(recording_, node, constant);
  const std::uint8_t mod = negates && !is_always ? kNegateImmediateSource : 0;
  Instr instr = make(node.kind == Kind::FloatMul ? Op::SFPMULI : Op::SFPADDI,
                     chip_.vector.mad_adds_half ? node.mod : mod);
  const auto lane = static_cast<std::uint32_t>(nodes_[node.operand[constant]].imm);
  instr.imm = static_cast<std::int32_t>(float_of_lane(arch_, lane) >> 16);
  instr.reads_vd = true;
  const Value other = node.operand[1 - constant], assign = plan_.merge[value];
  if (is_always && negates) {
    const Reg negative = new_reg();
    negate(negative, source(other));
    if (assign != kNone) return push_into_variable(value, std::move(instr), negative);
    instr.vd = reg_[value] = negative;
  } else if (is_always && assign != kNone && nodes_[assign].operand[0] != other) {
    return push_into_variable(value, std::move(instr), source(other));
  } else {
    instr.vd = reg_[value] = overwritable(other, value);
    if (assign != kNone) reg_[assign] = reg_[value];
  }
  push(std::move(instr));
}

/// The variable's register gets the operand first, then the operation, each in the enabled lanes.
void Selector::push_into_variable(Value value, Instr instr, Reg operand) {
  bool keeps = false;
  const Reg variable = target(value, keeps);
  if (instr.vc == variable) {
    instr.vd = new_reg();
    move(instr.vd, operand, false);
    push(instr);
    return move(variable, instr.vd, keeps);
  }
  move(variable, operand, keeps);
  instr.vd = variable;
  push(std::move(instr));
}

// -------------------------------------------------------------------- other instructions

void Selector::emit_instruction(Value value) {
  const Node& node = nodes_[value];
  const Op op = op_of(value);
  switch (op) {
    case Op::SFPSTORE: return emit_store(node);
    case Op::SFPLUT:
    case Op::SFPLUTFP32: return emit_lut(value);
    case Op::SFPSWAP: return emit_swap(value);
    case Op::SFPTRANSP: return emit_transpose(value);
    default: break;
  }
  if (const auto constant = immediate_operand(recording_, plan_, value))
    return emit_integer_immediate(value, *constant);
  Instr instr = make(op, node.mod);
  instr.imm = node.imm;
  instr.addr_mod = node.addr_mod;
  if (node.operand[kVd] != kNone) return emit_two_address(value, std::move(instr));
  if (node.operand[kVa] != kNone) instr.va = source(node.operand[kVa]);
  if (node.operand[kVb] != kNone) instr.vb = source(node.operand[kVb]);
  if (node.operand[kVc] != kNone) instr.vc = source(node.operand[kVc]);
  instr.vd = target(value, instr.keeps_vd);
  push(instr);
}

void Selector::emit_integer_immediate(Value value, unsigned constant) {
  const Node& node = nodes_[value];
  const bool subtracts = node.mod != kAddNoFlag;
  Instr instr = make(Op::SFPIADD, kAddImmediate | kAddNoFlag);
  const std::int32_t imm = nodes_[node.operand[constant]].imm;
  instr.imm = subtracts ? -imm : imm;
  instr.vc = source(node.operand[kVc + kVd - constant]);
  instr.vd = target(value, instr.keeps_vd);
  push(instr);
}

/// Instructions that read VD and overwrite it.
void Selector::emit_two_address(Value value, Instr instr) {
  const Node& node = nodes_[value];
  const auto free = [&](unsigned place) {
    return may_overwrite(recording_, plan_, node.operand[place], value);
  };
  unsigned overwritten = kVd, other = kVc;
  if (is_commutative(instr.op, node.mod) && !free(kVd) && free(kVc)) std::swap(overwritten, other);

  if (!free(kVd) && is_power_of_two(node)) return emit_power_of_two(value);
  const bool is_logic = instr.op == Op::SFPAND || instr.op == Op::SFPOR;
  const bool is_shift = instr.op == Op::SFPSHFT && (instr.mod & kShiftImmediate) != 0;
  if (!free(overwritten) &&
      ((is_logic && chip_.vector.logic_uses_vb) || (is_shift && chip_.vector.shift_has_modes))) {
    // Blackhole has a three-address form.
    const Reg from = source(node.operand[kVd]);
    if (is_logic) {
      instr.mod |= kLogicUsesVb;
      instr.vb = from;
      instr.vc = source(node.operand[kVc]);
    } else {
      instr.mod |= kShiftUsesVc;
      instr.vc = from;
    }
    instr.vd = target(value, instr.keeps_vd);
    return push(instr);
  }

  instr.reads_vd = true;
  const Value assign = plan_.merge[value];
  const bool in_place =
      assign == kNone ||
      (nodes_[assign].operand[0] == node.operand[overwritten] && free(overwritten));
  if (in_place) {
    if (node.operand[other] != kNone) instr.vc = source(node.operand[other]);
    instr.vd = reg_[value] = overwritable(node.operand[overwritten], value);
    if (assign != kNone) reg_[assign] = instr.vd;
    return push(instr);
  }
  const Reg from = source(node.operand[overwritten]);
  if (node.operand[other] != kNone) instr.vc = source(node.operand[other]);
  push_into_variable(value, std::move(instr), from);
}

/// Whether the value is certainly 0 to 255, in every lane.
bool Selector::is_byte(Value value) const {
  const Node& node = nodes_[value];
  if (node.kind != Kind::Instruction) return false;
  const Op op = op_of(value);
  return (op == Op::SFPSTOCHRND && isa::has_mode<Op::SFPSTOCHRND, "FP32_TO_UINT8">(node.mod)) ||
         (op == Op::SFPEXEXP && isa::has_mode<Op::SFPEXEXP, "NODEBIAS">(node.mod));
}

/// setexp(1.0f, n), where a shift makes the same bits: n has no more of them than the exponent.
bool Selector::is_power_of_two(const Node& node) const {
  constexpr std::uint32_t kExponent = 0x7F800000;
  std::uint32_t bits = 0;
  return chip_.vector.shift_has_modes && operation(recording_, node) == Op::SFPSETEXP &&
         node.mod == 0 && constant_bits(arch_, nodes_[node.operand[kVc]], bits) &&
         (bits & ~kExponent) == 0 && is_byte(node.operand[kVd]);
}

/// A shift has a destination of its own on Blackhole; SFPSETEXP would overwrite the exponent.
void Selector::emit_power_of_two(Value value) {
  constexpr std::int32_t kMantissaBits = 23;
  Instr instr = make(Op::SFPSHFT, kShiftImmediate | kShiftUsesVc);
  instr.imm = kMantissaBits;
  instr.vc = source(nodes_[value].operand[kVd]);
  instr.vd = target(value, instr.keeps_vd);
  push(instr);
}

void Selector::emit_store(const Node& node) {
  Instr instr = make(Op::SFPSTORE, node.mod);
  instr.imm = node.imm;
  instr.addr_mod = node.addr_mod;
  instr.vd = source(node.operand[kVd]);
  if (instr.vd.is_physical() && instr.vd.number() >= kFirstTemplate &&
      chip_.vector.vd_selects_templates)
    instr.vd = general_source(node.operand[kVd]);
  instr.reads_vd = true;
  push(instr);
}

// -------------------------------------------------------------------- variables and conditions

void Selector::emit_assign(Value value) {
  if (!reg_[value].is_none()) return; // the operation wrote into the variable
  const Node& node = nodes_[value];
  const Value made = node.operand[1];
  bool keeps = false;
  const Reg result = reg_[value] = variable(value, keeps);
  // Loaded anew: where the constant stands in a register already, fewer lanes may have it.
  const bool is_literal = nodes_[made].kind == Kind::Constant;
  if (is_literal && !constant_register(recording_, plan_, made)) {
    return load_constant(result, static_cast<std::uint32_t>(nodes_[made].imm), keeps);
  }
  move(result, source(made), keeps);
}

void Selector::emit_from_condition(Value value) {
  const Reg result = reg_[value] = new_reg();
  load_constant(result, 0, false);
  push(make(Op::SFPPUSHC));
  narrow(nodes_[value].operand[0], false, true);
  load_constant(result, 1, true);
  push(make(Op::SFPPOPC));
}

Code select(const Recording& recording, ConstantLoads loads) {
  return Selector(recording, make_plan(recording, loads)).run();
}

} // namespace lanewise::compiler
