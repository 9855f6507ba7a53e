// Simple and Round sub-units: everything lanewise that is neither MAD nor a Dst access.
//
// Decoding has already dealt with VD 12..15 (template writes) and with result-gated instructions
// whose VD is not writable; what arrives here is executed (chip/machine/frontend/decode.cpp).
#pragma once

#include "chip/isa/arch.h"
#include "chip/isa/fields.h"
#include "chip/machine/kernel_list.h"
#include "chip/machine/kernels/lane_access.h"
#include "chip/machine/micro_op.h"
#include "chip/semantics/arecip.h"
#include "chip/semantics/convert.h"
#include "chip/semantics/integer.h"
#include "chip/semantics/prng.h"

namespace lanewise::LANEWISE_LEVEL {

namespace sem = semantics;
using isa::has_mode;
using isa::kMode;
using isa::Op;

/// Writes function(VC) to VD in enabled lanes. Returns the lanes whose result is negative.
template <class S, class Function>
LANEWISE_INLINE std::uint32_t unary(S& s, const MicroOp& op, Function&& function) {
  VectorState& v = s.vector;
  const std::uint32_t* source = v.lreg[op.vc];
  return write_lanes(v.lreg[op.vd], v.enabled(),
                     [&](unsigned c) { return function(load(source, c)); });
}

/// Writes function(VC, VB) to VD in enabled lanes; VB is VD but for what SFPLOADMACRO schedules.
/// Returns the lanes whose result is negative.
template <class S, class Function>
LANEWISE_INLINE std::uint32_t binary(S& s, const MicroOp& op, Function&& function) {
  VectorState& v = s.vector;
  const std::uint32_t* first = v.lreg[op.vc];
  const std::uint32_t* second = v.lreg[op.vb];
  return write_lanes(v.lreg[op.vd], v.enabled(),
                     [&](unsigned c) { return function(load(first, c), load(second, c)); });
}

template <class S>
LANEWISE_KERNEL void sfpabs(S& s, const MicroOp& op) {
  if (has_mode<Op::SFPABS, "FLOAT">(op.mod)) {
    unary(s, op, [](U x) { return sem::absolute_float(x); });
  } else {
    unary(s, op, [](U x) { return sem::absolute_integer(x); });
  }
}

template <class S>
LANEWISE_KERNEL void sfpand(S& s, const MicroOp& op) {
  binary(s, op, [](U c, U b) { return c & b; });
}

template <class S>
LANEWISE_KERNEL void sfpor(S& s, const MicroOp& op) {
  binary(s, op, [](U c, U b) { return c | b; });
}

template <class S>
LANEWISE_KERNEL void sfpxor(S& s, const MicroOp& op) {
  binary(s, op, [](U c, U d) { return c ^ d; });
}

template <class S>
LANEWISE_KERNEL void sfpnot(S& s, const MicroOp& op) {
  unary(s, op, [](U x) { return ~x; });
}

/// VU C28: adding is modulo 256 and leaves infinities and NaNs alone.
template <class S>
LANEWISE_KERNEL void sfpdivp2(S& s, const MicroOp& op) {
  const U step = splat(static_cast<std::uint32_t>(op.immediate) << 23 & sem::kExponentMask);
  if (has_mode<Op::SFPDIVP2, "ADD">(op.mod)) {
    unary(s, op, [&](U x) {
      const U moved = (x & ~sem::kExponentMask) | ((x + step) & sem::kExponentMask);
      return sem::select(sem::equal(x & sem::kExponentMask, splat(sem::kExponentMask)), x, moved);
    });
  } else {
    unary(s, op, [&](U x) { return (x & ~sem::kExponentMask) | step; });
  }
}

/// VU C27: bit 1 sets the flag, bit 3 then inverts whatever the flag is. An instruction that writes
/// LReg[16] leaves the flags alone (VU C14).
LANEWISE_INLINE void update_flags(VectorState& v, const MicroOp& op, std::uint32_t lanes, bool set,
                                  bool invert, std::uint32_t condition) {
  if (op.vd >= kWritableLRegs) return;
  std::uint32_t flags = set ? condition : v.flags;
  if (invert) flags = ~flags;
  set_flags(v, lanes, flags);
}

template <class S>
LANEWISE_KERNEL void sfpexexp(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const std::uint32_t lanes = v.enabled();
  const U bias = splat(has_mode<Op::SFPEXEXP, "NODEBIAS">(op.mod) ? 0 : sem::kBias);
  const std::uint32_t negative = unary(s, op, [&](U x) { return sem::exponent_field(x) - bias; });
  update_flags(v, op, lanes, has_mode<Op::SFPEXEXP, "SET_CC_SGN_EXP">(op.mod),
               has_mode<Op::SFPEXEXP, "SET_CC_COMP_EXP">(op.mod), negative);
}

template <class S>
LANEWISE_KERNEL void sfpexman(S& s, const MicroOp& op) {
  const U hidden = splat(has_mode<Op::SFPEXMAN, "PAD9">(op.mod) ? 0 : sem::kHiddenOne);
  unary(s, op, [&](U x) { return (x & sem::kMantissaMask) | hidden; });
}

/// VU C26.
template <class S>
LANEWISE_KERNEL void sfpiadd(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const std::uint32_t lanes = v.enabled();
  std::uint32_t negative = 0;
  if (has_mode<Op::SFPIADD, "ARG_IMM">(op.mod)) {
    const U immediate = splat(static_cast<std::uint32_t>(op.immediate));
    negative = unary(s, op, [&](U c) { return c + immediate; });
  } else if (has_mode<Op::SFPIADD, "ARG_2SCOMP_LREG_DST">(op.mod)) {
    negative = binary(s, op, [](U c, U d) { return c - d; });
  } else {
    negative = binary(s, op, [](U c, U d) { return c + d; });
  }
  update_flags(v, op, lanes, !has_mode<Op::SFPIADD, "CC_NONE">(op.mod),
               has_mode<Op::SFPIADD, "CC_GTE0">(op.mod), negative);
}

template <class S>
LANEWISE_KERNEL void sfplz(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const std::uint32_t lanes = v.enabled();
  const U kept = splat(has_mode<Op::SFPLZ, "NOSGN_MASK">(op.mod) ? ~sem::kSign : ~0U);
  const std::uint32_t* source = v.lreg[op.vc];
  const std::uint32_t not_zero =
      lanes_where([&](unsigned c) { return sem::any_common_bit(load(source, c), kept); });
  unary(s, op, [&](U x) { return sem::leading_zeros(x & kept); });
  update_flags(v, op, lanes, has_mode<Op::SFPLZ, "CC_NE0">(op.mod),
               has_mode<Op::SFPLZ, "CC_COMP">(op.mod), not_zero);
}

/// VU C36.
template <Arch A, class S>
LANEWISE_KERNEL void sfpshft(S& s, const MicroOp& op) {
  const bool immediate = has_mode<Op::SFPSHFT, "ARG_IMM">(op.mod);
  const bool arithmetic =
      kArch<A>.vector.shift_has_modes && (op.mod & kMode<Op::SFPSHFT, "ARITHMETIC">) != 0;
  const bool shifts_vc =
      kArch<A>.vector.shift_has_modes && (op.mod & kMode<Op::SFPSHFT, "ARG_IMM_USE_VC">) != 0;
  if (!immediate) {
    binary(s, op, [&](U c, U d) { return sem::shift(d, c, arithmetic); });
  } else if (shifts_vc) {
    unary(s, op, [&](U c) { return sem::shift_all(c, op.immediate, arithmetic); });
  } else {
    binary(s, op, [&](U, U d) { return sem::shift_all(d, op.immediate, arithmetic); });
  }
}

/// VU C8: first match wins; with flags not in use the flag is cleared.
template <class S>
LANEWISE_KERNEL void sfpsetcc(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const std::uint32_t* source = v.lreg[op.vc];
  std::uint32_t condition = 0;
  if (has_mode<Op::SFPSETCC, "CLEAR">(op.mod)) {
    condition = 0;
  } else if (has_mode<Op::SFPSETCC, "IMM_BIT0">(op.mod)) {
    condition = (op.immediate & 1) != 0 ? kAllLanes : 0;
  } else if (has_mode<Op::SFPSETCC, "LREG_NE0">(op.mod) ||
             has_mode<Op::SFPSETCC, "LREG_EQ0">(op.mod)) {
    condition = lanes_where([&](unsigned c) { return sem::equal(load(source, c), splat(0)); });
    if (has_mode<Op::SFPSETCC, "LREG_NE0">(op.mod)) condition = ~condition;
  } else { // LREG_LT0 or LREG_GTE0
    condition = lanes_where([&](unsigned c) { return sem::negative(load(source, c)); });
    if (has_mode<Op::SFPSETCC, "LREG_GTE0">(op.mod)) condition = ~condition;
  }
  set_flags(v, v.enabled(), condition & v.use_flags);
}

/// The value of SFPMOV's special sources other than the PRNG, for one column (VU C30).
inline std::uint32_t special_source(const VectorState& v, unsigned index, unsigned column) {
  if (index < 4) return v.macro.instruction_template[index][column];
  if (index < 8) return v.macro.sequence[index - 4][column];
  if (index == 8) return v.macro.misc[column];
  if (index == 15) return v.lane_config[column];
  return 0;
}

/// Every use of the PRNG returns the old state of the lane and steps it, in enabled lanes (VU 3.8).
LANEWISE_INLINE U take_random(VectorState& v, std::uint32_t lanes, unsigned chunk) {
  const U state = load(v.prng, chunk);
  store(v.prng, chunk, sem::select(expand_mask(lanes, chunk), sem::prng_next(state), state));
  return state;
}

template <class S>
LANEWISE_KERNEL void sfpmov_special(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const std::uint32_t lanes = v.enabled();
  LaneVector value;
  if (op.vc == 9) {
    for (unsigned c = 0; c < kChunks; ++c) value.chunk[c] = take_random(v, lanes, c);
  } else {
    std::uint32_t column_values[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      column_values[lane] = special_source(v, op.vc, lane % kColumns);
    }
    for (unsigned c = 0; c < kChunks; ++c) value.chunk[c] = load(column_values, c);
  }
  if (!is_writable_lreg(op.vd)) return;
  write_lanes(v.lreg[op.vd], lanes, [&](unsigned c) { return value.chunk[c]; });
}

/// VU C30: reserved Mod1[2] is dropped; "all lanes" needs Mod1 2 exactly; special sources are not
/// negated.
template <class S>
LANEWISE_KERNEL void sfpmov(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  if (has_mode<Op::SFPMOV, "FROM_SPECIAL">(op.mod)) return sfpmov_special(s, op);
  if (!is_writable_lreg(op.vd)) return;
  const std::uint32_t lanes =
      has_mode<Op::SFPMOV, "ALL_LANES_ENABLED">(op.mod) ? v.active : v.enabled();
  const std::uint32_t* source = v.lreg[op.vc];
  const U flip = splat(has_mode<Op::SFPMOV, "NEGATE">(op.mod) ? sem::kSign : 0);
  write_lanes(v.lreg[op.vd], lanes, [&](unsigned c) { return load(source, c) ^ flip; });
}

/// VU C31: the immediate wins over the exponent of VD.
template <class S>
LANEWISE_KERNEL void sfpsetexp(S& s, const MicroOp& op) {
  const U immediate = splat(static_cast<std::uint32_t>(op.immediate) << 23);
  const auto with_exponent = [](U c, U exponent) { return (c & ~sem::kExponentMask) | exponent; };
  if (has_mode<Op::SFPSETEXP, "ARG_IMM">(op.mod)) {
    unary(s, op, [&](U c) { return with_exponent(c, immediate); });
  } else if (has_mode<Op::SFPSETEXP, "ARG_EXPONENT">(op.mod)) {
    binary(s, op, [&](U c, U d) { return with_exponent(c, d & sem::kExponentMask); });
  } else {
    binary(s, op, [&](U c, U d) { return with_exponent(c, (d & 0xFF) << 23); });
  }
}

template <class S>
LANEWISE_KERNEL void sfpsetman(S& s, const MicroOp& op) {
  const U immediate = splat(static_cast<std::uint32_t>(op.immediate) << 11);
  if (has_mode<Op::SFPSETMAN, "ARG_IMM">(op.mod)) {
    unary(s, op, [&](U c) { return (c & ~sem::kMantissaMask) | immediate; });
  } else {
    binary(s, op, [](U c, U d) { return (c & ~sem::kMantissaMask) | (d & sem::kMantissaMask); });
  }
}

template <class S>
LANEWISE_KERNEL void sfpsetsgn(S& s, const MicroOp& op) {
  const U immediate = splat(static_cast<std::uint32_t>(op.immediate) << 31);
  if (has_mode<Op::SFPSETSGN, "ARG_IMM">(op.mod)) {
    unary(s, op, [&](U c) { return (c & ~sem::kSign) | immediate; });
  } else {
    binary(s, op, [](U c, U d) { return (c & ~sem::kSign) | (d & sem::kSign); });
  }
}

/// SFPGT, SFPLE: flag, VD and the top of the flag stack may all be written (VU C32).
template <bool Greater, class S>
LANEWISE_KERNEL void compare(S& s, const MicroOp& op) {
  constexpr Op kOp = Greater ? Op::SFPGT : Op::SFPLE;
  VectorState& v = s.vector;
  const std::uint32_t lanes = v.enabled();
  const std::uint32_t* c_lanes = v.lreg[op.vc];
  const std::uint32_t* d_lanes = v.lreg[op.vb]; // VD, before it is overwritten
  std::uint32_t condition = lanes_where([&](unsigned c) {
    return sem::greater_signed(sem::total_order_key(load(d_lanes, c)),
                               sem::total_order_key(load(c_lanes, c)));
  });
  if (!Greater) condition = ~condition;
  if (has_mode<kOp, "SET_VD">(op.mod) && is_writable_lreg(op.vd)) {
    write_lanes(v.lreg[op.vd], lanes, [&](unsigned c) {
      return sem::keep_where<U>(expand_mask(condition, c), splat(~0U));
    });
  }
  if (has_mode<kOp, "MUTATE_STACK">(op.mod)) {
    const bool combine_or = has_mode<kOp, "MUTATE_OR">(op.mod);
    FlagStack::Entry top = v.stack.top();
    top.flags = combine_or ? top.flags | condition : top.flags & condition;
    v.stack.set_top(v.active, top);
  }
  if (has_mode<kOp, "SET_CC">(op.mod)) set_flags(v, lanes, condition);
}

/// VU C35. The decoder has sent modes 2 and 3 here only with a writable VD.
template <Arch A, class S>
LANEWISE_KERNEL void sfpcast(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const bool writes = is_writable_lreg(op.vd);
  switch (op.mod & kArch<A>.vector.cast_mode_mask) {
    case kMode<Op::SFPCAST, "SM32_TO_FP32_RNE">:
      if (writes) unary(s, op, [](U x) { return sem::cast_to_float_nearest(x); });
      break;
    case kMode<Op::SFPCAST, "SM32_TO_FP32_RNS">: {
      const std::uint32_t lanes = v.enabled();
      const std::uint32_t* source = v.lreg[op.vc];
      LaneVector value;
      for (unsigned c = 0; c < kChunks; ++c) {
        value.chunk[c] = sem::cast_to_float_stochastic(load(source, c), take_random(v, lanes, c));
      }
      if (writes) write_lanes(v.lreg[op.vd], lanes, [&](unsigned c) { return value.chunk[c]; });
      break;
    }
    case kMode<Op::SFPCAST, "INT32_ABS">:
      unary(s, op, [](U x) { return sem::absolute_integer(x); });
      break;
    case kMode<Op::SFPCAST, "INT32_SM32">:
      unary(s, op, [](U x) { return sem::swap_integer_form(x); });
      break;
  }
}

/// Look-ups in tables: lane by lane (VU 3.9, C46).
template <class S>
LANEWISE_KERNEL void sfparecip(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  std::uint32_t result[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t x = v.lreg[op.vc][lane];
    const std::uint32_t sign = x & sem::kSign;
    const std::uint32_t magnitude = x & ~sem::kSign;
    if (has_mode<Op::SFPARECIP, "RECIP">(op.mod)) {
      result[lane] = sign | sem::approximate_reciprocal(magnitude);
    } else if (has_mode<Op::SFPARECIP, "COND_RECIP">(op.mod)) {
      const bool chosen = (v.lreg[op.vb][lane] & sem::kSign) != 0;
      result[lane] = chosen ? sem::approximate_reciprocal(magnitude) : x;
    } else { // EXP, and whatever has no name
      result[lane] = sign | sem::approximate_exponential(magnitude);
    }
  }
  write_lanes(v.lreg[op.vd], v.enabled(), [&](unsigned c) { return load(result, c); });
}

template <Arch A, class S>
inline constexpr KernelOfOn<S> kSimpleKernels[] = {
    {isa::Op::SFPDIVP2, sfpdivp2},   {isa::Op::SFPEXEXP, sfpexexp},
    {isa::Op::SFPEXMAN, sfpexman},   {isa::Op::SFPIADD, sfpiadd},
    {isa::Op::SFPSHFT, sfpshft<A>},  {isa::Op::SFPSETCC, sfpsetcc},
    {isa::Op::SFPMOV, sfpmov},       {isa::Op::SFPABS, sfpabs},
    {isa::Op::SFPAND, sfpand},       {isa::Op::SFPOR, sfpor},
    {isa::Op::SFPNOT, sfpnot},       {isa::Op::SFPLZ, sfplz},
    {isa::Op::SFPSETEXP, sfpsetexp}, {isa::Op::SFPSETMAN, sfpsetman},
    {isa::Op::SFPSETSGN, sfpsetsgn}, {isa::Op::SFPXOR, sfpxor},
    {isa::Op::SFPCAST, sfpcast<A>},  {isa::Op::SFPLE, compare<false>},
    {isa::Op::SFPGT, compare<true>}, {isa::Op::SFPARECIP, sfparecip},
};

/// The kernel of an instruction that this file has, or nullptr.
template <Arch A, class S>
constexpr KernelOn<S> find_simple_kernel(const MicroOp& op) {
  return kernel_in(kSimpleKernels<A, S>, op.op);
}

} // namespace lanewise::LANEWISE_LEVEL
