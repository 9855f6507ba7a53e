// What a change between two trees of LLK moves: `lanewise llk-diff` (docs/llk-diff.md).
//
// 1. Which files differ (reach.h), and which tests, operations and kernels may read one of them.
// 2. The cases of these tests, which Python writes down (recorded.h), and those of operations and
//    kernels (operations.h).
// 3. Each case: what g++ would compile in both trees. Where that is the same, nothing can move.
// 4. The others are compiled and run in both (runner.h), and compared (compare.h).
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/fault.h"
#include "base/limits.h"
#include "chip/isa/arch.h"
#include "study/changes/baseline.h"
#include "study/changes/compare.h"
#include "study/changes/tree.h"
#include "study/parts/shared_work.h"

namespace lanewise::changes {

struct DiffProgress {
  std::string step = {};           ///< "listing the variants of 12 test files", "running"
  std::size_t done = 0, total = 0; ///< cases, while they run
};

struct DiffSettings {
  std::vector<Arch> chips = {};
  std::vector<std::string> patterns =
      {}; ///< parts of names of tests, operations and kernels; none: all
  std::optional<unsigned> variants = {}; ///< of each test function; 0: all
  unsigned total = 240;                  ///< without that: how many of all, over all chips
  unsigned jobs = 1;
  double seconds = 0; ///< begin no further case after so many; 0: no limit
  bool tests = true, programs = true;
  ProcessLimits limits = kKernelLimits;
  std::function<bool(const DiffProgress&)> progress = {}; ///< false stops
  parts::SharedWork* work = nullptr;                      ///< the cases of this run; nullptr: all
};

/// How many of a kind there are, and what became of them.
struct KindCounts {
  std::size_t known = 0;   ///< tests' sources, operations, kernels, each once for each chip
  std::size_t reached = 0; ///< of them, those that may read a file that differs
};

struct TreeDiff {
  std::string first = {}, second = {}; ///< names of the trees
  std::string first_commit = {}, second_commit = {};
  std::set<std::string> changed = {}; ///< files, as of changed_files(); empty with a baseline
  bool python_differs = false;
  std::vector<Arch> chips = {};
  KindCounts tests = {}, operations = {}, kernels = {};
  std::vector<CaseDifference> cases = {};
  std::size_t not_run = 0; ///< cases that were left over
  bool stopped = false;    ///< by the user, or since the time was over
  /// Why tests could not be listed, where they should have been: nothing is known of them.
  std::optional<Fault> no_tests = {};
  std::vector<std::string> notes = {}; ///< what could not be looked at, and why
};

/// Cases of a verdict.
std::size_t count(const TreeDiff& diff, Verdict verdict);
/// Whether anything moved, or cannot be run on one side only.
bool has_moved(const TreeDiff& diff);

/// Error: BadInput; what is no checkout, or has nothing of the patterns.
Expected<TreeDiff> diff_trees(const Tree& first, const Tree& second, const DiffSettings& settings);

/// The outcomes of all cases of a tree, or of those of the patterns.
struct BaselineRun {
  Baseline baseline = {};
  std::size_t not_run = 0;
  bool stopped = false;
  std::vector<std::string> notes = {};
};
Expected<BaselineRun> run_baseline(const Tree& tree, const DiffSettings& settings);

/// The same as diff_trees(), where the first side ran before. Cases are those of the baseline.
Expected<TreeDiff> diff_with_baseline(const Baseline& first, const Tree& second,
                                      const DiffSettings& settings);

} // namespace lanewise::changes
