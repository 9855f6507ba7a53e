// What an instruction makes of the flags, apart from the value that it computes.
#pragma once

#include <cstdint>
#include <optional>

#include "chip/machine/micro_op.h"

namespace lanewise::tune {

/// A test of a register that an SFPSETCC could make as well.
struct FlagTest {
  std::uint8_t lreg = 0;
  std::uint8_t mode = 0;     ///< of SFPSETCC
  bool is_of_result = false; ///< the register as the instruction leaves it, else as it finds it
  bool is_without_sign = false;
};

/// SFPGT or SFPLE.
bool is_compare(const MicroOp& op);

/// Whether it changes flags or their stack, and nothing else.
bool is_only_control(const MicroOp& op);

/// What an instruction tests besides computing a value (VU C26, C27). Nothing where it inverts the
/// flags that were there, and in modes that are not known.
std::optional<FlagTest> flag_test(const MicroOp& op);

} // namespace lanewise::tune
