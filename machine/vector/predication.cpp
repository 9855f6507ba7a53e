#include "machine/vector/predication.h"

#include <algorithm>

#include "isa/fields.h"
#include "machine/bits.h"
#include "machine/state.h"

namespace lanewise {

namespace {

using isa::kMode;
using isa::Op;

/// Whether SFPPUSHC and SFPPOPC call all their modes the same.
constexpr bool have_same_modes() {
  return std::ranges::all_of(isa::modifiers(Op::SFPPUSHC), [](const isa::Modifier& each) {
    const auto mod = isa::modifier_value(Op::SFPPOPC, each.field, each.name);
    return each.name == "PUSH" || mod == each.value;
  });
}
static_assert(have_same_modes());

/// The boolean operations of SFPPUSHC and SFPPOPC (seed 000, 4.8), on 32 lanes at once.
std::uint32_t boolean_op(unsigned mod, std::uint32_t a, std::uint32_t b) {
  switch (mod) {
    case kMode<Op::SFPPUSHC, "REPLACE">: return b;
    case kMode<Op::SFPPUSHC, "REPLACE_NOT">: return ~b;
    case kMode<Op::SFPPUSHC, "A_AND_B">: return a & b;
    case kMode<Op::SFPPUSHC, "A_OR_B">: return a | b;
    case kMode<Op::SFPPUSHC, "A_AND_NOT_B">: return a & ~b;
    case kMode<Op::SFPPUSHC, "A_OR_NOT_B">: return a | ~b;
    case kMode<Op::SFPPUSHC, "NOT_A_AND_B">: return ~a & b;
    case kMode<Op::SFPPUSHC, "NOT_A_OR_B">: return ~a | b;
    case kMode<Op::SFPPUSHC, "A_NOR_B">: return ~a & ~b;
    case kMode<Op::SFPPUSHC, "A_NAND_B">: return ~a | ~b;
    case kMode<Op::SFPPUSHC, "A_XOR_B">: return a ^ b;
    case kMode<Op::SFPPUSHC, "A_XNOR_B">: return ~(a ^ b);
  }
  return 0; // has no other modes
}

void push(MachineState& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const std::uint32_t full = v.active & v.stack.full_lanes();
  if (full != 0) s.faults.add(RuntimeFault::PushOnFullStack, op.word, op.line, full);
  v.stack.push(v.active, {v.flags, v.use_flags});
}

void pop(MachineState& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const std::uint32_t empty = v.active & v.stack.empty_lanes();
  if (empty != 0) s.faults.add(RuntimeFault::PopFromEmptyStack, op.word, op.line, empty);
  const FlagStack::Entry top = v.stack.top();
  const std::uint32_t lanes = v.active & ~empty;
  v.flags = blend(lanes, top.flags, v.flags);
  v.use_flags = blend(lanes, top.use, v.use_flags);
  v.stack.pop(lanes);
}

/// SFPPOPC with Mod1 != 0: looks at the top without removing it; an empty stack reads as {false,
/// false}.
void peek(MachineState& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const FlagStack::Entry top = v.stack.top();
  std::uint32_t flags = v.flags;
  std::uint32_t use = v.use_flags;
  switch (op.mod) {
    case kMode<Op::SFPPOPC, "INVERT">: flags = ~flags; break;
    case kMode<Op::SFPPOPC, "ALL_TRUE">: flags = kAllLanes, use = kAllLanes; break;
    case kMode<Op::SFPPOPC, "ALL_FALSE">: flags = 0, use = kAllLanes; break;
    default:
      flags = boolean_op(op.mod, v.flags, top.flags); // A is the current flag here
      use = top.use;
  }
  v.flags = blend(v.active, flags, v.flags);
  v.use_flags = blend(v.active, use, v.use_flags);
}

} // namespace

/// VU C7: Mod1[1] wins over Mod1[0], and the flags are written in any case.
void sfpencc(MachineState& s, const MicroOp& op) {
  VectorState& v = s.vector;
  constexpr std::uint32_t kUse = 1, kFlags = 2; // Imm2
  const bool imm_use = (op.immediate & kUse) != 0;
  const bool imm_flags = (op.immediate & kFlags) != 0;
  std::uint32_t use = v.use_flags;
  if ((op.mod & kMode<Op::SFPENCC, "EI_R1">) != 0) {
    use = imm_use ? kAllLanes : 0;
  } else if ((op.mod & kMode<Op::SFPENCC, "EC_R1">) != 0) {
    use = ~use;
  }
  const bool flags = (op.mod & kMode<Op::SFPENCC, "EU_RI">) != 0 ? imm_flags : true;
  v.use_flags = blend(v.active, use, v.use_flags);
  v.flags = blend(v.active, flags ? kAllLanes : 0, v.flags);
}

/// VU C9.
void sfppushc(MachineState& s, const MicroOp& op) {
  if (op.mod == kMode<Op::SFPPUSHC, "PUSH">) return push(s, op);
  VectorState& v = s.vector;
  const std::uint32_t empty = v.active & v.stack.empty_lanes();
  if (empty != 0) s.faults.add(RuntimeFault::MutateEmptyStack, op.word, op.line, empty);
  const std::uint32_t lanes = v.active & ~empty;
  FlagStack::Entry top = v.stack.top();
  switch (op.mod) {
    case kMode<Op::SFPPUSHC, "INVERT">:
      v.flags = blend(lanes, ~v.flags, v.flags);
      top = {v.flags, v.use_flags};
      break;
    case kMode<Op::SFPPUSHC, "ALL_TRUE">: top = {kAllLanes, kAllLanes}; break;
    case kMode<Op::SFPPUSHC, "ALL_FALSE">: top = {0, kAllLanes}; break;
    default: top = {boolean_op(op.mod, top.flags, v.flags), v.use_flags}; // A is the top here
  }
  v.stack.set_top(lanes, top);
}

void sfppushc_without_modes(MachineState& s, const MicroOp& op) {
  push(s, op);
}

void sfppopc(MachineState& s, const MicroOp& op) {
  if (op.mod == kMode<Op::SFPPOPC, "POP">) return pop(s, op);
  peek(s, op);
}

void sfppopc_with_bug(MachineState& s, const MicroOp& op) {
  if (op.mod == kMode<Op::SFPPOPC, "POP">) return pop(s, op);
  peek(s, op);
  FlagStack& stack = s.vector.stack;
  const std::uint32_t full = s.vector.active & stack.full_lanes();
  if (full == 0) return;
  s.faults.add(RuntimeFault::FullStackPeek, op.word, op.line, full);
  FlagStack::Entry& bottom = stack.entry.front();
  const FlagStack::Entry& top = stack.entry.back();
  bottom = {blend(full, top.flags, bottom.flags), blend(full, top.use, bottom.use)};
}

/// VU C11: an empty stack counts as {true, true}.
void sfpcompc(MachineState& s, const MicroOp& op) {
  (void)op;
  VectorState& v = s.vector;
  const std::uint32_t empty = v.stack.empty_lanes();
  const FlagStack::Entry top = v.stack.top();
  const std::uint32_t top_flags = top.flags | empty;
  const std::uint32_t top_use = top.use | empty;
  const std::uint32_t flags = top_use & v.use_flags & top_flags & ~v.flags;
  v.flags = blend(v.active, flags, v.flags);
}

} // namespace lanewise
