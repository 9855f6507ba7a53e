// Short ways into and out of a tile: configuration by name, instructions as assembly, data in L1.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "chip/isa/config.h"
#include "chip/tile/program_feeder.h"
#include "chip/tile/run.h"
#include "chip/tile/tile.h"
#include "machine/machine_fixture.h"
#include "source/assembly/assembly.h"

namespace lanewise::test {

struct TileRig {
  explicit TileRig(Arch arch) : tile(arch) {}

  tile::TileState& state() { return tile.state(); }
  MachineState& machine() { return tile.state().machine; }

  void set(std::string_view field, std::uint32_t value, unsigned thread = 0) {
    const auto found = isa::find_config_field(tile.arch(), field);
    ASSERT_TRUE(found.has_value()) << field;
    machine().config.set(*found, value, thread);
  }

  Program assemble(std::string_view text) {
    auto program = assembly::assemble(tile.arch(), text, "test");
    EXPECT_TRUE(program.has_value()) << (program ? "" : to_string(program.error()));
    return program ? *program : Program();
  }

  /// Runs instructions of one thread as far as they go.
  void run(unsigned thread, std::string_view text) {
    const Program program = assemble(text);
    for (const ProgramWord& word : program.words) {
      ASSERT_TRUE(tile.push(thread, word));
      while (tile.step(thread)) {
      }
    }
  }

  /// Runs three programs, T0, T1 and T2.
  tile::RunResult run_all(const std::array<std::string, 3>& texts,
                          const tile::ScheduleChoice& choice = {}) {
    const std::array programs{assemble(texts[0]), assemble(texts[1]), assemble(texts[2])};
    tile::ProgramFeeder unpack(programs[0], 0), math(programs[1], 1), pack(programs[2], 2);
    auto result = tile::run(tile, {&unpack, &math, &pack}, choice);
    EXPECT_TRUE(result.has_value()) << (result ? "" : to_string(result.error()));
    return result ? *result : tile::RunResult();
  }

  /// What is wrong, a line each; findings that leave results valid do not count.
  std::string faults() const {
    std::string text;
    for (const Fault& fault : tile.faults())
      if (!leaves_results_valid(fault.kind)) text += to_string(fault) + "\n";
    return text;
  }
  bool has_fault(std::string_view part) const {
    for (const Fault& fault : tile.faults())
      if (to_string(fault).find(part) != std::string::npos) return true;
    return false;
  }

  tile::Tile tile;
};

class TileOnBothChips : public ::testing::TestWithParam<Arch> {
 protected:
  TileRig rig{GetParam()};
  bool is_blackhole() const { return arch_params(GetParam()).tile.shared_pack_masks; }
};

} // namespace lanewise::test
