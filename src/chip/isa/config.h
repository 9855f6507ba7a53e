// Names and places of the configuration fields.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "chip/isa/arch.h"

namespace lanewise::isa {

enum class ConfigScope : std::uint8_t {
  Shared, ///< thread-agnostic, 32-bit words
  Thread, ///< per thread, 16-bit words
  Debug   ///< a register of the cores that the coprocessor looks at
};

enum class ConfigField : std::uint16_t {
#define CONFIG_APART(name, ...) name,
#include "chip/isa/config.def"
#undef CONFIG_APART
};

/// Where a field lies on one chip.
struct ConfigBits {
  std::uint16_t word = kNone; ///< of a debug register the byte offset
  std::uint8_t high = 0, low = 0;

  static constexpr std::uint16_t kNone = 0xFFFF; ///< the chip lacks the field

  constexpr std::uint32_t mask() const {
    return static_cast<std::uint32_t>(((std::uint64_t{1} << (high - low + 1)) - 1) << low);
  }
};

struct ConfigPlace {
  std::string_view name;
  ConfigScope scope;
  std::array<ConfigBits, kEveryArch.size()> bits; ///< by Arch

  constexpr const ConfigBits& on(Arch arch) const { return bits[static_cast<std::size_t>(arch)]; }
  constexpr bool exists(Arch arch) const { return on(arch).word != ConfigBits::kNone; }
  constexpr std::uint16_t word_of(Arch arch) const { return on(arch).word; }
  /// Its bits of that word.
  constexpr std::uint32_t mask(Arch arch) const { return on(arch).mask(); }
  constexpr unsigned low(Arch arch) const { return on(arch).low; }
  /// The largest value that it holds.
  constexpr std::uint32_t largest(Arch arch) const { return mask(arch) >> low(arch); }
};

namespace detail {

/// Words from unpacker 0's part of THCON to unpacker 1's (core.md 25.3).
inline constexpr std::uint16_t kBhThconWords = 48, kWhThconWords = 40;

constexpr std::uint16_t second_thcon(std::uint16_t word, std::uint16_t distance) {
  return word == ConfigBits::kNone ? word : static_cast<std::uint16_t>(word + distance);
}

} // namespace detail

inline constexpr auto kConfigFields = [] {
  using namespace detail;
  constexpr auto kNone = ConfigBits::kNone;
  return std::to_array<ConfigPlace>({
#define CONFIG_APART(name, scope, bh, bh_high, bh_low, wh, wh_high, wh_low) \
  {#name,                                                                   \
   ConfigScope::scope,                                                      \
   {ConfigBits{bh, bh_high, bh_low}, ConfigBits{wh, wh_high, wh_low}, ConfigBits{kNone, 0, 0}}},
#include "chip/isa/config.def"
#undef CONFIG_APART
  });
}();

constexpr const ConfigPlace& config_place(ConfigField field) {
  return kConfigFields[static_cast<std::size_t>(field)];
}

/// The field of another section, of those that differ in its number only: fields of sections stand
/// in their order.
constexpr ConfigField of_section(ConfigField first, unsigned section) {
  return static_cast<ConfigField>(static_cast<unsigned>(first) + section);
}

/// Where the debug registers lie in the cores' address space (ISA BabyRISCV, memory map).
inline constexpr std::uint32_t kDebugRegisters = 0xFFB12000;

/// The address of a debug register.
constexpr std::uint32_t debug_address(Arch arch, const ConfigPlace& place) {
  return kDebugRegisters + place.word_of(arch);
}

/// The field of that name on a chip; nothing if the chip has none.
constexpr std::optional<ConfigField> find_config_field(Arch arch, std::string_view name) {
  for (std::size_t i = 0; i < kConfigFields.size(); ++i) {
    if (kConfigFields[i].name == name && kConfigFields[i].exists(arch)) {
      return static_cast<ConfigField>(i);
    }
  }
  return std::nullopt;
}

} // namespace lanewise::isa
