// What cores and units did when, for pictures and traces of a run in time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lanewise::clock {

/// A stretch of a core's cycles: its own code up to `waits`, and from there on a wait.
struct CoreSpan {
  std::uint64_t begin = 0, waits = 0, end = 0;
  std::uint8_t core = 0;
  /// What it looked at again and again; nothing: it waited for its thread to take what it pushed or
  /// asked.
  std::optional<std::uint32_t> address = std::nullopt;
};

/// Cycles in which a core has waited.
struct CoreWait {
  std::uint8_t core = 0;
  std::uint32_t line = 0; ///< of what it could not do (base/source_line.h); 0: none
  std::optional<std::uint32_t> address = std::nullopt; ///< as CoreSpan::address
  std::uint64_t cycles = 0;
};

enum class WorkUnit : std::uint8_t {
  Unpacker0,
  Unpacker1,
  Matrix,
  Vector,
  Packer0,
  Packer1,
  Packer2,
  Packer3
};
inline constexpr unsigned kWorkUnits = static_cast<unsigned>(WorkUnit::Packer3) + 1;

/// "unpacker 0", "Matrix Unit".
std::string_view work_unit_text(WorkUnit unit);

/// Cycles from `begin` up to `end` in which a unit has worked, without a gap.
struct UnitSpan {
  std::uint64_t begin = 0, end = 0;
  WorkUnit unit = WorkUnit::Unpacker0;
};

} // namespace lanewise::clock
