// MAD sub-unit: SFPMAD, SFPADD, SFPMUL, SFPADDI, SFPMULI, SFPLUT, SFPLUTFP32, SFPMUL24.
#pragma once

#include "chip/isa/fields.h"
#include "chip/machine/kernel_list.h"
#include "chip/machine/kernels/lane_access.h"
#include "chip/machine/micro_op.h"
#include "chip/semantics/fma.h"
#include "chip/semantics/host_fma.h"
#include "chip/semantics/integer.h"
#include "chip/semantics/lut.h"

namespace lanewise::LANEWISE_LEVEL {

namespace sem = semantics;

inline constexpr unsigned kNegateVa = isa::kMode<isa::Op::SFPMAD, "NEGATE_VA">;
inline constexpr unsigned kNegateVc = isa::kMode<isa::Op::SFPMAD, "NEGATE_VC">;
inline constexpr unsigned kIndirectVa = isa::kMode<isa::Op::SFPMAD, "INDIRECT_VA">;
inline constexpr unsigned kIndirectVd = isa::kMode<isa::Op::SFPMAD, "INDIRECT_VD">;

/// Index register of INDIRECT_VA and INDIRECT_VD; its low 4 bits count.
inline constexpr unsigned kIndexLReg = 7;
inline constexpr std::uint32_t kIndexMask = 15;

/// Writes `value` to VD, or lane by lane to the register that LReg[7] names (VU C15).
LANEWISE_INLINE void write_result(VectorState& v, const MicroOp& op, std::uint32_t lanes,
                                  bool indirect, const LaneVector& value) {
  if (!indirect || op.vd == kMacroLReg) {
    if (!is_writable_lreg(op.vd)) return;
    write_lanes(v.lreg[op.vd], lanes, [&](unsigned c) { return value.chunk[c]; });
    return;
  }
  LaneVector index;
  for (unsigned c = 0; c < kChunks; ++c) index.chunk[c] = load(v.lreg[kIndexLReg], c) & kIndexMask;
  for (unsigned reg = 0; reg < kWritableLRegs; ++reg) {
    const std::uint32_t chosen =
        lanes & lanes_where([&](unsigned c) { return sem::equal(index.chunk[c], splat(reg)); });
    if (chosen != 0) write_lanes(v.lreg[reg], chosen, [&](unsigned c) { return value.chunk[c]; });
  }
}

/// VA, or lane by lane the register that LReg[7] names.
LANEWISE_INLINE LaneVector read_va(const VectorState& v, const MicroOp& op, bool indirect) {
  LaneVector value;
  for (unsigned c = 0; c < kChunks; ++c) value.chunk[c] = load(v.lreg[indirect ? 0 : op.va], c);
  if (!indirect) return value;
  for (unsigned c = 0; c < kChunks; ++c) {
    const U index = load(v.lreg[kIndexLReg], c) & kIndexMask;
    for (unsigned reg = 1; reg <= kIndexMask; ++reg) {
      value.chunk[c] =
          sem::select(sem::equal(index, splat(reg)), load(v.lreg[reg], c), value.chunk[c]);
    }
  }
  return value;
}

/// How a kernel multiplies and adds. Each kernel exists once per form: one that has lanes of which
/// it cannot be sure hands the whole instruction over to the next form, which begins anew. So no
/// form calls anything, and each keeps all it has in registers.
enum class MadForm {
  Sum,     ///< VA is 1 or -1 in every lane
  Product, ///< VC is +0
  Window,  ///< Horner's steps
  Any,     ///< all but tiny and huge numbers
  Common,  ///< by integers, all but tiny and huge numbers
  Complete ///< by integers, all numbers
};

/// With which a multiply-add of any operands begins.
inline constexpr MadForm kFirstForm = sem::have_window<U> ? MadForm::Window : MadForm::Common;

constexpr MadForm next(MadForm form) {
  switch (form) {
    case MadForm::Window: return sem::have_any<U> ? MadForm::Any : MadForm::Common;
    case MadForm::Sum:
    case MadForm::Product:
    case MadForm::Any:
    case MadForm::Common:
    case MadForm::Complete: break;
  }
  return MadForm::Complete;
}

/// With which those begin that are known to be a sum or a product.
inline constexpr MadForm kSumForm = sem::host_flushes_denormals ? MadForm::Sum : MadForm::Common;
inline constexpr MadForm kProductForm =
    sem::host_flushes_denormals ? MadForm::Product : MadForm::Common;

/// With which a look-up in a table begins: its pieces are seldom like Horner's steps.
inline constexpr MadForm kFirstFormOfTables = next(MadForm::Window);

/// x * y + z of one vector; `care` where the form is not sure.
template <Arch A, MadForm Form>
LANEWISE_INLINE U in_form(U x, U y, U z, Mask& care) {
  if constexpr (Form == MadForm::Sum) {
    return sem::fma_of_unit<A>(x, y, z, care);
  } else if constexpr (Form == MadForm::Product) {
    return sem::fma_product(x, y, care);
  } else if constexpr (Form == MadForm::Window) {
    return sem::fma_window<A>(x, y, z, care);
  } else if constexpr (Form == MadForm::Any) {
    return sem::fma_any<A>(x, y, z, care);
  } else if constexpr (Form == MadForm::Common) {
    return sem::fma_common<A>(x, y, z, care);
  } else {
    care = Mask{};
    return sem::fma_complete<A>(x, y, z);
  }
}

/// result = x * y + z; x, y and z give the vector of a chunk. False if the next form must do it.
template <Arch A, MadForm Form, class X, class Y, class Z>
LANEWISE_INLINE bool multiply_add(LaneVector& result, std::uint32_t lanes, X&& x, Y&& y, Z&& z) {
  Mask care[kChunks];
  for (unsigned c = 0; c < kChunks; ++c)
    result.chunk[c] = in_form<A, Form>(x(c), y(c), z(c), care[c]);
  if (are_none(care)) [[likely]]
    return true;
  std::uint32_t unsure = lanes & lanes_where([&](unsigned c) { return care[c]; });
  if constexpr (Form == MadForm::Window) {
    if ((unsure & lanes_where([&](unsigned c) { return sem::is_plain(z(c), result.chunk[c]); })) !=
        0)
      return false;
  }
  if constexpr (Form == MadForm::Sum || Form == MadForm::Product || Form == MadForm::Window) {
    unsure &= ~lanes_where(
        [&](unsigned c) { return sem::is_settled<A>(x(c), y(c), z(c), result.chunk[c]); });
  }
  return unsure == 0;
}

/// The vectors of all chunks.
template <class Get>
LANEWISE_INLINE LaneVector all_chunks(Get&& get) {
  LaneVector all;
  for (unsigned c = 0; c < kChunks; ++c) all.chunk[c] = get(c);
  return all;
}

/// Whether LReg[7] may name VA or VD.
enum class Addressing { Direct, Indirect };

/// SFPMAD; SFPADD and SFPMUL run the same datapath (VU C40).
template <Arch A, MadForm Form = kFirstForm, Addressing By = Addressing::Direct, class S>
LANEWISE_KERNEL void sfpmad(S& s, const MicroOp& op) {
  constexpr bool kIndirect = By == Addressing::Indirect;
  VectorState& v = s.vector;
  const std::uint32_t lanes = v.enabled();
  const bool negates = kArch<A>.vector.mad_negate_bits;
  const U flip_x = splat(negates && (op.mod & kNegateVa) != 0 ? sem::kSign : 0);
  const U flip_z = splat(negates && (op.mod & kNegateVc) != 0 ? sem::kSign : 0);
  const LaneVector va = read_va(v, op, kIndirect && (op.mod & kIndirectVa) != 0);
  const std::uint32_t* vb = v.lreg[op.vb];
  const std::uint32_t* vc = v.lreg[op.vc];
  const auto x = [&](unsigned c) { return va.chunk[c] ^ flip_x; };
  const auto y = [&](unsigned c) { return load(vb, c); };
  const auto z = [&](unsigned c) { return load(vc, c) ^ flip_z; };
  LaneVector result;
  if (!multiply_add<A, Form>(result, lanes, x, y, z)) [[unlikely]] {
    if constexpr (is_machine<S>) {
      return sfpmad<A, next(Form), By>(s, op);
    } else {
      result = s.multiply_add(lanes, all_chunks(x), all_chunks(y), all_chunks(z));
    }
  }
  write_result(v, op, lanes, kIndirect && (op.mod & kIndirectVd) != 0, result);
}

/// The same where VA is a constant that programs choose, often -1 (VU C2).
template <Arch A, class S>
LANEWISE_KERNEL void sfpmad_by_constant(S& s, const MicroOp& op) {
  const std::uint32_t units = lanes_where([&](unsigned c) {
    return sem::equal(load(s.vector.lreg[op.va], c) & ~sem::kSign, splat(sem::kOne));
  });
  if (units == kAllLanes) return sfpmad<A, kSumForm>(s, op);
  sfpmad<A>(s, op);
}

/// SFPADDI: Imm16 as BF16 times 1.0, plus VC, which is VD as a source (VU 3.1, C55).
template <Arch A, MadForm Form = kSumForm, class S>
LANEWISE_KERNEL void sfpaddi(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const std::uint32_t lanes = v.enabled();
  const U immediate = splat(static_cast<std::uint32_t>(op.immediate) << 16);
  const U flip =
      splat(kArch<A>.vector.mad_negate_bits && (op.mod & kNegateVc) != 0 ? sem::kSign : 0);
  const std::uint32_t* vc = v.lreg[op.vc];
  const auto x = [](unsigned) { return splat(sem::kOne); };
  const auto y = [&](unsigned) { return immediate; };
  const auto z = [&](unsigned c) { return load(vc, c) ^ flip; };
  LaneVector result;
  if (!multiply_add<A, Form>(result, lanes, x, y, z)) [[unlikely]] {
    if constexpr (is_machine<S>) {
      return sfpaddi<A, next(Form)>(s, op);
    } else {
      result = s.multiply_add(lanes, all_chunks(x), all_chunks(y), all_chunks(z));
    }
  }
  write_result(v, op, lanes, (op.mod & kIndirectVd) != 0, result);
}

/// SFPMULI: Imm16 as BF16 times VC, which is VD as a source, plus +0 (VU 3.1, C55).
template <Arch A, MadForm Form = kProductForm, class S>
LANEWISE_KERNEL void sfpmuli(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const std::uint32_t lanes = v.enabled();
  const U immediate = splat(static_cast<std::uint32_t>(op.immediate) << 16);
  const U flip =
      splat(kArch<A>.vector.mad_negate_bits && (op.mod & kNegateVc) != 0 ? sem::kSign : 0);
  const std::uint32_t* vc = v.lreg[op.vc];
  const auto x = [&](unsigned) { return immediate; };
  const auto y = [&](unsigned c) { return load(vc, c) ^ flip; };
  const auto z = [](unsigned) { return U{}; };
  LaneVector result;
  if (!multiply_add<A, Form>(result, lanes, x, y, z)) [[unlikely]] {
    if constexpr (is_machine<S>) {
      return sfpmuli<A, next(Form)>(s, op);
    } else {
      result = s.multiply_add(lanes, all_chunks(x), all_chunks(y), all_chunks(z));
    }
  }
  write_result(v, op, lanes, (op.mod & kIndirectVd) != 0, result);
}

inline constexpr unsigned kLutInput = 3;
/// SFPLUT and SFPLUTFP32.
inline constexpr unsigned kRetainsSign = isa::kMode<isa::Op::SFPLUT, "SGN_RETAIN">;
static_assert(kRetainsSign == isa::kMode<isa::Op::SFPLUTFP32, "SGN_RETAIN">);

/// slope * |LReg[3]| + intercept, with LReg[3]'s sign on the result if wanted (VU C44). False if
/// the next form must do it.
template <Arch A, MadForm Form, class S>
LANEWISE_INLINE bool evaluate_lut(S& s, const MicroOp& op, bool indirect, const LaneVector& slope,
                                  const LaneVector& intercept) {
  VectorState& v = s.vector;
  const std::uint32_t lanes = v.enabled();
  const std::uint32_t* input = v.lreg[kLutInput];
  const auto x = [&](unsigned c) { return slope.chunk[c]; };
  const auto y = [&](unsigned c) { return load(input, c) & ~sem::kSign; };
  const auto z = [&](unsigned c) { return intercept.chunk[c]; };
  LaneVector result;
  if (!multiply_add<A, Form>(result, lanes, x, y, z)) [[unlikely]] {
    if constexpr (is_machine<S>) {
      return false;
    } else {
      result = s.multiply_add(lanes, slope, all_chunks(y), intercept);
    }
  }
  if ((op.mod & kRetainsSign) != 0) {
    for (unsigned c = 0; c < kChunks; ++c) {
      result.chunk[c] = (result.chunk[c] & ~sem::kSign) | (load(input, c) & sem::kSign);
    }
  }
  write_result(v, op, lanes, indirect, result);
  return true;
}

/// SFPLUT: slope and intercept are 8-bit numbers in the low half of LReg[0..2] (VU 3.6).
template <Arch A, MadForm Form = kFirstFormOfTables, class S>
LANEWISE_KERNEL void sfplut(S& s, const MicroOp& op) {
  const VectorState& v = s.vector;
  LaneVector slope, intercept;
  for (unsigned c = 0; c < kChunks; ++c) {
    const U magnitude = load(v.lreg[kLutInput], c) & ~sem::kSign;
    const U entry =
        sem::choose_piece(magnitude, load(v.lreg[0], c), load(v.lreg[1], c), load(v.lreg[2], c));
    slope.chunk[c] = sem::decode_lut8(entry >> 8);
    intercept.chunk[c] = sem::decode_lut8(entry);
  }
  const bool done = evaluate_lut<A, Form>(s, op, (op.mod & kIndirectVd) != 0, slope, intercept);
  if constexpr (is_machine<S>) {
    if (!done) [[unlikely]]
      sfplut<A, next(Form)>(s, op);
  }
}

/// SFPLUTFP32 (VU C44).
template <Arch A, MadForm Form = kFirstFormOfTables, class S>
LANEWISE_KERNEL void sfplutfp32(S& s, const MicroOp& op) {
  const VectorState& v = s.vector;
  const bool fp16_entries = !isa::has_mode<isa::Op::SFPLUTFP32, "FP32_3ENTRY_TABLE">(op.mod);
  const bool indirect = (op.mod & kIndirectVd) != 0;
  const std::uint32_t last_cut =
      isa::has_mode<isa::Op::SFPLUTFP32, "FP16_6ENTRY_TABLE2">(op.mod) ? sem::kFour : sem::kThree;
  LaneVector slope, intercept;
  for (unsigned c = 0; c < kChunks; ++c) {
    const U magnitude = load(v.lreg[kLutInput], c) & ~sem::kSign;
    const auto piece = [&](unsigned base) {
      return sem::choose_piece(magnitude, load(v.lreg[base], c), load(v.lreg[base + 1], c),
                               load(v.lreg[base + 2], c));
    };
    if (!fp16_entries) {
      slope.chunk[c] = piece(0);
      intercept.chunk[c] = piece(4);
    } else if (indirect) { // three entries, slope above intercept; this mode always has indirect VD
      slope.chunk[c] = sem::decode_lut16(piece(0) >> 16);
      intercept.chunk[c] = sem::decode_lut16(piece(0));
    } else {
      const Mask high = sem::takes_high_half(magnitude, last_cut);
      const auto half = [&](U entry) { return sem::select<U>(high, entry >> 16, entry); };
      slope.chunk[c] = sem::decode_lut16(half(piece(0)));
      intercept.chunk[c] = sem::decode_lut16(half(piece(4)));
    }
  }
  const bool done = evaluate_lut<A, Form>(s, op, indirect, slope, intercept);
  if constexpr (is_machine<S>) {
    if (!done) [[unlikely]]
      sfplutfp32<A, next(Form)>(s, op);
  }
}

/// SFPMUL24 (VU 3.7).
template <class S>
LANEWISE_KERNEL void sfpmul24(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const std::uint32_t lanes = v.enabled();
  const bool upper = isa::has_mode<isa::Op::SFPMUL24, "UPPER">(op.mod);
  const LaneVector va = read_va(v, op, (op.mod & kIndirectVa) != 0);
  const std::uint32_t* vb = v.lreg[op.vb];
  const std::uint32_t* vc = v.lreg[op.vc];
  LaneVector result;
  for (unsigned c = 0; c < kChunks; ++c) {
    result.chunk[c] = sem::multiply_24(va.chunk[c], load(vb, c), upper);
  }
  const std::uint32_t adjusted =
      lanes & lanes_where([&](unsigned c) {
        return sem::any_common_bit(load(vc, c), splat(sem::kExponentMask));
      });
  if (adjusted != 0) {
    s.faults.add(RuntimeFault::Mul24Addend, op.word, op.line, adjusted);
    for (unsigned c = 0; c < kChunks; ++c) {
      result.chunk[c] = sem::adjust_multiply_24(result.chunk[c], load(vc, c));
    }
  }
  write_result(v, op, lanes, (op.mod & kIndirectVd) != 0, result);
}

/// SFPMAD, SFPADD or SFPMUL, by what the operands are known to be.
template <Arch A, class S>
constexpr KernelOn<S> find_multiply_add(const MicroOp& op) {
  constexpr unsigned kZeroLReg = 9, kOneLReg = 10, kFirstProgrammable = 11, kLastProgrammable = 14;
  const bool negates = kArch<A>.vector.mad_negate_bits;
  if ((op.mod & (kIndirectVa | kIndirectVd)) != 0)
    return sfpmad<A, MadForm::Common, Addressing::Indirect>;
  if (op.va == kOneLReg) return sfpmad<A, kSumForm>;
  if (op.vc == kZeroLReg && !(negates && (op.mod & kNegateVc) != 0)) return sfpmad<A, kProductForm>;
  if (op.va >= kFirstProgrammable && op.va <= kLastProgrammable) return sfpmad_by_constant<A>;
  return sfpmad<A>;
}

template <Arch A, class S>
inline constexpr KernelOfOn<S> kMadKernels[] = {
    {isa::Op::SFPLUT, sfplut<A>},   {isa::Op::SFPMULI, sfpmuli<A>},
    {isa::Op::SFPADDI, sfpaddi<A>}, {isa::Op::SFPLUTFP32, sfplutfp32<A>},
    {isa::Op::SFPMUL24, sfpmul24},
};

/// The kernel of an instruction that this file has, or nullptr.
template <Arch A, class S>
constexpr KernelOn<S> find_mad_kernel(const MicroOp& op) {
  if (op.op == isa::Op::SFPMAD || op.op == isa::Op::SFPADD || op.op == isa::Op::SFPMUL)
    return find_multiply_add<A, S>(op);
  return kernel_in(kMadKernels<A, S>, op.op);
}

} // namespace lanewise::LANEWISE_LEVEL
