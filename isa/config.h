// Names and places of the configuration fields that the executed instructions read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/arch.h"

namespace lanewise::isa {

enum class ConfigScope : std::uint8_t {
  Shared, ///< thread-agnostic, 32-bit words
  Thread, ///< per thread, 16-bit words
  Debug   ///< a register of the cores that the coprocessor looks at
};

enum class ConfigField : std::uint8_t {
#define CONFIG(name, ...) name,
#include "isa/config.def"
#undef CONFIG
};

struct ConfigPlace {
  std::string_view name;
  ConfigScope scope;
  /// By Arch; kNone where the chip lacks the field. Of a debug register the byte offset.
  std::array<std::uint16_t, kEveryArch.size()> word;
  std::uint8_t high, low;

  static constexpr std::uint16_t kNone = 0xFFFF;

  constexpr bool exists(Arch arch) const { return word[static_cast<std::size_t>(arch)] != kNone; }
  constexpr std::uint16_t word_of(Arch arch) const { return word[static_cast<std::size_t>(arch)]; }
  constexpr std::uint32_t mask() const {
    return static_cast<std::uint32_t>(((std::uint64_t{1} << (high - low + 1)) - 1) << low);
  }
};

inline constexpr auto kConfigFields = [] {
  constexpr auto kNone = ConfigPlace::kNone;
  return std::to_array<ConfigPlace>({
#define CONFIG(name, scope, bh, wh, high, low) \
  {#name, ConfigScope::scope, {bh, wh, kNone}, high, low},
#include "isa/config.def"
#undef CONFIG
  });
}();

constexpr const ConfigPlace& config_place(ConfigField field) {
  return kConfigFields[static_cast<std::size_t>(field)];
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
