// Operands of the vendor's assembly: text to words and back, by the forms of
// chip/isa/instructions.def.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chip/isa/gnu_forms.h"

namespace lanewise::assembly {

/// A word in the memory of a RISC-V core that is the instruction word `word`: rotated left by two,
/// so that the low bits are not 11, which no RISC-V instruction of 32 bits is without.
constexpr std::uint32_t memory_of_word(std::uint32_t word) {
  return word << 2 | word >> 30;
}
constexpr std::uint32_t word_of_memory(std::uint32_t memory) {
  return memory >> 2 | memory << 30;
}
constexpr bool is_tensix_in_memory(std::uint32_t memory) {
  return (memory & 3U) != 3U;
}

/// A way to read a line, and the form that it has then.
struct GnuReading {
  std::uint32_t word = 0;
  const isa::GnuForm* form = nullptr;
};

/// Every way to read the operands, the form of today first. Empty where there is none; `why` then
/// says what the form of today misses.
std::vector<GnuReading> read_gnu_operands(Arch arch, isa::Op op,
                                          std::span<const std::string_view> operands,
                                          std::string& why);

/// A number of a GNU text: digits, 0x or 0b, with a sign. Nothing for other texts.
std::optional<std::int64_t> gnu_number(std::string_view text);

} // namespace lanewise::assembly
