// What both forms of the report on a number are made of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "number/formats/number_argument.h"
#include "number/formats/number_forms.h"

namespace lanewise::report {

/// A way to load a number into an LReg.
struct LoadFact {
  std::string_view modes;                    ///< "FLOATB", "FLOATA", "UPPER, LOWER"
  std::uint32_t loaded = 0;                  ///< bits of the LReg
  std::vector<std::string> assembly, macros; ///< one line for each instruction
};

/// With FLOATB and FLOATA as near to the number as they come, and exactly with two instructions.
/// FLOATA is left out for a NaN.
std::vector<LoadFact> load_facts(const formats::NumberArgument& argument);

/// A datum of Dst.
struct DstFact {
  formats::Format format = formats::Format::FP32;
  std::uint32_t stored = 0; ///< a 32-bit datum has the high cell in its upper half
  std::string cells;        ///< in binary, field by field; " | " between high and low cell
  double holds = 0;
};

/// The number in every format of Dst.
std::vector<DstFact> dst_facts(double number);

/// Bits of a stored datum as in DstFact::cells.
std::string cell_text(formats::Format format, std::uint32_t stored);

/// What the hardware makes of a pattern of 16 bits; as fp8, only of those up to FF.
struct ReadFact {
  formats::NumberForm form = formats::NumberForm::Fp16a;
  std::string_view reader; ///< "SFPLOADI FLOATA", ...
  std::uint32_t fp32 = 0;
  double value = 0;
};
std::vector<ReadFact> read_facts(std::uint32_t pattern);

/// Where fp16c's patterns of a number are read as another number, one sentence each.
std::vector<std::string> number_warnings(const formats::NumberArgument& argument);
/// Where fp16c's numbers of a pattern are not those of IEEE or of SFPLOAD.
std::vector<std::string> pattern_warnings(std::uint32_t pattern);

} // namespace lanewise::report
