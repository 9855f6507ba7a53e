// What 'sweep' and 'diff' have in common on the command line: inputs, formats, reference, progress.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/program.h"
#include "number/references/reference.h"
#include "report/sweep/report.h"
#include "study/sweep/sweep.h"

namespace lanewise::cli {

struct SweepSetupOptions {
  std::vector<std::string> archs = default_arch_names();
  std::string format = "bf16", output_format;
  unsigned output_tile = 0;
  std::string srca, srcb; ///< "x", "y", or nothing
  std::string inputs = "every";
  std::string reference, reference_file, domain;
  std::string ulp = "line";
  unsigned threads = 0;
  bool generates = false, interprets = false;
  std::uint64_t worst = 5;
  bool hex = false;
};

/// --ref and --ref-file.
void add_reference_options(const Command& command, SweepSetupOptions& options);
void add_sweep_setup(const Command& command, SweepSetupOptions& options);

/// The same, understood. `sweep.domain` points into it.
struct SweepSetup {
  std::vector<Arch> chips;
  std::unique_ptr<references::Reference> reference; ///< nullptr if there is none
  std::unique_ptr<references::Reference> domain;    ///< nullptr = all inputs
  sweep::SweepOptions sweep;
};

/// Error: BadInput for whatever cannot be understood. A reference in C++ is compiled here.
Expected<SweepSetup> sweep_setup(const SweepSetupOptions& options);

/// The programs as sweep() takes them, in the order of the chips.
std::vector<sweep::SweepProgram> sweep_programs(const std::vector<LoadedProgram>& programs);

/// The same as a report lists them.
std::vector<report::SweptProgram> swept_programs(std::vector<LoadedProgram> programs);

/// Shows on a terminal how far a sweep is and how long it will take; stops it after Ctrl-C.
std::function<bool(const sweep::SweepProgress&)> watched_progress();

/// "2 min 05 s", "1 h 12 min".
std::string duration_text(double seconds);

} // namespace lanewise::cli
