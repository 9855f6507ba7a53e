// The three sections of a test as programs of the cores, on a tile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/fault.h"
#include "chip/clock/timed_run.h"
#include "run/section/core_program.h"
#include "run/section/core_source.h"
#include "run/section/run_sections.h"
#include "run/section/vector_marks.h"

namespace lanewise::section {

/// The places of a core's stretches of SFPI code (vector_marks.h), in their order.
using StretchPlaces = std::array<std::vector<std::uint32_t>, kThreads>;

/// A tile at the start of a test, with the cores' programs in L1.
struct CoresOnTile {
  explicit CoresOnTile(Arch arch)
      : l1(arch_params(arch).tile.l1_bytes),
        tile(arch, {reinterpret_cast<std::uint8_t*>(l1.data()), l1.size()}) {} // NOLINT: bytes

  std::vector<std::byte> l1; ///< of the tile
  tile::Tile tile;
  std::vector<std::uint8_t> before_programs; ///< what L1 held where the programs are
  std::array<std::unique_ptr<VectorMarks>, kThreads> marks;
  std::array<std::unique_ptr<CoreFeeder>, kThreads> cores;

  std::array<tile::Feeder*, kThreads> feeders() const;
  std::array<tile::ClockedFeeder*, kThreads> clocked() const;
};

/// How cores run in time.
struct CoresInTime {
  /// Whether up to four `.ttinsn`s side by side leave a core of Blackhole in one cycle: so it was
  /// in LLK's tests until the end of August 2026; tt-metal's firmware switches it off.
  bool gathers = false;
  bool keeps_timeline = false;
  std::vector<clock::Deed> watched = {};
  /// Hears what the cores do, in the cycles in which they do it.
  std::function<void(unsigned core, const tile::CoreAction&, std::uint64_t cycle)> hears = {};
};

/// What a run of cores needs.
struct CoresRun {
  const TestSource& source;
  const CoreImages& images;
  const SectionsRun& how;                         ///< the inputs, the configuration, the order
  std::span<const Stretches> stretches = {};      ///< of the sections on the host; empty: none
  std::function<bool()> stop = {};                ///< asked now and then; true: end where they are
  std::optional<CoresInTime> time = std::nullopt; ///< in place of the order of `how`
};

/// Without places, the words of a stretch come at its end. Error: BadInput, as of start_tile() and
/// load_images().
Expected<std::unique_ptr<CoresOnTile>> set_up_cores(const CoresRun& run,
                                                    const StretchPlaces& places);

/// The places of all stretches, by a run in which it does not matter where their words come. Error:
/// Unsupported, if the cores do not come through the stretches of the host, and what the cores fail
/// with.
Expected<StretchPlaces> count_places(const CoresRun& run);

/// What came of cores that ran in time: SectionsOutcome::zones have their cycles.
struct CoresOutcome {
  SectionsOutcome sections;
  std::optional<clock::TimedResult> time; ///< where it was asked for
};

/// The programs from their start to where they cannot go on. What takes their place in L1 is there
/// again afterwards. Error: as of set_up_cores() and count_places().
Expected<CoresOutcome> run_cores(const CoresRun& run);

/// What a run of a test on the host and on the cores needs.
struct BothRun {
  const TestSource& source;
  const HostAndCoreObjects& objects;
  const SectionsRun& how;
  std::function<bool()> stop = {};
  std::optional<CoresInTime> time = std::nullopt;
};

/// What came of a test on the host, if it was needed, and of its programs on the cores: nothing
/// where the host did not come to its end.
struct HostAndCores {
  std::optional<SectionsOutcome> host;
  CoreImages images; ///< the programs
  std::optional<Expected<CoresOutcome>> cores;
};

/// The sections on the host, and their programs on the cores beside them: both are there in the
/// time of the slower one. Only programs with SFPI code come behind the host, since they have to
/// know what it made of that. In time, programs without SFPI code run alone, as nothing of the host
/// is needed then; it comes into play where they did not come to their end within the processor
/// time that sections have, since it knows best why. Error: as of run_sections() and
/// read_core_images().
Expected<HostAndCores> run_host_and_cores(const BothRun& run);

/// What is assumed about the cores' code where a section has SFPI code.
inline constexpr std::string_view kAssumedOfVectorCode =
    "assumed of SFPI code: its instructions are those of lanewise's compiler, in its order, spread "
    "evenly over the operations and instructions among which the cores push them";
inline constexpr std::string_view kAssumedOfCores =
    "assumed of the cores' code: it is that of riscv64-unknown-elf-g++ with the flags of LLK's "
    "build, in place of the vendor's compiler";

/// Nothing if both have left the same in L1, but for the times of zones, and executed as many
/// instructions; else what differs first. Fault: Unsupported.
Expected<void> agree(const SectionsOutcome& host, const SectionsOutcome& cores,
                     const CoreImages& images);

} // namespace lanewise::section
