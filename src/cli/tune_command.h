// What 'lanewise tune' was asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/tune_corpus.h"
#include "cli/tune_front.h"

namespace lanewise::cli {

struct TuneCommand {
  std::vector<std::string> kernels;
  std::vector<std::string> archs = default_arch_names();
  std::string format = "bf16", out_format, reference, emit, name = "tuned", out;
  std::vector<std::string> allowed;
  double seconds = 60, solver_seconds = 60;
  std::uint64_t steps = 0; ///< 0: as many as usual
  unsigned operands = 0;   ///< 0: of an operation as many as it has, else 1
  unsigned threads = 0;
  bool conservative = false, no_macros = false, hex = false, table = false;
  bool json = false;
  FrontCommand front;
  KernelOptions options;
  TuneCorpusOptions corpus;
};

/// Whether C++ is printed.
inline bool is_tti(const TuneCommand& command) {
  return command.emit.empty() || command.emit == "tti";
}

} // namespace lanewise::cli
