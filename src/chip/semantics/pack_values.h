// What a packer makes of one cell of Dst on its way to L1: early conversion, mask of the edges,
// ReLU, exponent threshold, late conversion, blocks with a shared exponent, accumulation in L1
// (core.md 14 to 14.11).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "chip/isa/arch.h"
#include "chip/isa/number_format.h"
#include "chip/semantics/unpack_values.h"

namespace lanewise::semantics {

/// STACC_RELU_ApplyRelu; the enumerators are its codes.
enum class Relu : std::uint8_t {
  None = 0,
  ZeroIfNegative = 1,
  ZeroIfNotAbove = 2, ///< the threshold
  Clamp = 3           ///< between 0 and the threshold
};

/// How a packer is configured, as far as it concerns one datum. Rounding is to nearest, since no
/// source has the numbers of the stochastic one.
struct Packing {
  Arch arch = kDefaultArch;
  isa::DataFormat intermediate = isa::DataFormat::Fp32; ///< of the early conversion: Dstacc
  isa::DataFormat out = isa::DataFormat::Fp32;          ///< of L1, Out_data_format
  bool reads_32_bits = false;                           ///< PCK_DEST_RD_CTRL: Read_32b_data
  bool is_unsigned = false;                             ///< Read_unsigned: of INT8
  bool rounds_to_10_bits = false;                       ///< Round_10b_mant
  bool fp8_has_long_mantissa = false;                   ///< BH's Pac_LF8_4b_exp
  Relu relu = Relu::None;
  std::uint16_t threshold = 0; ///< FP16 where the intermediate format is of its kind, else BF16
  bool raw = false;            ///< Read_int8, which is of any format: nothing is rounded
  std::uint8_t shift = 0;      ///< of INT8: INT_DESCALE's value, of which 5 bits count
  std::optional<isa::DataFormat> in = std::nullopt; ///< In_data_format, of the late conversion;
                                                    ///< else the intermediate one
  std::uint8_t exponent_threshold = 0;              ///< Exp_threshold, where it is enabled

  friend bool operator==(const Packing&, const Packing&) = default;
};

/// How well is known what pack_early(), apply_exponent_threshold() and pack_late() make of a datum:
/// by the least known of them. Compared is what the vendor's simulator accepts.
Basis basis_of(const Packing& how);

/// A datum as early conversion and ReLU leave it. `stored` is what Dst has: 32 or 16 bits in its
/// own order (MU 1.1). FP32, TF32 and INT32 come out in 32 bits, BF16 and FP16 in 16, and so do
/// types with less mantissa, with zeros behind. Precondition: basis_of(how) is not Unknown.
std::uint32_t pack_early(const Packing& how, std::uint32_t stored);

/// PCK_EDGE_MODE; the enumerators are its codes.
enum class EdgeMode : std::uint8_t { Zero = 0, MinusInfinity = 1 };

/// What pack_early() would give, had Dst what the mode says, where the mask of the edges leaves a
/// datum out. Precondition: basis_of_masked(how, mode) is not Unknown.
std::uint32_t pack_masked(const Packing& how, EdgeMode mode);

/// As basis_of(), of a datum that the mask leaves out. Integers have no infinity, and what stands
/// for it with 5 bits of exponent is assumed.
Basis basis_of_masked(const Packing& how, EdgeMode mode);

/// What pack_early() gives, or 0 where its exponent field lies below the threshold. Integers have
/// none (core.md 14.11).
std::uint32_t apply_exponent_threshold(const Packing& how, std::uint32_t value);

/// What these give as the late conversion leaves it: a datum of `out`, in its low bits; for a block
/// format, what pack_block() takes.
std::uint32_t pack_late(const Packing& how, std::uint32_t value);

/// 16 data of a block format in L1.
struct PackedBlock {
  std::uint8_t exponent = 0;
  std::array<std::uint8_t, 16> data{}; ///< in the low bits: sign, then magnitude
};

/// The values are BF16, or FP16 where the block's exponent has 5 bits; the mantissa's upper 7 bits
/// count. The largest exponent is that of the block. Magnitudes are rounded to 7 bits, ties away
/// from zero, no further than all ones, and then cut to those of the format.
PackedBlock pack_block(isa::DataFormat out, const std::array<std::uint32_t, 16>& values);

/// Whether Pack_L1_Acc is known for a format.
bool can_accumulate(isa::DataFormat out);

/// Pack_L1_Acc: what is in L1, plus what is packed. Precondition: can_accumulate(out).
std::uint32_t accumulate_in_l1(isa::DataFormat out, std::uint32_t old, std::uint32_t packed);

} // namespace lanewise::semantics
