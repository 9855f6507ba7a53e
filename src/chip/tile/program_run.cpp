#include "chip/tile/program_run.h"

#include <span>
#include <utility>

#include "chip/machine/machine.h"
#include "chip/tile/program_feeder.h"

namespace lanewise::tile {

namespace {

Expected<void> set_fields(TileState& tile, unsigned thread,
                          std::span<const ConfigSetting> settings) {
  tile.machine.act_for(thread);
  for (const ConfigSetting& setting : settings) {
    auto done = set_config(tile.machine, setting.name, setting.value);
    if (done) continue;
    Fault fault = std::move(done.error());
    fault.line = setting.line;
    return Unexpected(std::move(fault));
  }
  return {};
}

Unexpected in_program(Fault fault, const TileProgram& program) {
  fault.file = program.name;
  return Unexpected(std::move(fault));
}

} // namespace

Expected<void> set_config_of_all_threads(TileState& tile, std::span<const ConfigSetting> settings) {
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    if (auto set = set_fields(tile, thread, settings); !set) return set;
  }
  tile.machine.act_for(kMathThread);
  return {};
}

Expected<TileState> start_state(Arch arch, const TileProgram& program) {
  TileState tile(arch);
  ConfigState& config = tile.machine.config;
  for (const ConfigWordSetting& setting : program.config_words) {
    for (unsigned bank = 0; bank < 2; ++bank)
      config.write_bank(bank, setting.word, setting.value, ~0U);
  }
  if (auto set = set_config_of_all_threads(tile, program.config); !set)
    return in_program(set.error(), program);
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    if (auto set = set_fields(tile, thread, program.thread[thread].config); !set)
      return in_program(set.error(), program);
  }
  for (const SemaphoreSetting& setting : program.semaphores) {
    tile.sync.semaphore[setting.number] = {.value = static_cast<std::uint8_t>(setting.value),
                                           .max = static_cast<std::uint8_t>(setting.max)};
  }
  for (const GprSetting& setting : program.gprs)
    tile.machine.gpr_of(setting.thread)[setting.number] = setting.value;
  tile.machine.act_for(kMathThread);
  return tile;
}

Expected<RunResult> run_program(Tile& tile, const TileProgram& program,
                                const ScheduleChoice& choice, const RunLimits& limits) {
  ProgramFeeder unpack(program.thread[0], 0), math(program.thread[1], 1),
      pack(program.thread[2], 2);
  return run(tile, {&unpack, &math, &pack}, choice, limits);
}

} // namespace lanewise::tile
