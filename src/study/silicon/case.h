// What has to be run for a row of a table of cycles, and how its value follows.
#pragma once

#include <string>
#include <vector>

#include "study/silicon/rows.h"

namespace lanewise::silicon {

/// Tiles that a benchmark works on: a loop of 16, twice.
inline constexpr unsigned kTilesOfLoop = 16, kLoops = 2;

/// One run of a benchmark: its constants, and which thread is measured. The others only do what
/// hardware needs of them (UNPACK_ISOLATE and so on).
struct ClockCase {
  Benchmark benchmark = Benchmark::Copy;
  Engine engine = Engine::Math;
  std::string input = {}, output = {}; ///< formats of tiles in L1
  bool wide = false;                   ///< Dst has 32 bits
  bool to_dest = false;                ///< unpacked to Dst
  InitPart init = InitPart::Whole;     ///< of the zone INIT
  bool copy_only = false;              ///< without the operation on the Vector Unit
  const VectorRow* vector = nullptr;   ///< the operation on the Vector Unit, where there is one
  Options choices = {};                ///< further constants: fidelity, operation, reduction, ...

  friend bool operator==(const ClockCase&, const ClockCase&) = default;
};

/// "binary math Float16_b->Float32 f add_binary", for people.
std::string case_text(const ClockCase& each);

/// A measurement of the group: the mean over `runs` of the row's zone, less that of `less`.
struct RowMember {
  std::vector<ClockCase> runs;
  std::vector<ClockCase> less = {}; ///< as many as `runs`, or none
};

/// Error: Unsupported; what the benchmarks have not, by name.
Expected<std::vector<RowMember>> members_of(const CostRow& row);

} // namespace lanewise::silicon
