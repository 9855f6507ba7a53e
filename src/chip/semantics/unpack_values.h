// What an unpacker makes of one datum of L1: a cell of SrcA or SrcB, or what Dst stores (core.md
// 11, 11.1, 12.5).
#pragma once

#include <cstdint>

#include "chip/isa/arch.h"
#include "chip/isa/number_format.h"

namespace lanewise::semantics {

/// Where an unpacker puts its data.
enum class UnpackTarget : std::uint8_t { SourceRegister, Dst };

/// How well a conversion is known.
enum class Basis : std::uint8_t {
  Compared,   ///< documented, and the vendor's simulator does the same
  Documented, ///< the documents say so; nothing else does
  Assumed,    ///< the vendor's library permits it, no source says what comes out
  Unknown     ///< no source has it, or the documents call it undefined
};

/// How an unpacker is configured, as far as it concerns one datum.
struct Unpacking {
  Arch arch = kDefaultArch;
  isa::DataFormat in = isa::DataFormat::Fp32;  ///< of L1, InDataFormat
  isa::DataFormat out = isa::DataFormat::Fp32; ///< Out_data_format
  UnpackTarget target = UnpackTarget::SourceRegister;
  bool is_unsigned = false;           ///< ALU_FORMAT_SPEC_REG0_SrcA/BUnsigned: of INT8
  bool fp8_has_long_mantissa = false; ///< BH's Unp_LF8_4b_exp: 4 bits of exponent, 3 of mantissa
};

/// How well is known what comes out. The format in memory decides it nearly alone: `out` counts
/// for FP32 in a source register, and is otherwise the same format or one that reads the same
/// cells.
Basis basis_of(const Unpacking& how);

/// Whether what is in Dst takes 32 bits, both of its cells.
bool fills_32_bits_of_dst(const Unpacking& how);

/// A datum, in the low bits of `datum`, as it arrives: for a source register as the upper 19 bits
/// of an FP32 pattern (core.md 11.1), for Dst in the order in which Dst stores 16 or 32 bits (MU
/// 1.1).
///
/// `exponent` is the one that the datum's block shares; other formats ignore it. Precondition:
/// basis_of(how) is not Unknown.
std::uint32_t unpack_value(const Unpacking& how, std::uint32_t datum, std::uint32_t exponent = 0);

/// Whether the exponent of a datum of a block with 5 bits of exponent leaves its range, where the
/// documents promise nothing; unpack_value() wraps it. False for all other formats.
bool loses_exponent(const Unpacking& how, std::uint32_t datum, std::uint32_t exponent);

} // namespace lanewise::semantics
