// Options of commands that run a whole tile: files that go into L1 and come out of it, and the
// order in which the threads take turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "chip/isa/arch.h"
#include "chip/isa/program.h"
#include "chip/tile/l1_image.h"
#include "chip/tile/run.h"
#include "cli/command.h"
#include "cli/race_options.h"
#include "cli/tile_time.h"

namespace lanewise::cli {

/// What the options are given, as typed.
struct L1Options {
  std::vector<std::string> in;     ///< ADDRESS=FILE
  std::vector<std::string> out;    ///< ADDRESS:BYTES=FILE
  std::vector<std::string> config; ///< NAME=VALUE
  std::string order = "round-robin";
  std::uint64_t seed = 0;
  bool hazards = false;
  TileTimeOptions time;
  RaceOptions races;
  bool json = false; ///< what races were found, or the time, as JSON
};

/// Error: BadInput where --json, or an option of a run in time or of --races, has nothing to say.
Expected<void> check_l1_options(const L1Options& options);

void add_l1_options(const Command& command, L1Options& options);

/// Bytes of L1 that go into a file.
struct L1Output {
  std::uint32_t address = 0, bytes = 0;
  std::string file;
};

/// Reads the files of --in. Error: BadInput.
Expected<std::vector<tile::L1Input>> read_l1_inputs(const L1Options& options, Arch arch);

/// The fields of --config. Error: BadInput that says which of them is none.
Expected<std::vector<ConfigSetting>> parse_config(const L1Options& options);

/// Error: BadInput that says which of --out is none.
Expected<std::vector<L1Output>> parse_l1_outputs(const L1Options& options, Arch arch);

/// Each file whole or not at all. Error: BadInput.
Expected<void> write_l1_outputs(const std::vector<L1Output>& outputs,
                                std::span<const std::byte> l1);

tile::ScheduleChoice schedule_choice(const L1Options& options);

} // namespace lanewise::cli
