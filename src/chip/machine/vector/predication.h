// Lane predication: SFPENCC, SFPPUSHC, SFPPOPC, SFPCOMPC (VU C6..C11). None of them looks at
// LaneEnabled. Templates over the state, which is a machine or what generated code keeps of one.
#pragma once

#include <algorithm>

#include "chip/isa/arch.h"
#include "chip/isa/fields.h"
#include "chip/machine/bits.h"
#include "chip/machine/fault_log.h"
#include "chip/machine/kernel_list.h"
#include "chip/machine/vector/vector_state.h"

namespace lanewise {

/// Whether SFPPUSHC and SFPPOPC call all their modes the same.
constexpr bool have_same_modes() {
  return std::ranges::all_of(isa::modifiers(isa::Op::SFPPUSHC), [](const isa::Modifier& each) {
    const auto mod = isa::modifier_value(isa::Op::SFPPOPC, each.field, each.name);
    return each.name == "PUSH" || mod == each.value;
  });
}
static_assert(have_same_modes());

/// The boolean operations of SFPPUSHC and SFPPOPC (seed 000, 4.8), on 32 lanes at once.
[[gnu::always_inline]] constexpr std::uint32_t boolean_op(unsigned mod, std::uint32_t a,
                                                          std::uint32_t b) {
  switch (mod) {
    case isa::kMode<isa::Op::SFPPUSHC, "REPLACE">: return b;
    case isa::kMode<isa::Op::SFPPUSHC, "REPLACE_NOT">: return ~b;
    case isa::kMode<isa::Op::SFPPUSHC, "A_AND_B">: return a & b;
    case isa::kMode<isa::Op::SFPPUSHC, "A_OR_B">: return a | b;
    case isa::kMode<isa::Op::SFPPUSHC, "A_AND_NOT_B">: return a & ~b;
    case isa::kMode<isa::Op::SFPPUSHC, "A_OR_NOT_B">: return a | ~b;
    case isa::kMode<isa::Op::SFPPUSHC, "NOT_A_AND_B">: return ~a & b;
    case isa::kMode<isa::Op::SFPPUSHC, "NOT_A_OR_B">: return ~a | b;
    case isa::kMode<isa::Op::SFPPUSHC, "A_NOR_B">: return ~a & ~b;
    case isa::kMode<isa::Op::SFPPUSHC, "A_NAND_B">: return ~a | ~b;
    case isa::kMode<isa::Op::SFPPUSHC, "A_XOR_B">: return a ^ b;
    case isa::kMode<isa::Op::SFPPUSHC, "A_XNOR_B">: return ~(a ^ b);
  }
  return 0; // has no other modes
}

template <class S>
LANEWISE_KERNEL void push_flags(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const std::uint32_t full = v.active & v.stack.full_lanes();
  if (full != 0) s.faults.add(RuntimeFault::PushOnFullStack, op.word, op.line, full);
  v.stack.push(v.active, {v.flags, v.use_flags});
}

template <class S>
LANEWISE_KERNEL void pop_flags(S& s, const MicroOp& op) {
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
template <class S>
LANEWISE_KERNEL void peek_flags(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const FlagStack::Entry top = v.stack.top();
  std::uint32_t flags = v.flags;
  std::uint32_t use = v.use_flags;
  switch (op.mod) {
    case isa::kMode<isa::Op::SFPPOPC, "INVERT">: flags = ~flags; break;
    case isa::kMode<isa::Op::SFPPOPC, "ALL_TRUE">: flags = kAllLanes, use = kAllLanes; break;
    case isa::kMode<isa::Op::SFPPOPC, "ALL_FALSE">: flags = 0, use = kAllLanes; break;
    default:
      flags = boolean_op(op.mod, v.flags, top.flags); // A is the current flag here
      use = top.use;
  }
  v.flags = blend(v.active, flags, v.flags);
  v.use_flags = blend(v.active, use, v.use_flags);
}

/// VU C7: Mod1[1] wins over Mod1[0], and the flags are written in any case.
template <class S>
LANEWISE_KERNEL void sfpencc(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  constexpr std::uint32_t kUse = 1, kFlags = 2; // Imm2
  const bool imm_use = (op.immediate & kUse) != 0;
  const bool imm_flags = (op.immediate & kFlags) != 0;
  std::uint32_t use = v.use_flags;
  if ((op.mod & isa::kMode<isa::Op::SFPENCC, "EI_R1">) != 0) {
    use = imm_use ? kAllLanes : 0;
  } else if ((op.mod & isa::kMode<isa::Op::SFPENCC, "EC_R1">) != 0) {
    use = ~use;
  }
  const bool flags = (op.mod & isa::kMode<isa::Op::SFPENCC, "EU_RI">) != 0 ? imm_flags : true;
  v.use_flags = blend(v.active, use, v.use_flags);
  v.flags = blend(v.active, flags ? kAllLanes : 0, v.flags);
}

/// VU C9.
template <class S>
LANEWISE_KERNEL void sfppushc(S& s, const MicroOp& op) {
  if (op.mod == isa::kMode<isa::Op::SFPPUSHC, "PUSH">) return push_flags(s, op);
  VectorState& v = s.vector;
  const std::uint32_t empty = v.active & v.stack.empty_lanes();
  if (empty != 0) s.faults.add(RuntimeFault::MutateEmptyStack, op.word, op.line, empty);
  const std::uint32_t lanes = v.active & ~empty;
  FlagStack::Entry top = v.stack.top();
  switch (op.mod) {
    case isa::kMode<isa::Op::SFPPUSHC, "INVERT">:
      v.flags = blend(lanes, ~v.flags, v.flags);
      top = {v.flags, v.use_flags};
      break;
    case isa::kMode<isa::Op::SFPPUSHC, "ALL_TRUE">: top = {kAllLanes, kAllLanes}; break;
    case isa::kMode<isa::Op::SFPPUSHC, "ALL_FALSE">: top = {0, kAllLanes}; break;
    default: top = {boolean_op(op.mod, top.flags, v.flags), v.use_flags}; // A is the top here
  }
  v.stack.set_top(lanes, top);
}

/// Wormhole: the mode field must be 0 and is not decoded.
template <class S>
LANEWISE_KERNEL void sfppushc_without_modes(S& s, const MicroOp& op) {
  push_flags(s, op);
}

template <class S>
LANEWISE_KERNEL void sfppopc(S& s, const MicroOp& op) {
  if (op.mod == isa::kMode<isa::Op::SFPPOPC, "POP">) return pop_flags(s, op);
  peek_flags(s, op);
}

/// Wormhole: peeking at a full stack overwrites its bottom entry with its top entry (VU C10).
template <class S>
LANEWISE_KERNEL void sfppopc_with_bug(S& s, const MicroOp& op) {
  if (op.mod == isa::kMode<isa::Op::SFPPOPC, "POP">) return pop_flags(s, op);
  peek_flags(s, op);
  FlagStack& stack = s.vector.stack;
  const std::uint32_t full = s.vector.active & stack.full_lanes();
  if (full == 0) return;
  s.faults.add(RuntimeFault::FullStackPeek, op.word, op.line, full);
  FlagStack::Entry& bottom = stack.entry.front();
  const FlagStack::Entry& top = stack.entry.back();
  bottom = {blend(full, top.flags, bottom.flags), blend(full, top.use, bottom.use)};
}

/// VU C11: an empty stack counts as {true, true}.
template <class S>
LANEWISE_KERNEL void sfpcompc(S& s, const MicroOp& op) {
  (void)op;
  VectorState& v = s.vector;
  const std::uint32_t empty = v.stack.empty_lanes();
  const FlagStack::Entry top = v.stack.top();
  const std::uint32_t top_flags = top.flags | empty;
  const std::uint32_t top_use = top.use | empty;
  const std::uint32_t flags = top_use & v.use_flags & top_flags & ~v.flags;
  v.flags = blend(v.active, flags, v.flags);
}

/// The kernel of one of these instructions, or nullptr.
template <class S>
constexpr KernelOn<S> find_predication_kernel(Arch arch, isa::Op op) {
  const KernelOfOn<S> list[] = {
      {isa::Op::SFPENCC, sfpencc},
      {isa::Op::SFPPUSHC,
       arch_params(arch).vector.pushc_mutates ? sfppushc<S> : sfppushc_without_modes<S>},
      {isa::Op::SFPPOPC,
       arch_params(arch).vector.popc_full_stack_bug ? sfppopc_with_bug<S> : sfppopc<S>},
      {isa::Op::SFPCOMPC, sfpcompc},
  };
  return kernel_in(list, op);
}

} // namespace lanewise
