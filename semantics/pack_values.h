// What a packer makes of one cell of Dst on its way to L1: early conversion, ReLU, late conversion,
// blocks with a shared exponent, accumulation in L1 (core.md 14, 14.5, 14.7 to 14.10).
#pragma once

#include <array>
#include <cstdint>

#include "isa/arch.h"
#include "isa/number_format.h"
#include "semantics/unpack_values.h"

namespace lanewise::semantics {

/// STACC_RELU_ApplyRelu; the enumerators are its codes.
enum class Relu : std::uint8_t {
  None = 0,
  ZeroIfNegative = 1,
  ZeroIfNotAbove = 2, ///< the threshold
  Clamp = 3           ///< between 0 and the threshold
};

/// How a packer is configured, as far as it concerns one datum.
struct Packing {
  Arch arch = Arch::Blackhole;
  isa::DataFormat intermediate = isa::DataFormat::Fp32; ///< of the early conversion, and
                                                        ///< In_data_format
  isa::DataFormat out = isa::DataFormat::Fp32;          ///< of L1, Out_data_format
  bool reads_32_bits = false;                           ///< PCK_DEST_RD_CTRL: Read_32b_data
  bool is_unsigned = false;                             ///< Read_unsigned: of INT8
  bool rounds_to_10_bits = false;                       ///< Round_10b_mant
  bool fp8_has_long_mantissa = false;                   ///< BH's Pac_LF8_4b_exp
  Relu relu = Relu::None;
  std::uint16_t threshold = 0; ///< FP16 where the intermediate format is of its kind, else BF16
};

/// Compared, where the vendor's simulator accepts the three formats, and ReLU with them; otherwise
/// Unknown.
Basis basis_of(const Packing& how);

/// A datum as early conversion and ReLU leave it. `stored` is what Dst has: 32 or 16 bits in its
/// own order (MU 1.1). Precondition: basis_of(how) is not Unknown.
std::uint32_t pack_early(const Packing& how, std::uint32_t stored);

/// What pack_early() gives as the late conversion leaves it: a datum of `out`, in its low bits; for
/// a block format, what pack_block() takes.
std::uint32_t pack_late(const Packing& how, std::uint32_t value);

/// 16 data of a block format in L1.
struct PackedBlock {
  std::uint8_t exponent = 0;
  std::array<std::uint8_t, 16> data{}; ///< in the low bits: sign, then magnitude
};

/// The largest exponent is that of the block. Magnitudes are rounded to 7 bits, ties away from
/// zero, no further than all ones, and then cut to those of the format.
PackedBlock pack_block(isa::DataFormat out, const std::array<std::uint32_t, 16>& values);

/// Whether Pack_L1_Acc is known for a format.
bool can_accumulate(isa::DataFormat out);

/// Pack_L1_Acc: what is in L1, plus what is packed. Precondition: can_accumulate(out).
std::uint32_t accumulate_in_l1(isa::DataFormat out, std::uint32_t old, std::uint32_t packed);

} // namespace lanewise::semantics
