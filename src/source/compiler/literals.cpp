#include "source/compiler/literals.h"

#include "chip/isa/fields.h"

namespace lanewise::compiler {

namespace {

using isa::kMode;
using isa::Op;

constexpr auto kFloatB = kMode<Op::SFPLOADI, "FLOATB">, kFloatA = kMode<Op::SFPLOADI, "FLOATA">;
constexpr auto kUShort = kMode<Op::SFPLOADI, "USHORT">, kShort = kMode<Op::SFPLOADI, "SHORT">;

/// The FP16a pattern whose value as FP32 is `bits`, if there is an ordinary one.
std::optional<std::uint16_t> as_fp16a(std::uint32_t bits) {
  constexpr std::uint32_t kDroppedMantissa = 0x1FFF;
  constexpr std::uint32_t kBiasDifference = 112, kLargestExponent = 30;
  const std::uint32_t exponent = (bits >> 23 & 0xFF) - kBiasDifference;
  if ((bits & kDroppedMantissa) != 0 || exponent == 0 || exponent > kLargestExponent)
    return std::nullopt;
  return static_cast<std::uint16_t>((bits >> 31) << 15 | exponent << 10 | (bits >> 13 & 0x3FF));
}

} // namespace

std::optional<LiteralLoad> literal_load(Arch arch, std::uint32_t bits) {
  const std::uint32_t as_float = float_of_lane(arch, bits);
  const auto low = static_cast<std::uint16_t>(bits);
  const auto number = static_cast<std::int32_t>(bits);
  if ((as_float & 0xFFFF) == 0)
    return LiteralLoad{kFloatB, static_cast<std::uint16_t>(as_float >> 16)};
  if (const auto pattern = as_fp16a(as_float)) return LiteralLoad{kFloatA, *pattern};
  if (bits <= 0xFFFF) return LiteralLoad{kUShort, low};
  if (number == static_cast<std::int16_t>(number)) return LiteralLoad{kShort, low};
  return std::nullopt;
}

} // namespace lanewise::compiler
