// What the tuner has made of a kernel of a checkout: a row of a table, and its form in files.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "study/tune/tune.h"

namespace lanewise::corpus {

enum class TuneVerdict : std::uint8_t {
  Optimal,       ///< faster, and nothing is below its cycles per row
  Bounded,       ///< faster, above the bound
  NothingFaster, ///< the plain program stays
  NotProved,     ///< of too many inputs: what is faster is not proved, see TuneOutcome::why
  Refused,       ///< the tuner does not take it
  NotCompiled,
  Failed ///< the process that tuned it was ended
};

/// "optimal", "bound", ...
std::string_view verdict_name(TuneVerdict verdict);

struct TuneOutcome {
  TuneVerdict verdict = TuneVerdict::Failed;
  std::string why = {};     ///< a sentence without a place, where there is something to say
  unsigned rows = 0;        ///< of a tile; 0: they are not known
  double plain_cycles = 0;  ///< of a tile as it is compiled; 0: not known
  unsigned interval = 0;    ///< cycles per row of what was found; 0: nothing was
  std::uint64_t cycles = 0; ///< of its tile
  unsigned lowest_interval =
      0; ///< no schedule of a row that the tuner knows is below it; 0: not known
  std::string resource = {};                           ///< that says so
  tune::ProofKind proved_by = tune::ProofKind::Inputs; ///< of what is faster
  /// It was tuned as a block: there are no rows, and intervals are cycles of a tile.
  bool is_block = false;
  bool was_stopped = false; ///< by the limit of time: another machine may find more

  bool is_faster() const {
    return verdict == TuneVerdict::Optimal || verdict == TuneVerdict::Bounded;
  }
  /// Cycles of a tile that no program is below which the tuner knows; 0: not known.
  double tile_bound() const { return static_cast<double>(lowest_interval) * (is_block ? 1 : rows); }
  /// Whether the bound says that nothing is faster than the plain program, which stays.
  bool is_best() const {
    return verdict == TuneVerdict::NothingFaster && plain_cycles == tile_bound();
  }
  /// Whether the plain program stays, and is below the bound: it does what the tuner does not know.
  bool is_below_bound() const {
    return verdict == TuneVerdict::NothingFaster && plain_cycles < tile_bound();
  }
  /// Whether the tuner has looked for a faster program to the end of its limits, and proved it.
  bool was_searched() const { return is_faster() || verdict == TuneVerdict::NothingFaster; }
  /// Whether the tuner takes it.
  bool was_taken() const { return was_searched() || verdict == TuneVerdict::NotProved; }

  friend bool operator==(const TuneOutcome&, const TuneOutcome&) = default;
};

/// Tunes a program. Where all inputs take minutes, programs are proved by their expressions alone
/// unless `proves_all`.
TuneOutcome tune_outcome(const tune::Plain& plain, tune::TuneOptions options, bool proves_all);

/// Only rows, cycles and bound: nothing is searched, which takes milliseconds.
TuneOutcome bound_outcome(const tune::Plain& plain, tune::TuneOptions options);

nlohmann::ordered_json outcome_json(const TuneOutcome& outcome);
/// The same back; nothing if it is none.
std::optional<TuneOutcome> parse_outcome(const nlohmann::ordered_json& json);

} // namespace lanewise::corpus
