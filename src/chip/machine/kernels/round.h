// Round sub-unit and the instructions that move data between lanes: SFPSTOCHRND, SFPSHFT2, SFPSWAP,
// SFPTRANSP.
#pragma once

#include "chip/machine/kernels/simple.h"

namespace lanewise::LANEWISE_LEVEL {

/// Writes function(chunk, threshold) to VD in enabled lanes, if VD is writable; the PRNG steps in
/// any case.
template <class Function>
LANEWISE_INLINE void round_to_threshold(VectorState& v, const MicroOp& op, bool stochastic,
                                        std::uint32_t fixed_threshold, Function&& function) {
  const std::uint32_t lanes = v.enabled();
  LaneVector value;
  for (unsigned c = 0; c < kChunks; ++c) {
    const U random = take_random(v, lanes, c);
    value.chunk[c] =
        function(c, stochastic ? random & sem::kThresholdMask : splat(fixed_threshold));
  }
  if (!is_writable_lreg(op.vd)) return;
  write_lanes(v.lreg[op.vd], lanes, [&](unsigned c) { return value.chunk[c]; });
}

/// SFPSTOCHRND (VU 3.5, C45).
template <Arch A, class S>
LANEWISE_KERNEL void sfpstochrnd(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  // Blackhole's RoundingMode 1 and 3 are stochastic, 2 is toward zero; Wormhole has only the
  // stochastic bit.
  const unsigned rounding = (op.word >> 21) & (kArch<A>.vector.round_toward_zero ? 3U : 1U);
  const std::uint32_t fixed = rounding == 2 ? sem::kRoundZero : sem::kRoundNearest;
  const std::uint32_t* source = v.lreg[op.vc];
  const auto round = [&](auto&& function) {
    round_to_threshold(v, op, (rounding & 1) != 0, fixed, function);
  };
  const auto to_integer = [&](std::uint32_t maximum, bool keeps_sign) {
    round([&](unsigned c, U threshold) {
      return sem::float_to_bounded_integer(load(source, c), threshold, maximum, keeps_sign);
    });
  };
  const unsigned mode = op.mod & 7;
  switch (mode) {
    case kMode<Op::SFPSTOCHRND, "FP32_TO_FP16A">:
      round([&](unsigned c, U t) { return sem::round_mantissa<13>(load(source, c), t); });
      break;
    case kMode<Op::SFPSTOCHRND, "FP32_TO_FP16B">:
      round([&](unsigned c, U t) { return sem::round_mantissa<16>(load(source, c), t); });
      break;
    case kMode<Op::SFPSTOCHRND, "FP32_TO_UINT8">: to_integer(255, false); break;
    case kMode<Op::SFPSTOCHRND, "FP32_TO_INT8">: to_integer(127, true); break;
    case kMode<Op::SFPSTOCHRND, "FP32_TO_UINT16">: to_integer(65535, false); break;
    case kMode<Op::SFPSTOCHRND, "FP32_TO_INT16">: to_integer(32767, true); break;
    case kMode<Op::SFPSTOCHRND, "INT32_TO_UINT8">:
    case kMode<Op::SFPSTOCHRND, "INT32_TO_INT8">: { // shifted right by Imm5 or by VB
      const bool keeps_sign = mode == kMode<Op::SFPSTOCHRND, "INT32_TO_INT8">;
      const bool immediate_shift = has_mode<Op::SFPSTOCHRND, "USE_IMM5">(op.mod);
      round([&](unsigned c, U threshold) {
        const U count = immediate_shift ? splat(static_cast<std::uint32_t>(op.immediate))
                                        : load(v.lreg[op.vb], c) & 31;
        return sem::shift_to_bounded_integer(load(source, c), count, threshold,
                                             keeps_sign ? 127 : 255, keeps_sign);
      });
    }
  }
}

/// LReg[0..2] take over LReg[1..3], LReg[3] takes `last` (VU C36: whatever VD is).
LANEWISE_INLINE void copy_down(VectorState& v, std::uint32_t lanes, const std::uint32_t* last) {
  for (unsigned i = 0; i < 3; ++i) {
    const std::uint32_t* source = v.lreg[i + 1];
    write_lanes(v.lreg[i], lanes, [&](unsigned c) { return load(source, c); });
  }
  write_lanes(v.lreg[3], lanes, [&](unsigned c) { return load(last, c); });
}

/// SFPSHFT2. Modes above 6 are undefined and have not come here.
template <Arch A, class S>
LANEWISE_KERNEL void sfpshft2(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const std::uint32_t lanes = v.enabled();
  alignas(64) std::uint32_t moved[kLanes] = {};
  const std::uint32_t* vc = v.lreg[op.vc];
  switch (op.mod) {
    case kMode<Op::SFPSHFT2, "COPY4">: return copy_down(v, lanes, moved);
    case kMode<Op::SFPSHFT2, "SUBVEC_CHAINED_COPY4">:
      for (unsigned lane = 0; lane + kColumns < kLanes; ++lane)
        moved[lane] = v.lreg[0][lane + kColumns];
      return copy_down(v, lanes, moved);
    case kMode<Op::SFPSHFT2, "SUBVEC_SHFLROR1_AND_COPY4">:
    case kMode<Op::SFPSHFT2, "SUBVEC_SHFLROR1">:
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        moved[lane] = vc[lane % kColumns != 0 ? lane - 1 : lane + kColumns - 1];
      }
      // VU C36: enabled or not, every lane that the guard lets through.
      write_lanes(v.shuffle_latch, v.active, [&](unsigned c) { return load(vc, c); });
      if (op.mod == kMode<Op::SFPSHFT2, "SUBVEC_SHFLROR1_AND_COPY4">)
        return copy_down(v, lanes, moved);
      break;
    case kMode<Op::SFPSHFT2, "SUBVEC_SHFLSHR1">:
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        if (lane % kColumns != 0) {
          moved[lane] = vc[lane - 1];
        } else if (kArch<A>.vector.shuffle_edge_latch) {
          moved[lane] = v.shuffle_latch[lane + kColumns - 1];
        }
      }
      break;
    case kMode<Op::SFPSHFT2, "SHFT_LREG">:
      for (unsigned c = 0; c < kChunks; ++c) {
        store(moved, c, sem::shift(load(v.lreg[op.vb], c), load(vc, c), false));
      }
      break;
    case kMode<Op::SFPSHFT2, "SHFT_IMM">:
      for (unsigned c = 0; c < kChunks; ++c) {
        store(moved, c, sem::shift_all(load(v.lreg[op.vb], c), op.immediate, false));
      }
      break;
  }
  if (!is_writable_lreg(op.vd)) return;
  write_lanes(v.lreg[op.vd], lanes, [&](unsigned c) { return load(moved, c); });
}

/// Lanes in which SFPSWAP leaves the smaller value in VD, by mode (VU C33). 10..15 behave as 9.
inline constexpr std::uint32_t kMinimumLanes[16] = {
    0,           0xFFFFFFFF, 0x0000FFFF, 0x00FF00FF, 0xFF0000FF, 0x000000FF, 0x0000FF00, 0x00FF0000,
    0xFF000000U, 0,          0,          0,          0,          0,          0,          0};

/// Exchanges two registers in `lanes`; each is written only if `may_write_*`.
LANEWISE_INLINE void exchange(std::uint32_t* c_lanes, bool may_write_c, std::uint32_t* d_lanes,
                              bool may_write_d, std::uint32_t lanes) {
  for (unsigned c = 0; c < kChunks; ++c) {
    const Mask mask = expand_mask(lanes, c);
    const U from_c = load(c_lanes, c);
    const U from_d = load(d_lanes, c);
    if (may_write_c) store(c_lanes, c, sem::select(mask, from_d, from_c));
    if (may_write_d) store(d_lanes, c, sem::select(mask, from_c, from_d));
  }
}

/// SFPSWAP (VU C33): equal values do swap in lanes where VD gets the maximum, which moves their
/// indices. The pair is VB, which is VD unless SFPLOADMACRO has overridden it, and VC (VU Q1).
template <class S>
LANEWISE_KERNEL void sfpswap(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  std::uint32_t swap = kAllLanes;
  if (op.mod != kMode<Op::SFPSWAP, "SWAP">) {
    const std::uint32_t c_is_less = lanes_where([&](unsigned c) {
      return sem::greater_signed(sem::total_order_key(load(v.lreg[op.vb], c)),
                                 sem::total_order_key(load(v.lreg[op.vc], c)));
    });
    // Minimum lanes swap where VC < VD, the others where not; EXCHANGE_SRCB_SRCC inverts both.
    swap = c_is_less ^ ~kMinimumLanes[op.mod] ^ v.switches.exchange_sources;
  }
  swap &= v.enabled();
  const std::uint32_t indexed = v.switches.dest_index;
  const auto exchange_values = [&](std::uint32_t lanes, unsigned writable) {
    if (lanes == 0) return;
    exchange(v.lreg[op.vc], op.vc < writable, v.lreg[op.vb], op.vb < writable, lanes);
  };
  exchange_values(swap & ~indexed, kWritableLRegs);
  exchange_values(swap & indexed, 4); // with ENABLE_DEST_INDEX, LReg[4..7] hold the indices
  if ((swap & indexed) != 0) {
    exchange(v.lreg[4 + (op.vc & 3)], true, v.lreg[4 + (op.vb & 3)], true, swap & indexed);
  }
}

/// SFPTRANSP: LReg[i] row j and LReg[j] row i change places, in LReg[0..3] and in LReg[4..7] (VU
/// C59).
template <class S>
LANEWISE_KERNEL void sfptransp(S& s, const MicroOp& op) {
  (void)op;
  VectorState& v = s.vector;
  const std::uint32_t lanes = v.enabled();
  alignas(64) std::uint32_t before[kWritableLRegs][kLanes];
  __builtin_memcpy(before, v.lreg, sizeof before);
  for (unsigned reg = 0; reg < kWritableLRegs; ++reg) {
    alignas(64) std::uint32_t moved[kLanes];
    for (unsigned row = 0; row < 4; ++row) {
      __builtin_memcpy(moved + row * kColumns, before[(reg & 4) + row] + (reg & 3) * kColumns,
                       kColumns * sizeof(std::uint32_t));
    }
    write_lanes(v.lreg[reg], lanes, [&](unsigned c) { return load(moved, c); });
  }
}

template <Arch A, class S>
inline constexpr KernelOfOn<S> kRoundKernels[] = {
    {isa::Op::SFPSTOCHRND, sfpstochrnd<A>},
    {isa::Op::SFPSHFT2, sfpshft2<A>},
    {isa::Op::SFPSWAP, sfpswap},
    {isa::Op::SFPTRANSP, sfptransp},
};

/// The kernel of an instruction that this file has, or nullptr.
template <Arch A, class S>
constexpr KernelOn<S> find_round_kernel(const MicroOp& op) {
  return kernel_in(kRoundKernels<A, S>, op.op);
}

} // namespace lanewise::LANEWISE_LEVEL
