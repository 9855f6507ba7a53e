// Something that a core does to its tile.
#pragma once

#include <cstdint>

namespace lanewise::tile {

/// Something that a core does.
struct CoreAction {
  enum class Kind : std::uint8_t {
    Push,         ///< the instruction `value`
    ConfigureMop, ///< MopCfg[address] = value
    Load,         ///< `bytes` from `address`, which were `value`
    Store         ///< `value`, `bytes` of it, to `address`
  };
  Kind kind = Kind::Push;
  std::uint8_t bytes = 4;
  std::uint32_t address = 0, value = 0;
  std::uint32_t line = 0; ///< base/source_line.h

  friend bool operator==(const CoreAction&, const CoreAction&) = default;
};

} // namespace lanewise::tile
