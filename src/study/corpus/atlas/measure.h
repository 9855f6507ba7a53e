// One item of an atlas: compiled, which tells whether an earlier run has measured it, and measured.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "run/execution/check_program.h"
#include "study/corpus/atlas/items.h"
#include "study/corpus/tune/outcome.h"
#include "study/sweep/sweep.h"

namespace lanewise::corpus {

/// An item on a chip.
struct AtlasChip {
  Arch arch = kDefaultArch;
  std::string failure = {};               ///< why there are no words; empty if there are
  sweep::SweepProgram program = {};       ///< the words
  std::string identity = {};              ///< tuned_program(), for words and parts of a kernel
  std::optional<TuneOutcome> bound = {};  ///< measured: rows, and what no schedule is below
  execution::CheckedProgram checked = {}; ///< measured: hazards, faults, cycles
};

/// How items are measured.
struct AtlasSettings {
  /// Of functions of one number of 32 bits all 2^32 inputs instead of a sample.
  bool every_32bit = false;
  /// Called now and then; false stops.
  std::function<bool(const sweep::SweepProgress&)> progress = {};
};

/// An item with its words.
struct PreparedItem {
  std::vector<AtlasChip> chips; ///< those that it is for
  sweep::SweepSpace space;      ///< that is measured
  std::string key;              ///< items with the same one have the same results; 32 digits
};

/// What is known of it.
struct MeasuredItem {
  std::vector<AtlasChip> chips;
  std::string not_swept = {}; ///< why there are no errors; empty if there are
  std::optional<sweep::SweepResult> errors = {};
  /// The same as tt-eltwise-accuracy-report counts, where silicon was measured.
  std::optional<sweep::SweepResult> as_silicon = {};
  bool is_complete = true; ///< false after a stop
};

/// Compiles. What does not compile has its reason in the result.
PreparedItem prepare_item(const AtlasItem& item, const AtlasSources& sources,
                          std::span<const Arch> chips, const AtlasSettings& settings);

/// Measures, in one thread.
MeasuredItem measure_item(const AtlasItem& item, const AtlasSources& sources, PreparedItem prepared,
                          const AtlasSettings& settings);

} // namespace lanewise::corpus
