// Instruction selection for operands that must be in certain LRegs, and for several results.
#include <algorithm>
#include <array>
#include <utility>

#include "chip/isa/fields.h"
#include "source/compiler/selector.h"

namespace lanewise::compiler {

namespace {

using isa::Op;

/// SFPLUTFP32: what names the result of some modes (VU C15).
constexpr unsigned kLutIndex = 7;
/// SFPLUT: where it takes its operand from.
constexpr unsigned kLutInput = 3;
/// SFPSWAP: VD gets the smaller number, or the larger one.
constexpr auto kMinMax = isa::kMode<Op::SFPSWAP, "VEC_MIN_MAX">;
constexpr auto kMaxMin = isa::kMode<Op::SFPSWAP, "VEC_MAX_MIN">;

} // namespace

void Selector::emit_lut(Value value) {
  const Node& node = nodes_[value];
  Instr instr = make(op_of(value), node.mod);
  instr.imm = node.imm;
  for (unsigned i = 0; i < kAllocatable; ++i) {
    if (node.operand[i] == kNone) continue;
    instr.pins.push_back(
        {.reg = general_source(node.operand[i]), .lreg = static_cast<std::uint8_t>(i)});
  }
  if (has_fixed_result(recording_, node)) {
    instr.pins.back().reg = reg_[value] = overwritable(node.operand[kLutInput], value);
    instr.pins.back().written = true;
    instr.vd = Reg::physical(kLutInput);
  } else if (has_indirect_result(recording_, node)) {
    name_result(value, instr);
  } else {
    instr.vd = target(value, instr.keeps_vd);
  }
  push(instr);
}

/// The result goes to the LReg that LReg[7] names in each lane: to LReg[7] itself, so that it
/// destroys nothing that is wanted later. The word names it, too, since that is the one for which
/// Blackhole's interlock waits (VU 5.3).
void Selector::name_result(Value value, Instr& instr) {
  const Reg index = reg_[value] = new_reg();
  load_constant(index, kLutIndex, false);
  instr.vd = Reg::physical(kLutIndex);
  instr.pins.push_back({.reg = index, .lreg = kLutIndex, .written = true});
}

namespace {

/// The nodes that take the results of a many-result instruction, and the Assigns that store them
/// back into the variables that the operands came from.
struct Exchange {
  std::array<Value, kAllocatable> result;
  std::array<Value, kAllocatable> assign;
};

Exchange find_exchange(const Recording& recording, const Plan& plan, Value value,
                       unsigned first_operand, unsigned count) {
  Exchange found;
  found.result.fill(kNone);
  found.assign.fill(kNone);
  constexpr Value kExchangeReach = 64; // results and their assignments follow at once
  const Value end =
      std::min<Value>(static_cast<Value>(recording.nodes.size()), value + kExchangeReach);
  for (Value v = value + 1; v < end; ++v) {
    const Node& node = recording.nodes[v];
    if (node.dead) continue;
    if (node.kind == Kind::Result && node.operand[0] == value)
      found.result[static_cast<unsigned>(node.imm) & 7] = v;
    if (node.kind != Kind::Assign || recording.nodes[node.operand[1]].kind != Kind::Result)
      continue;
    for (unsigned i = 0; i < count; ++i) {
      const bool stores_back =
          node.operand[1] == found.result[i] && plan.uses[node.operand[1]] == 1 &&
          node.operand[0] == recording.nodes[value].operand[first_operand + i] &&
          node.context == recording.nodes[value].context &&
          plan.last_use[node.operand[0]] == plan.position[v];
      if (stores_back) found.assign[i] = v;
    }
  }
  return found;
}

} // namespace

/// A constant register as operand i of SFPSWAP: it is read, and what would be written to it is
/// dropped (VU C33), so that nobody may want that result. As VD, LReg[12..15] would select a macro
/// template (VU C13): possible only where the operands can change places.
std::optional<unsigned> Selector::unwritten_constant(const Node& swap, unsigned i,
                                                     Value result) const {
  if (result != kNone && plan_.uses[result] != 0) return std::nullopt;
  const auto constant = constant_register(recording_, plan_, swap.operand[i]);
  if (!constant || i != kVd || *constant < kFirstTemplate) return constant;
  const bool is_alone = !constant_register(recording_, plan_, swap.operand[kVc]);
  return is_alone && (swap.mod == kMinMax || swap.mod == kMaxMin) ? constant : std::nullopt;
}

/// SFPSWAP changes both registers in the enabled lanes and keeps the others, so that storing the
/// results back into the two variables costs nothing.
void Selector::emit_swap(Value value) {
  const Node& node = nodes_[value];
  const Exchange exchange = find_exchange(recording_, plan_, value, kVc, 2);
  Instr instr = make(Op::SFPSWAP, node.mod);
  for (unsigned i = 0; i < 2; ++i) {
    const Value operand = node.operand[kVc + i];
    if (const auto constant = unwritten_constant(node, kVc + i, exchange.result[i])) {
      (i == 0 ? instr.vc : instr.vd) = Reg::physical(*constant);
      continue;
    }
    const bool twice = node.operand[kVc] == node.operand[kVd] && i == 1;
    bool keeps = false;
    Reg reg = exchange.assign[i] != kNone ? variable(exchange.assign[i], keeps)
                                          : overwritable(operand, value);
    if (twice && reg == instr.vc) {
      reg = new_reg();
      move(reg, instr.vc, false);
    }
    (i == 0 ? instr.vc : instr.vd) = reg;
    if (exchange.result[i] != kNone) reg_[exchange.result[i]] = reg;
    if (exchange.assign[i] != kNone) reg_[exchange.assign[i]] = reg;
  }
  if (instr.vd.is_physical() && instr.vd.number() >= kFirstTemplate) {
    std::swap(instr.vc, instr.vd);
    instr.mod = instr.mod == kMinMax ? kMaxMin : kMinMax;
  }
  instr.reads_vd = true;
  push(instr);
}

void Selector::emit_transpose(Value value) {
  const Node& node = nodes_[value];
  Instr instr = make(Op::SFPTRANSP, node.mod);
  const Exchange exchange = find_exchange(recording_, plan_, value, 0, kAllocatable);
  for (unsigned i = 0; i < kAllocatable; ++i) {
    if (node.operand[i] == kNone) continue;
    bool keeps = false;
    Reg reg = exchange.assign[i] != kNone ? variable(exchange.assign[i], keeps)
                                          : overwritable(node.operand[i], value);
    for (const Pin& pin : instr.pins) {
      if (pin.reg != reg) continue; // the same value twice
      reg = new_reg();
      move(reg, pin.reg, false, true);
      break;
    }
    instr.pins.push_back({.reg = reg, .lreg = static_cast<std::uint8_t>(i), .written = true});
    if (exchange.result[i] != kNone) reg_[exchange.result[i]] = reg;
    if (exchange.assign[i] != kNone) reg_[exchange.assign[i]] = reg;
  }
  push(instr);
}

} // namespace lanewise::compiler
