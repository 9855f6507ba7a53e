// The kernels of a checkout of tt-llk, or the operations of one of tt-metal, through the tuner.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/limits.h"
#include "source/checkouts/checkout.h"
#include "source/compiler/options.h"
#include "study/corpus/llk/cases.h"
#include "study/corpus/tune/outcome.h"
#include "study/parts/shared_work.h"
#include "study/tune/tune.h"

namespace lanewise::corpus {

struct CorpusTuning {
  std::string folder = {};
  std::vector<std::string> kernels = {}; ///< by name or header; all if empty
  std::vector<Arch> chips = {};
  compiler::Options compiler = {};
  ProcessLimits limits = kKernelLimits;
  /// Of each kernel; formats and operands are its own. Steps give the same on any machine, seconds
  /// of processor time are a guard.
  tune::TuneOptions tune = {};
  /// Also what takes minutes each: all inputs of 32 bits, and pairs. Without it, kernels with tiles
  /// of 16 bits are tuned for these only.
  bool proves_all = false;
  unsigned jobs = 1;                      ///< processes, and threads of compilations
  std::filesystem::path resume_file = {}; ///< (journal.h); empty: nothing is kept
  parts::SharedWork* work = nullptr;      ///< the cases of this run; nullptr: all
};

/// A kernel in one configuration on one chip.
struct TunedCase {
  std::string kernel, header;
  std::string variant; ///< "bf16, twin"
  Arch arch = kDefaultArch;
  TuneOutcome outcome = {};
};

struct TunedCorpus {
  std::vector<TunedCase> cases; ///< those that are done, in the order of the kernels
  std::size_t all = 0;          ///< that there are, of this run
  std::size_t absent = 0;       ///< known ones whose header the checkout does not have
  std::size_t programs = 0;     ///< that were different, of those that compile
  std::size_t resumed = 0;      ///< of these, that an earlier run had done
  std::size_t damaged = 0;      ///< lines of the resume file that were not as they were written
  bool is_kept = true;          ///< every result could be written to the resume file
};

/// What decides the tuner's result, with the settings of the run: words, what of them runs once,
/// formats. TuneJournal has its results by this name.
std::string tuned_program(const tune::Plain& plain, const tune::ProofOptions& proof);

/// What g++ says first where it has written more, else the message.
std::string first_error(const std::string& message);

/// The cases of a tuning. They point into `kernels`, which may be moved and not copied.
struct TuneCases {
  std::vector<LlkKernel> kernels; ///< all that are known of the checkout
  std::vector<LlkCase> cases;     ///< of the chosen ones, in their order
  std::size_t absent = 0;         ///< known ones whose header the checkout does not have
};

/// Error: BadInput if the checkout has no such kernel.
Expected<TuneCases> tune_cases(const checkouts::Checkout& checkout, const CorpusTuning& tuning);

/// Whether the checkout has the kernel's header for the chip.
bool is_there(const LlkCase& which, const checkouts::Checkout& checkout);

/// What a proof is told of the tiles of a case; all else stays as it is. Error: Unsupported, where
/// there are more tiles or other formats than a proof knows.
Expected<tune::ProofOptions> proof_of_case(const LlkCase& which, tune::ProofOptions options);

/// Tunes each kernel by itself, equal programs once; the results are the same for any number of
/// jobs. What does not compile, or is not taken, has its reason in its result. `progress` gets what
/// is being done; after false, what has begun is finished. Error: BadInput if the folder is no
/// checkout, has no such kernel, or as TuneJournal::open() has it.
Expected<TunedCorpus> tune_corpus(const CorpusTuning& tuning,
                                  const std::function<bool(const std::string&)>& progress);

} // namespace lanewise::corpus
