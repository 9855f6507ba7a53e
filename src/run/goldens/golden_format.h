// Number formats by the names that tests of LLK give them, and what registers make of them.
#pragma once

#include <string_view>

#include "base/fault.h"
#include "chip/isa/number_format.h"
#include "number/formats/format.h"

namespace lanewise::goldens {

/// A format of L1 and of the registers' configuration.
struct GoldenFormat {
  std::string_view name;     ///< of LLK: "Float16_b", "Bfp8_b", ...
  std::string_view own_name; ///< of Lanewise: "bf16", "bfp8", ...; of L1 on the host's side
  isa::DataFormat code{};
  bool is_unsigned = false;           ///< UInt8: INT8 without a sign
  bool fp8_has_long_mantissa = false; ///< Fp8_e4m3: 4 bits of exponent, 3 of mantissa
  unsigned bits() const;              ///< of a datum in L1
  bool is_block() const;              ///< 16 data share an exponent
  bool is_integer() const;
  bool has_5bit_exponent() const; ///< arrives with FP16's layout
};

/// A format by either name. Names of LLK begin with a capital, and those in "_b" have 8 bits of
/// exponent: "Bfp8" is "bfp8a", "Bfp8_b" is "bfp8". Error: BadInput that lists the names.
Expected<GoldenFormat> parse_golden_format(std::string_view name);

/// How Dst stores numbers that have arrived as `format`. Error: BadInput where it does not:
/// integers of 16 bits in 32, integers of 32 bits in 16.
Expected<formats::Format> dst_format(const GoldenFormat& format, bool is_wide);

} // namespace lanewise::goldens
