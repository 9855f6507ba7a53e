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
  bool init_left = false;              ///< what INIT has is left as a function, not taken in
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
  /// As many as `runs`, or none: the initialisation is taken in where it is left there, and left
  /// where it is taken in. How much of each counts, share_taken_in() says.
  std::vector<ClockCase> other = {};
};

/// How often the vendor's compiler takes an initialisation in, which is a function of LLK or of its
/// tests: always, in one of two programs, or never. What decides in between is not known.
/// CT: with a narrow Dst, an operation's initialisations of 5 words have one value, those of 6 and
/// 8 words have two, six cycles apart, and those of 10 and more one; with a wide Dst, those of 5
/// words have two. Those of packers have several, 8 to 16 apart, however long they are.
double share_taken_in(const ClockCase& each, unsigned words);

/// Error: Unsupported; what the benchmarks have not, by name.
Expected<std::vector<RowMember>> members_of(const CostRow& row);

} // namespace lanewise::silicon
