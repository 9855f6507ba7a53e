// A run of a whole tile: what each thread executed, who waits for whom, and what L1 holds.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "chip/tile/blocked.h"
#include "chip/tile/run.h"
#include "number/tensors/l1_image.h"

namespace lanewise::report {

struct TileOutput {
  tensors::L1Output where;
  tensors::Tensor values;
};

struct TileReport {
  Arch arch = kDefaultArch;
  std::string program = {}; ///< its file
  tile::ScheduleChoice schedule = {};
  std::array<std::uint64_t, kThreads> executed{}; ///< instructions, by thread
  bool ran_out = false;
  std::vector<tile::ExplainedWait> blocked = {};
  std::vector<Fault> faults = {};
  std::vector<TileOutput> outputs = {};
  std::vector<tile::Executed> trace = {}; ///< in the order of execution, if it was asked for
};

/// "T1 math".
std::string thread_text(unsigned thread);
/// "T1 math", "the core of T1".
std::string agent_text(tile::Agent agent);
/// "round robin", "random order, seed 3".
std::string schedule_text(const tile::ScheduleChoice& choice);

/// An instruction as a line of assembly that names the operands which are not 0; those of the
/// Vector Unit by position.
std::string instruction_text(Arch arch, std::uint32_t word);

/// Counts, waits and outputs; `elements` of each output that has no file, 0: all.
std::string tile_text(const TileReport& report, std::size_t elements);

/// A line of the trace: number from 1, thread, source line, word, instruction.
std::string tile_trace_line(Arch arch, std::size_t number, const tile::Executed& executed);

/// How the text of a deadlock begins.
inline constexpr std::string_view kDeadlock = "deadlock: nobody can go on\n";

/// One wait of a deadlock with what would have ended it; `blocked`: all of its waits.
std::string wait_text(Arch arch, const tile::ExplainedWait& wait,
                      const std::vector<tile::ExplainedWait>& blocked);

/// What a deadlock is: each wait with what would have ended it.
std::string blocked_text(Arch arch, const std::vector<tile::ExplainedWait>& blocked);

nlohmann::json tile_json(const TileReport& report);

} // namespace lanewise::report
