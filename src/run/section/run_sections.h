// Three compiled sections on a tile, in a process of their own: what is wrong with them cannot hurt
// this one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "base/limits.h"
#include "chip/isa/program.h"
#include "chip/tile/l1_image.h"
#include "chip/tile/races.h"
#include "chip/tile/run.h"
#include "run/section/end_state.h"
#include "run/section/snapshots.h"
#include "run/section/test_source.h"
#include "run/section/vector_marks.h"
#include "run/section/zones.h"

namespace lanewise::section {

struct SectionsOutcome {
  std::vector<std::byte> l1;        ///< afterwards, all of it
  std::vector<Fault> faults;        ///< what is wrong with instructions
  std::optional<Fault> failure;     ///< a section could not go on; the others did not, either
  std::vector<std::string> blocked; ///< who waits for what, where nobody can go on
  bool ran_out = false;             ///< of the time that they have, or stopped
  bool was_stopped = false;         ///< by Ctrl-C
  std::array<std::uint64_t, kThreads> executed{}; ///< instructions, by thread
  std::uint64_t traps = 0;                        ///< of the cores (Section::traps())
  tile::CoreTraces traces;                        ///< what the cores did, if that was asked for
  std::vector<ZoneEvent> zones;                   ///< of a test with LLK's profiler, by thread
  std::array<Stretches, kThreads> stretches;      ///< of SFPI code, where SectionsRun asks for them
  std::vector<Snapshot> snapshots;                ///< that sections asked for, in order
  EndState state;                                 ///< where SectionsRun asks for it

  /// Whether all sections have returned and all instructions are executed.
  bool is_done() const { return !failure && blocked.empty() && !ran_out; }
};

/// How sections run.
struct SectionsRun {
  std::vector<tile::L1Input> inputs;
  std::vector<ConfigSetting> config; ///< fields that have a value when the sections start
  tile::ScheduleChoice schedule;
  bool finds_hazards = false; ///< of single threads (chip/tile/thread_hazards.h), among the faults
  bool traces_cores = false;  ///< note what the cores do, in L1, too
  bool takes_snapshots = false;  ///< where sections ask for them (snapshots.h)
  bool attributes_state = false; ///< with those, who has changed what (Snapshot::writers)
  bool keeps_stretches = false;  ///< what SFPI code becomes, in SectionsOutcome::stretches
  bool keeps_state = false;      ///< what the sections leave behind, in SectionsOutcome::state
  /// A file that is L1 and in which a host takes part while the sections run; empty: none does.
  std::string l1_file = {};

  bool has_host() const { return !l1_file.empty(); }
  bool watches_l1() const { return traces_cores || has_host(); }
};

/// L1 with the inputs, and the device as LLK's tests find it, with the fields of `config`. Error:
/// BadInput; an input that is not in L1, a field or value that the chip does not have.
Expected<void> start_tile(tile::Tile& tile, const SectionsRun& how);

/// "the core of math is ...", of the section that it runs.
std::string text_of(const tile::Blocked& blocked);

/// Sets the device up as LLK's tests do before their cores start (core.md 4), and runs the sections
/// to their end, or to where they cannot go on. Error: BadInput; an input that is not in L1, a
/// field or value that the chip does not have, no process, or one that ended without a trace.
/// `meanwhile` is done while the process runs, with a function that says whether the sections still
/// run or have come to their end, SectionsOutcome::is_done().
Expected<SectionsOutcome> run_sections(
    const TestSource& source, const SectionObjects& objects, const SectionsRun& how,
    const std::function<void(const std::function<bool()>& are_well)>& meanwhile = {});

/// The same test, ready to be run in other orders without its code: from the same start, with what
/// the cores did in `outcome`. Error: Unsupported where that does not lead to the same L1, since a
/// core did something there that nobody noticed; and as run_sections() says.
Expected<tile::RaceProgram> race_program(const TestSource& source, const SectionsRun& how,
                                         const SectionsOutcome& outcome);

} // namespace lanewise::section
