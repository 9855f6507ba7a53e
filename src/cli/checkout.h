// Kernels of a checkout on the command line: --metal DIR, --op NAME and --param NAME=VALUE.
#pragma once

#include <string>
#include <vector>

#include "base/fault.h"
#include "cli/command_line.h"
#include "run/execution/load_program.h"

namespace lanewise::cli {

struct CheckoutOptions {
  std::string folder;                  ///< --metal
  std::string op;                      ///< --op
  std::vector<std::string> parameters; ///< --param, each NAME=VALUE
  bool fp32_dst = false;               ///< settled by settle_op()
};

void add_checkout_options(const Command& command, CheckoutOptions& options);

/// What a command says about its tiles; null if it has no such option.
struct TileFormats {
  std::string* format = nullptr;        ///< "bf16" without another choice
  std::string* output_format = nullptr; ///< empty: as `format`
};

/// Settles what --op leaves open: the program's name, which is that of the header, and the formats
/// of integers. Error: BadInput if there is neither a program nor an operation, if there are both,
/// or if no checkout has an operation of that name.
Expected<void> settle_op(std::string& program, CheckoutOptions& options, TileFormats formats);

/// As execution::add_checkout(). Error: BadInput also for a parameter that is none.
Expected<void> add_checkout(execution::ProgramFile& file, const CheckoutOptions& options,
                            Arch arch);

} // namespace lanewise::cli
