// A run of a whole tile in time, for people and for other tools (docs/timing.md, "A whole tile").
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chip/clock/bounds.h"
#include "chip/isa/arch.h"
#include "report/change.h"
#include "report/table/table.h"
#include "run/section/function_cost.h"
#include "run/section/zones.h"

namespace lanewise::report {

/// What holds for every figure.
inline constexpr std::string_view kModelsCycles =
    "these are cycles of a model, not of silicon (docs/timing.md says how far it is from it)";

/// A run with cores that take longer for each word than those of `TileTime::run`.
struct SlowPushes {
  std::uint64_t cycles_per_word = 0;
  clock::TimedResult run = {};
};

struct TileTime {
  Arch arch = kDefaultArch;
  std::string program;         ///< its file
  clock::TimedResult run = {}; ///< with a timeline where one is shown
  /// Where the cores' own code is not known: the other end of a range.
  std::optional<SlowPushes> slow = {};
  std::uint64_t tiles = 0; ///< that the program makes; 0: as many as PACRs end
  std::size_t shown = 0;   ///< of the timeline, in text and JSON: the last instructions
  std::vector<section::Zone> zones = {};
  /// Of cores with programs of their own, core by core, those with most cycles first.
  std::vector<section::FunctionCost> functions = {};
  std::vector<std::string> assumed = {}; ///< sentences
};

/// What is assumed of gathering (run/section/core_run.h, CoresInTime), for chips that have it.
std::vector<std::string> gather_notes(Arch arch, bool gathers);

/// Cycles per tile and what bounds them, what became of the threads' and cores' cycles, zones, the
/// end of the timeline, what is assumed.
std::string tile_time_text(const TileTime& time);

/// The tables of tile_time_text(). Some may have no rows.
std::vector<Table> tile_time_tables(const TileTime& time);

/// The same. docs/cli.md describes the fields.
nlohmann::ordered_json tile_time_json(const TileTime& time);

/// Two runs on one chip: cycles per tile, what each part would need alone, what the threads wait
/// for, and which part bounds it.
Change tile_time_change(const TileTime& before, const TileTime& after);

/// In Chrome's trace-event format: a track for each thread, with its instructions and its waits by
/// what for, and one for its zones. A cycle is a microsecond.
nlohmann::json tile_time_perfetto(const TileTime& time);

} // namespace lanewise::report
