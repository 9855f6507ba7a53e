// Which modes of a packer are known, and how well (core.md 14.5 to 14.8, 14.11).
#include <algorithm>
#include <array>
#include <initializer_list>

#include "chip/semantics/half_floats.h"
#include "chip/semantics/pack_steps.h"
#include "chip/semantics/pack_values.h"

namespace lanewise::semantics {

namespace {

using isa::DataFormat;

constexpr std::uint32_t set_of(std::initializer_list<DataFormat> formats) {
  std::uint32_t set = 0;
  for (const DataFormat format : formats) set |= 1U << static_cast<unsigned>(format);
  return set;
}

constexpr bool is_in(std::uint32_t set, DataFormat format) {
  return (set >> static_cast<unsigned>(format) & 1) != 0;
}

/// The enumerators fall from what is known best.
Basis worse(Basis a, Basis b) {
  return std::max(a, b);
}

// ---------------------------------------------------------------- Compared

/// What an intermediate format can become.
struct ComparedPairs {
  bool reads_32_bits;
  DataFormat intermediate;
  std::uint32_t outs; ///< of set_of()
};

/// Where the vendor's simulator does what the documents say, on both chips (core.md 14.8).
constexpr std::array kCompared{
    ComparedPairs{false, DataFormat::Fp16,
                  set_of({DataFormat::Fp32, DataFormat::Fp16, DataFormat::Bf16})},
    ComparedPairs{false, DataFormat::Bfp8a, set_of({DataFormat::Bfp8})},
    ComparedPairs{false, DataFormat::Bf16,
                  set_of({DataFormat::Fp32, DataFormat::Bf16, DataFormat::Bfp8, DataFormat::Bfp4,
                          DataFormat::Bfp2})},
    ComparedPairs{false, DataFormat::Bfp8,
                  set_of({DataFormat::Fp32, DataFormat::Bf16, DataFormat::Bfp8, DataFormat::Bfp4})},
    ComparedPairs{false, DataFormat::Int16, set_of({DataFormat::Int16})},
    ComparedPairs{true, DataFormat::Fp32,
                  set_of({DataFormat::Fp32, DataFormat::Fp16, DataFormat::Bfp8, DataFormat::Bfp4,
                          DataFormat::Bfp2})},
    ComparedPairs{true, DataFormat::Bfp8, set_of({DataFormat::Bfp8, DataFormat::Bfp4})},
    ComparedPairs{true, DataFormat::Bf16, set_of({DataFormat::Bf16})},
    ComparedPairs{true, DataFormat::Int32, set_of({DataFormat::Int32})},
    ComparedPairs{true, DataFormat::Int16, set_of({DataFormat::Int16})},
    ComparedPairs{true, DataFormat::Int8, set_of({DataFormat::Int8})},
};

/// The same of FP16, where only one chip has it: from 32 bits of Dst, and to FP8.
bool is_compared_of_fp16(const Packing& how) {
  const ArchParams& chip = arch_params(how.arch);
  if (how.reads_32_bits && !(how.rounds_to_10_bits && chip.tile.packs_bf16_as_fp16)) return false;
  if (how.out == DataFormat::Fp8)
    return how.fp8_has_long_mantissa && chip.tile.has_fp8_of_long_mantissa;
  return how.reads_32_bits && how.out == DataFormat::Fp16;
}

/// Whether nothing is configured at which the simulator stops.
bool is_plain(const Packing& how) {
  if (how.raw || in_format(how) != how.intermediate) return false;
  if (how.intermediate == DataFormat::Fp32) return !how.rounds_to_10_bits;
  return how.intermediate != DataFormat::Int8 || how.shift == 0;
}

bool is_compared(const Packing& how) {
  if (!is_plain(how)) return false;
  if (how.intermediate == DataFormat::Fp16 && is_compared_of_fp16(how)) return true;
  return std::ranges::any_of(kCompared, [&](const ComparedPairs& pairs) {
    return pairs.reads_32_bits == how.reads_32_bits && pairs.intermediate == how.intermediate &&
           is_in(pairs.outs, how.out);
  });
}

// ---------------------------------------------------------------- Documented

/// The In_data_format that names what a step gives.
std::uint32_t names_of(EarlyStep step) {
  switch (step) {
    case EarlyStep::None: break;
    case EarlyStep::Copy32: return set_of({DataFormat::Fp32, DataFormat::Int32});
    case EarlyStep::WidenBf16: return set_of({DataFormat::Fp32});
    case EarlyStep::RoundTf32: return set_of({DataFormat::Tf32});
    case EarlyStep::RoundBf16:
    case EarlyStep::CutBf16: return set_of({DataFormat::Bf16});
    case EarlyStep::RoundE8M6: return set_of({DataFormat::Bfp8});
    case EarlyStep::RoundTf32Low:
    case EarlyStep::FlushFp16:
    case EarlyStep::CopyFp16:
    case EarlyStep::NarrowBf16: return set_of({DataFormat::Fp16});
    case EarlyStep::CutE5M7:
    case EarlyStep::RoundE5M6: return set_of({DataFormat::Bfp8a});
    case EarlyStep::CutFp8: return set_of({DataFormat::Fp8});
    case EarlyStep::Copy16:
    case EarlyStep::UpperHalf: return set_of({DataFormat::Int16});
    case EarlyStep::ScaleInt8:
    case EarlyStep::CutInt8:
    case EarlyStep::SignOfInt8: return set_of({DataFormat::Int8});
  }
  return 0;
}

/// A step of which the documents say that there is none.
bool is_undocumented(EarlyStep step) {
  return step == EarlyStep::RoundTf32Low || step == EarlyStep::NarrowBf16 ||
         step == EarlyStep::UpperHalf || step == EarlyStep::WidenBf16;
}

/// Whether the late conversion gets what it is told that it gets.
Basis early_basis(const Packing& how, EarlyStep step) {
  const DataFormat in = in_format(how);
  if (is_in(names_of(step), in)) return is_undocumented(step) ? Basis::Assumed : Basis::Documented;
  if (step == EarlyStep::RoundTf32) {
    // A TF32 is an FP32, and In_data_format usually the intermediate one.
    if (how.intermediate == DataFormat::Fp32 && in == DataFormat::Fp32) return Basis::Documented;
    if (takes_bf16_as_tf32(how)) return Basis::Assumed;
  }
  const bool is_read_as_e8m6 = step == EarlyStep::CutBf16 && in == DataFormat::Bfp8;
  return is_read_as_e8m6 ? Basis::Assumed : Basis::Unknown;
}

/// What numbers can become; TF32 besides, of all but FP32.
constexpr std::uint32_t kOutsOfNumbers = set_of(
    {DataFormat::Fp32, DataFormat::Bf16, DataFormat::Fp16, DataFormat::Fp8, DataFormat::Bfp8,
     DataFormat::Bfp4, DataFormat::Bfp2, DataFormat::Bfp8a, DataFormat::Bfp4a, DataFormat::Bfp2a});

Basis late_basis_of_number(const Packing& how, EarlyStep step) {
  if (how.out == DataFormat::Fp8 && how.fp8_has_long_mantissa) {
    if (!arch_params(how.arch).tile.has_fp8_of_long_mantissa) return Basis::Unknown;
    if (takes_bf16_as_tf32(how) && step == EarlyStep::RoundTf32) return Basis::Assumed;
    return in_format(how) == DataFormat::Fp16 ? Basis::Compared : Basis::Unknown;
  }
  const bool is_tf32 = how.out == DataFormat::Tf32 && in_format(how) != DataFormat::Fp32;
  return is_tf32 || is_in(kOutsOfNumbers, how.out) ? Basis::Documented : Basis::Unknown;
}

Basis late_basis(const Packing& how, EarlyStep step) {
  switch (in_format(how)) {
    case DataFormat::Fp32:
    case DataFormat::Tf32:
    case DataFormat::Bf16:
    case DataFormat::Bfp8:
    case DataFormat::Fp16:
    case DataFormat::Bfp8a:
    case DataFormat::Fp8: return late_basis_of_number(how, step);
    case DataFormat::Int32:
    case DataFormat::Int16:
    case DataFormat::Int8: return how.out == in_format(how) ? Basis::Documented : Basis::Unknown;
    case DataFormat::Bfp4a:
    case DataFormat::Bfp4:
    case DataFormat::Bfp2a:
    case DataFormat::Bfp2: break;
  }
  return Basis::Unknown;
}

Basis conversions_basis(const Packing& how) {
  if (is_compared(how)) return Basis::Compared;
  const EarlyStep step = early_step(how);
  return worse(early_basis(how, step), late_basis(how, step));
}

// ---------------------------------------------------------------- In between

Basis relu_basis(const Packing& how) {
  if (how.relu == Relu::None) return Basis::Compared;
  const bool has_positive_threshold = (how.threshold & kSign16) == 0;
  switch (how.intermediate) {
    case DataFormat::Fp32:
    case DataFormat::Fp16:
    case DataFormat::Bfp8a:
    case DataFormat::Bf16:
    case DataFormat::Bfp8: return has_positive_threshold ? Basis::Compared : Basis::Unknown;
    case DataFormat::Tf32:
    case DataFormat::Fp8: return has_positive_threshold ? Basis::Documented : Basis::Unknown;
    case DataFormat::Int32:
      return how.relu == Relu::ZeroIfNegative ? Basis::Compared : Basis::Unknown;
    case DataFormat::Int16:
    case DataFormat::Int8:
      return how.relu == Relu::ZeroIfNegative ? Basis::Documented : Basis::Unknown;
    case DataFormat::Bfp4a:
    case DataFormat::Bfp4:
    case DataFormat::Bfp2a:
    case DataFormat::Bfp2: break;
  }
  return Basis::Unknown;
}

/// The documents compare FP16's 5 bits; where 8 bits lie there, tt-llk reckons with them: it sets
/// 113, FP32's exponent of the smallest FP16, before blocks with 5 bits of exponent.
Basis threshold_basis(const Packing& how) {
  if (how.exponent_threshold == 0) return Basis::Compared;
  const bool has_5_bits =
      is_in(set_of({DataFormat::Fp16, DataFormat::Bfp8a, DataFormat::Fp8}), in_format(how));
  return has_5_bits && fields_of(early_step(how)).exponent_bits != 5 ? Basis::Assumed
                                                                     : Basis::Documented;
}

bool is_mode(const Packing& how) {
  return isa::format_of_code(how.intermediate) != nullptr &&
         isa::format_of_code(in_format(how)) != nullptr && isa::format_of_code(how.out) != nullptr;
}

} // namespace

Basis basis_of(const Packing& how) {
  if (!is_mode(how)) return Basis::Unknown;
  return worse(conversions_basis(how), worse(relu_basis(how), threshold_basis(how)));
}

Basis basis_of_masked(const Packing& how, EdgeMode mode) {
  const Basis basis = basis_of(how);
  if (mode == EdgeMode::Zero || basis == Basis::Unknown) return basis;
  const DatumFields fields = fields_of(early_step(how));
  if (!fields.is_float() || in_format(how) == DataFormat::Int32) return Basis::Unknown;
  return worse(basis, fields.exponent_bits == 5 ? Basis::Assumed : Basis::Documented);
}

} // namespace lanewise::semantics
