// The tuner: a program in, the fastest equivalent one that was found and proved out. Start here.
//
//   rows.h    the program as rows that do the same          forms.h   their encodings, constants
//   place.h   carriers, times, registers                    emit.h    instruction words
//   prove.h   every input, the checker, the clock              printed.h the text, and reading it
//   block.h   what has no such rows, as one block
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "study/tune/bounds.h"
#include "study/tune/emit.h"
#include "study/tune/place.h"
#include "study/tune/printed.h"
#include "study/tune/prove.h"
#include "study/tune/rows.h"

namespace lanewise::tune {

struct TuneProgress {
  std::string text;                         ///< what is being done
  std::optional<std::uint64_t> best_cycles; ///< of a tile
  bool is_proof = false; ///< the last proof, over very many inputs: the search has ended
};

struct TuneOptions {
  bool macros = true;
  bool conservative = false; ///< only what shipped kernels do: instruction-counted macros
  /// Of the search below the interval that a quick search has found.
  std::uint64_t steps_per_interval = 150'000;
  /// Processor time for everything but the last proof; 0: no limit. What is found then depends on
  /// the machine.
  double seconds = 0;
  ProofOptions proof = {};
  /// Computed instead of the plain program's row: ProofOptions::judge then says what will do.
  std::optional<RowGraph> row = std::nullopt;
  /// Cycles of a tile that a program must be below, if that is fewer than the plain one takes.
  std::optional<double> faster_than = std::nullopt;
  Form form = Form::Assembly; ///< in which the result is printed, and proved
  std::string name = "tuned"; ///< of the functions in Form::Tti
  bool blocks = true;         ///< what gives nothing faster as rows is tuned as a block (block.h)
  /// Called now and then; false ends the search with what is there.
  std::function<bool(const TuneProgress&)> progress = {};
};

/// One placement search, for the report.
struct Trial {
  std::string description; ///< of the form: where its constants are
  Attempt attempt;
  std::string result = {}; ///< "proved", or why it was not taken
};

struct TuneResult {
  Arch arch = kDefaultArch;
  /// It was tuned as a block (block.h): there are no rows, and intervals are cycles of a tile.
  bool is_block = false;
  std::string not_rows = {}; ///< why; empty: of its rows nothing faster was found
  Rows rows;
  std::vector<ResourceBound> bounds; ///< of the form with the lowest one
  unsigned lowest_interval = 0;      ///< no schedule is below it
  std::string lowest_resource;
  std::vector<Trial> trials;
  bool stopped = false;         ///< by TuneOptions::seconds or progress
  bool proof_was_ended = false; ///< by TuneOptions::progress: nothing else is tried
  /// ProofOptions::only_soon: a faster program was left out, since its proof would take minutes.
  bool was_left_open = false;
  double plain_cycles = 0; ///< of a tile
  /// Nothing where no program was proved that is faster than the plain one.
  std::optional<Tuned> tuned;
  std::string text; ///< of `tuned` as it is printed: this text was read back and proved
  Proof proof;
  unsigned interval = 0; ///< cycles per row of `tuned`
};

/// Error: Unsupported with the reason where the program has no rows that can be tuned; BadInput as
/// prove() has it.
Expected<TuneResult> tune(const Plain& plain, const TuneOptions& options);

} // namespace lanewise::tune
