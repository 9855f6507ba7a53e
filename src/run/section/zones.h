// What a test measures: the zones and timestamps of LLK's profiler
// (tests/helpers/include/profiler.h of tt-llk). A section notes them in a buffer of its own in L1,
// each with what the wall clock shows; here each is found again with the reading of the clock that
// it comes from (chip/tile/wall_clock.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/tile/wall_clock.h"

namespace lanewise::section {

/// A section's profiler: where in L1 its buffer lies. The section's object says so.
struct ZoneBuffer {
  std::uint32_t address = 0, words = 0;
};

/// The names by which an object has its ZoneBuffer and the texts of its markers.
inline constexpr const char* kZoneBufferName = "lanewise_zone_buffer";
inline constexpr const char* kMarkerSection = ".profiler_meta";

/// An entry of the buffer.
struct ZoneEvent {
  enum class Kind : std::uint8_t { Timestamp = 8, TimestampWithData, Start, End };

  unsigned thread = 0;
  Kind kind = Kind::Timestamp;
  std::uint16_t marker = 0;                ///< see marker_number()
  std::uint64_t executed = 0;              ///< instructions of the thread until then
  std::optional<std::uint64_t> cycle = {}; ///< nothing: not known
  std::optional<std::uint64_t> data = {};  ///< of TimestampWithData
};

/// What stands in a buffer for a time that is not known: all 44 bits are set.
inline constexpr std::uint64_t kUnknownTime = (std::uint64_t{1} << 44) - 1;

/// Gives a reading of the clock its cycle.
using CycleOf = std::function<std::optional<std::uint64_t>(const tile::ClockReading&)>;

/// The entries of a section's buffer, in their order, with the cycles of their readings. In L1 the
/// time of each becomes that cycle, or kUnknownTime. What is no entry ends them.
std::vector<ZoneEvent> take_times(unsigned thread, const ZoneBuffer& buffer,
                                  std::span<std::uint8_t> l1,
                                  std::span<const tile::ClockReading> readings,
                                  const CycleOf& cycle_of = tile::cycle_of);

/// A place in the source that the profiler knows: "LLK_PROFILER:FILE:LINE:NAME" is its text.
struct Marker {
  std::string text, file, name;
  std::uint32_t line = 0;
  std::uint16_t number = 0;
};

/// The number that stands for a marker's text.
std::uint16_t marker_number(std::string_view text);

/// The markers of a compiled section; none if it was compiled without the profiler. Error: BadInput
/// if the object cannot be read.
Expected<std::vector<Marker>> read_markers(const std::filesystem::path& object);

/// A zone of the profiler, or a point in time that it notes, by the name of its marker.
struct Zone {
  enum class Kind : std::uint8_t { Whole, Open, Point };

  unsigned thread = 0;
  std::string name;
  Kind kind = Kind::Whole;
  std::uint64_t begin = 0, end = 0; ///< cycles; only of a whole zone do they differ
};

/// A section's zones, in the order in which they begin; a zone that does not end is open. Events
/// without a cycle give none.
std::vector<Zone> zones_of(unsigned thread, std::span<const ZoneEvent> events,
                           std::span<const Marker> markers);

} // namespace lanewise::section
