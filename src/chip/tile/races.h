// Races of a program: whether what a tile holds at the end depends on the order of its threads and
// their cores, on which two instructions that depends first, and what would keep them in order.
//
// Cores are scripts (core_trace.h), so that thousands of orders take a second, whatever code they
// ran. Tried are, one after the other: orders in which one agent is far ahead of the others; for
// each two touches of one place of which one writes, the order in which the second comes first, if
// anything allows it; and delays of single instructions, for as long as anybody else can go on.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fault.h"
#include "chip/isa/tile_program.h"
#include "chip/tile/access_log.h"
#include "chip/tile/core_trace.h"
#include "chip/tile/run.h"

namespace lanewise::tile {

using CoreTraces = std::array<CoreTrace, kThreads>;
using CoreScripts = std::array<CoreScript, kThreads>;

/// What has to be the same at the end.
enum class RaceScope : std::uint8_t {
  Everything, ///< L1, Dst, SrcA, SrcB, shared configuration, semaphores
  Results     ///< L1
};

/// A program, ready to be run in any order.
struct RaceProgram {
  TileState start;
  CoreScripts script;
  RaceScope scope = RaceScope::Everything;
};

/// A line to add. Behind `line`, or before it; 0: at the end of the thread.
struct Mend {
  unsigned thread = 0;
  std::uint32_t line = 0;
  bool behind = false;
  std::vector<std::uint32_t> words;
  bool core_waits = false; ///< the core waits until its thread is idle, as tensix_sync() does
};

/// Two touches whose order is not settled.
struct Race {
  PlaceId place;
  Touch first, second; ///< as round robin has them
};

/// When both go on the model's clock: nothing where the run did not come to one.
struct RaceInTime {
  std::string cores; ///< how they push, or nothing
  std::optional<std::uint64_t> first, second;
};

/// A program with lines added.
struct MendedProgram {
  std::vector<Mend> mends;
  RaceProgram program;
};

/// What a run in round robin has noted.
struct RaceReference {
  AccessLog log;
  /// By thread: which action of the script has pushed each instruction, and where each of the
  /// core's actions stands.
  std::array<std::vector<CoreScript::Place>, kThreads> pushed_by, done;
};

/// How a run in one order ended.
enum class OrderEnd : std::uint8_t {
  Same,    ///< as round robin does
  Unknown, ///< a core did what nobody could follow
  Differs,
  NotTried ///< since one before it differs
};

/// The orders of one search, shared out between runs of it: each finds the same ones in the same
/// sequence, beside round robin, which every run does.
struct SharedOrders {
  /// Hears, once round robin was run, how many there are; says which ones are this run's.
  std::function<Expected<std::pair<std::uint64_t, std::uint64_t>>(const RaceProgram&,
                                                                  std::uint64_t orders)>
      begin;
  /// How an order ended in another run. Nothing: it has to be run.
  std::function<std::optional<OrderEnd>(std::uint64_t order)> find;
  /// Hears of each order of this run how it ended; of none where somebody stops it.
  std::function<void(std::uint64_t order, OrderEnd end)> keep;
};

struct RaceSearch {
  unsigned orders = 1000; ///< beside round robin, at most
  RunLimits limits = {};  ///< of each run
  /// Runs the cores' own code in an order, for what they do where their loads have other answers
  /// than before. Where it is missing, such orders are left out.
  std::function<Expected<CoreTraces>(const ScheduleChoice&)> follow = {};
  /// Ways to settle a race. Where it is missing, none is looked for.
  std::function<std::vector<MendedProgram>(const RaceProgram&, const Race&, const RaceReference&)>
      propose = {};
  /// Runs the program in time. Where it is missing, nothing is said of time.
  std::function<Expected<std::vector<RaceInTime>>(const RaceProgram&, const Race&,
                                                  const RaceReference&)>
      time = {};
  /// Hears before each run what is tried, and how many there were.
  std::function<void(std::string_view what, unsigned number)> progress = {};
  /// Where others do some of the orders. Nothing: all are this run's.
  std::optional<SharedOrders> shared = std::nullopt;
};

struct RaceReport {
  unsigned schedules = 0; ///< that were run, round robin among them
  unsigned unknown = 0;   ///< orders in which a core did what nobody could follow
  unsigned possible = 0;  ///< single delays that there are, beside the orders that were run
  /// The first schedule with another end than round robin; nothing: there is none.
  std::optional<ScheduleChoice> differs;
  std::vector<std::string> differences; ///< what is different at the end
  std::optional<Race> race;             ///< nothing where no touch explains it
  std::vector<RaceInTime> in_time;      ///< of the race
  std::string no_time;                  ///< why it could not be run in time, or nothing
  std::vector<Mend> mends;    ///< with all of them, every schedule ends the same; may be empty
  unsigned mended_orders = 0; ///< in which they were tried, round robin among them
};

/// What is different between two ends, a sentence each: "L1 from 0x30000 to 0x307ff". Who waits,
/// scalar registers and counters do not count.
std::vector<std::string> differences(const TileState& one, const TileState& other);

/// The tile after a run. Error: what a core's load or store fails with.
Expected<TileState> run_scripts(RaceProgram& program, const ScheduleChoice& choice);

/// Error: what a run failed with.
Expected<RaceReport> find_races(RaceProgram program, const RaceSearch& how);

/// A program of words, as what its cores push.
RaceProgram race_program(const TileState& start, const TileProgram& program);

/// Of a program of words, with mends in its own lines.
Expected<RaceReport> find_races(const TileState& start, const TileProgram& program,
                                const RaceSearch& how);

} // namespace lanewise::tile
