// A core of a program in time: its kernels as RV32 programs of the five cores of a tile, beside
// what it sees of the NoC.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fault.h"
#include "binary/elf/image.h"
#include "chip/clock/timed_run.h"
#include "chip/noc/carrier.h"
#include "chip/noc/timed_noc.h"
#include "chip/tile/tile.h"
#include "run/section/core_program.h"
#include "run/section/vector_marks.h"
#include "source/programs/compile.h"
#include "source/programs/grid.h"

namespace lanewise::grid {

/// A circular buffer holds so many pages from a cycle on.
struct CbLevel {
  std::uint64_t cycle = 0;
  unsigned index = 0;
  std::uint32_t pages = 0, capacity = 0;
};

/// The programs of a group's cores.
class CoreImages {
 public:
  /// `objects`: as programs::compile_groups_for_cores() makes them. Error: BadInput.
  static Expected<CoreImages> read(const programs::ProgramObjects& objects);

  /// nullptr where nothing runs.
  const elf::Image* of(unsigned core) const { return images_[core].get(); }
  /// The kernel's file.
  const std::string& source(unsigned core) const { return sources_[core]; }

 private:
  std::array<std::unique_ptr<elf::Image>, programs::kCores> images_;
  std::array<std::string, programs::kCores> sources_;
};

/// What SFPI code has become on the host, by thread, and how many places each stretch has
/// (VectorMarks).
using CoreStretches = std::array<section::Stretches, kThreads>;
using Places = std::array<std::vector<std::uint32_t>, kThreads>;

/// What a core runs, all of which must live as long; and its memories.
struct TimedCoreParts {
  const programs::CoreProgram& core;
  const CoreImages& images;
  const CoreStretches& stretches;
  Places places = {};
  std::span<std::uint8_t> l1;
  std::vector<std::span<std::uint8_t>> banks;
  std::optional<NocPlace> grid = std::nullopt; ///< columns and rows; none: the core is alone
};

class TimedCore {
 public:
  /// Puts what its cores start with into L1.
  explicit TimedCore(TimedCoreParts parts);

  /// Sets the device up and releases the cores. Error: what set_device_up() has.
  Expected<void> begin(bool gathers, bool keeps_timeline, std::function<bool()> stop);

  /// As of clock::TimedTile; what is planned for its NoC counts.
  std::uint64_t next() const;
  Expected<void> run_until(std::uint64_t cycle);
  bool has_run_out() const { return tile_in_time_->has_run_out(); }

  /// Once, at the end. Error: Unsupported where not all have come to their ends: the program in
  /// time is not the one on the host.
  Expected<clock::TimedResult> finish();

  noc::CoreOnNoc on_noc() {
    const programs::Core& core = parts_.core.program.core;
    return {.number = noc::core_number(core.x, core.y), .noc = &noc_, .timed = &timed_noc_};
  }
  const std::vector<CbLevel>& levels() const { return levels_; }
  /// Places of stretches, once it has ended.
  Places counted() const;

 private:
  static constexpr unsigned kFeeders = programs::kCores + 1; ///< the last one is the NoC

  void load(unsigned core, const elf::Image& image);
  void watch_levels();
  void note_levels();

  TimedCoreParts parts_;
  Arch arch_;
  tile::Tile tile_;
  noc::Noc noc_;
  noc::TimedNoc timed_noc_{noc_};
  std::map<unsigned, std::uint32_t> held_; ///< pages, by circular buffer
  std::vector<CbLevel> levels_;
  std::array<std::unique_ptr<section::VectorMarks>, kThreads> marks_;
  std::array<std::unique_ptr<section::CoreFeeder>, programs::kCores> cores_;
  std::unique_ptr<clock::TimedTile> tile_in_time_;
};

/// "The program in time is not the one on the host".
Unexpected differs_from_host(const std::string& how);

} // namespace lanewise::grid
