// lanewise tune --corpus DIR: the kernels of a checkout through the tuner, as a table.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/exit_status.h"
#include "cli/part_options.h"
#include "study/corpus/tune/tune_corpus.h"

namespace lanewise::cli {

/// Steps of the search at an interval, so that a checkout takes minutes.
inline constexpr std::uint64_t kCorpusSteps = 20'000;

/// What is only there with --corpus.
struct TuneCorpusOptions {
  std::string folder; ///< --corpus
  std::vector<std::string> kernels;
  PartOptions part; ///< --resume is the table's own: a journal of programs
  std::string page, prove;
  unsigned jobs = 0;
  bool json = false; ///< instead of Markdown
};

/// Adds --corpus, which stands in the place of `others`, and what goes with it.
void add_tune_corpus_options(const Command& command, TuneCorpusOptions& options,
                             std::initializer_list<Option> others);

/// Error: BadInput if one of them is there without --corpus.
Expected<void> check_tune_corpus_options(const TuneCorpusOptions& options);

/// The same, written into the headers: patches in the folder `out`, which is made if it is not
/// there, and a table of them on standard output.
ExitStatus patch_checkout(const TuneCorpusOptions& options, corpus::CorpusTuning tuning,
                          const std::string& out);

/// `tuning` has chips, compiler and the tuner's options; `out` is a file, or empty.
ExitStatus tune_checkout(const TuneCorpusOptions& options, corpus::CorpusTuning tuning,
                         const std::string& out);

} // namespace lanewise::cli
