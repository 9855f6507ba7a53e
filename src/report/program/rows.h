// What everybody does in which cycles of a run in time: the rows of its picture.
//
// A row is a core, a thread, a unit, one way of a NoC, a circular buffer or Dst. Its bars say what
// it does from one cycle to another, or how full it is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/program/time.h"

namespace lanewise::report {

/// What a bar stands for: its colour.
enum class Shade : std::uint8_t {
  Works,
  AwaitsPages,  ///< of a circular buffer, or room in it
  AwaitsNoc,    ///< answers
  AwaitsCore,   ///< a thread whose core pushes nothing
  AwaitsThread, ///< another thread, or a core's own
  AwaitsUnit,
  AwaitsOther,
  Level ///< how full something is
};
inline constexpr unsigned kShades = static_cast<unsigned>(Shade::Level) + 1;

/// "waits for the NoC".
std::string_view shade_text(Shade shade);

/// Cycles from `begin` up to `end`.
struct RunBar {
  std::uint64_t begin = 0, end = 0;
  Shade shade = Shade::Works;
  double height = 1; ///< of the row
};

struct RunRow {
  std::string name;
  std::string scale = {}; ///< what its whole height stands for: "2 pages"; "" where it is nothing
  std::vector<RunBar> bars = {};
};

/// All that did something: cores that move data, each way of each NoC, circular buffers, the cores
/// and threads of unpack, math and pack, units, Dst. Needs a run with a timeline.
std::vector<RunRow> rows_of(const ProgramTime& time);

/// A stretch of the run, cycles from `begin` up to `end`.
struct RunStretch {
  std::uint64_t begin = 0, end = 0;
};

/// How high each shade stands, on average over a column.
using RunShares = std::array<double, kShades>;

/// A row within a stretch, in so many columns of the same width.
std::vector<RunShares> shares_of(const RunRow& row, RunStretch stretch, std::size_t columns);

} // namespace lanewise::report
