// Conversions of unpackers and packers, for check_tile_values.py: a line of numbers in, a line with
// the result out, "-" where it is not known.
//   unpack ARCH IN OUT TO_DST UNSIGNED FP8_LONG DATUM EXPONENT
//   early ARCH INTERMEDIATE OUT 32_BITS ROUND_10 UNSIGNED FP8_LONG RELU THRESHOLD STORED
//   late  as early, then a value of early
//   block OUT VALUE*16      (exponent, then data)
//   add OUT OLD PACKED
#include <fmt/format.h>

#include <iostream>
#include <sstream>

#include "chip/semantics/pack_values.h"
#include "chip/semantics/unpack_values.h"

namespace lanewise::semantics {
namespace {

std::uint32_t next(std::istream& in) {
  std::uint32_t number = 0;
  in >> number;
  return number;
}

isa::DataFormat next_format(std::istream& in) {
  return static_cast<isa::DataFormat>(next(in));
}

std::string unpacked(std::istream& in) {
  Unpacking how{.arch = static_cast<Arch>(next(in))};
  how.in = next_format(in);
  how.out = next_format(in);
  how.target = next(in) != 0 ? UnpackTarget::Dst : UnpackTarget::SourceRegister;
  how.is_unsigned = next(in) != 0;
  how.fp8_has_long_mantissa = next(in) != 0;
  const std::uint32_t datum = next(in), exponent = next(in);
  if (basis_of(how) == Basis::Unknown) return "-";
  return fmt::to_string(unpack_value(how, datum, exponent));
}

Packing next_packing(std::istream& in) {
  Packing how{.arch = static_cast<Arch>(next(in))};
  how.intermediate = next_format(in);
  how.out = next_format(in);
  how.reads_32_bits = next(in) != 0;
  how.rounds_to_10_bits = next(in) != 0;
  how.is_unsigned = next(in) != 0;
  how.fp8_has_long_mantissa = next(in) != 0;
  how.relu = static_cast<Relu>(next(in));
  how.threshold = static_cast<std::uint16_t>(next(in));
  return how;
}

std::string packed(std::istream& in, bool is_late) {
  const Packing how = next_packing(in);
  const std::uint32_t value = next(in);
  if (basis_of(how) == Basis::Unknown) return "-";
  return fmt::to_string(is_late ? pack_late(how, value) : pack_early(how, value));
}

std::string block(std::istream& in) {
  const isa::DataFormat out = next_format(in);
  std::array<std::uint32_t, 16> values{};
  for (std::uint32_t& value : values) value = next(in);
  const PackedBlock made = pack_block(out, values);
  return fmt::format("{} {}", made.exponent, fmt::join(made.data, " "));
}

std::string sum(std::istream& in) {
  const isa::DataFormat out = next_format(in);
  const std::uint32_t old = next(in), packed = next(in);
  return fmt::to_string(accumulate_in_l1(out, old, packed));
}

std::string answer(const std::string& line) {
  std::istringstream in(line);
  std::string what;
  in >> what;
  if (what == "unpack") return unpacked(in);
  if (what == "early" || what == "late") return packed(in, what == "late");
  if (what == "block") return block(in);
  return what == "add" ? sum(in) : "?";
}

} // namespace
} // namespace lanewise::semantics

int main() {
  for (std::string line; std::getline(std::cin, line);)
    fmt::print("{}\n", lanewise::semantics::answer(line));
  return 0;
}
