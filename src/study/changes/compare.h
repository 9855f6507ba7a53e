// What moved between two outcomes of a case: how many elements and where, findings, cycles, state.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "study/changes/case.h"

namespace lanewise::changes {

/// The elements of the results that are not the same.
struct ElementChanges {
  std::uint64_t elements = 0, changed = 0;
  std::uint64_t tiles = 0, tiles_changed = 0;
  /// By face, by row and by column of a tile: how many of them.
  std::vector<std::uint64_t> faces = {}, rows = {}, columns = {};
  unsigned face_columns = 2; ///< faces beside each other
  /// The largest distances; of the second, elements that are no numbers have none.
  std::uint64_t largest_ulp = 0;
  double largest_absolute = 0;
  std::uint64_t lost = 0; ///< elements that are a number on one side only
  /// The first of them, as a sentence.
  std::string first = {};
};

struct StateChange {
  std::string name;
  std::uint32_t before = 0, after = 0;

  friend bool operator==(const StateChange&, const StateChange&) = default;
};

struct CyclesChange {
  std::string resource;
  double before = 0, after = 0;

  friend bool operator==(const CyclesChange&, const CyclesChange&) = default;
};

enum class Verdict : std::uint8_t {
  NotReached,  ///< what g++ compiles is the same, and so are the inputs: nothing can move
  Same,        ///< ran on both, and nothing moved
  Moved,       ///< ran on both, and something did
  FailsBefore, ///< cannot be run in the first tree only
  FailsAfter,  ///< cannot be run in the second tree only
  FailsBoth
};

struct CaseDifference {
  CaseKind kind = CaseKind::Test;
  Arch arch = kDefaultArch;
  std::string id = {}, group = {}, source = {};
  Parameters parameters = {};
  Verdict verdict = Verdict::Same;
  std::string error_before = {}, error_after = {};
  std::optional<ElementChanges> results = {}; ///< where elements moved
  std::uint64_t other_bytes = 0;              ///< of L1, beside the results, that moved
  std::uint32_t first_other = 0;              ///< the address of the first of them
  std::vector<std::string> ends_before = {}, ends_after = {}; ///< where they differ
  std::vector<Finding> new_findings = {}, gone_findings = {};
  std::array<std::uint64_t, kThreads> executed_before{}, executed_after{};
  std::vector<CyclesChange> cycles = {}; ///< of a tile, that moved
  std::vector<StateChange> state = {};   ///< what is left behind in another way
  bool inputs_differ = false; ///< L1 was not the same before: the trees' tests give others

  bool has_results_moved() const { return results.has_value() || other_bytes != 0; }
};

/// Compares. `before` and `after` are of `first` and `second`, which are the same case in two
/// trees.
CaseDifference compare(const TestCase& first, const Outcome& before, const TestCase& second,
                       const Outcome& after);

/// Where the two cases have their tiles in the same places, but other numbers in them: gives the
/// second those of the first, so that what moves is the library's doing. Tiles of LLK's tests lie
/// from kTilesAddress on; parameters of the test, before it, stay its own.
inline constexpr std::uint32_t kTilesAddress = 0x21000;
void share_tiles(const TestCase& first, TestCase& second);

/// Whether something moved, or only one side can be run.
bool is_difference(Verdict verdict);

/// Where in their tiles the elements are: "column 0 of faces F0 and F2, rows 0 to 31". Says it
/// where all are in right-hand faces, or in left-hand ones.
std::string places_text(const ElementChanges& changes);

} // namespace lanewise::changes
