// Numbers of a sweep as people read them.
#pragma once

#include <cstdint>
#include <string>

#include "study/sweep/sweep.h"

namespace lanewise::report {

/// The shortest decimal number that round_to_bits() takes back to the same value bits; "nan",
/// "inf".
std::string value_text(formats::Format format, std::uint32_t bits);

/// With as many digits as the format has precision, so that results can be compared with what they
/// should be: "0.800781" where value_text() says "0.8".
std::string result_text(formats::Format format, std::uint32_t bits);

/// A number before it was rounded to a format, in two digits more.
std::string exact_text(formats::Format format, double value);

/// Value bits in hexadecimal, as wide as the format: "3F80".
std::string bits_text(formats::Format format, std::uint32_t bits);

/// Both: "3F80 1".
std::string datum_text(formats::Format format, std::uint32_t bits);

/// A double where bits do not matter.
std::string number_text(double value, int significant_digits = 6);

/// An ULP with a fraction: "0.0312", "1.5e9".
std::string ulp_text(double value, int significant_digits = 3);

/// "12.5 %"; at least one decimal, and never "0.0 %" or "100.0 %" of what is not none or all.
std::string percent_text(std::uint64_t part, std::uint64_t whole);

/// Where a case is: "x = 1.5 (3FC0)", for two operands "x = 1.5 (3FC0), y = 2 (4000)".
std::string place_text(const sweep::SweepResult& result, const sweep::SweepCase& at);

/// |ULP|: a whole number as such, else six digits.
std::string ulp_count_text(double ulp);

/// Signed ULP of a case; "lost" where the measure has no number for it.
std::string case_ulp_text(formats::UlpMeasure measure, formats::Format format,
                          const sweep::SweepCase& at);

/// Whether a result is as expected: the same bits, or both NaN.
bool agrees(formats::Format format, const sweep::SweepCase& at);

/// "bh": the name of a chip on the command line.
std::string chip_name(Arch arch);

} // namespace lanewise::report
