// A sweep as every form of its report takes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/program.h"
#include "sweep/diff.h"
#include "sweep/sweep.h"

namespace lanewise::report {

/// A program of a sweep, for the listing beside the pictures.
struct SweptProgram {
  Arch arch = Arch::Blackhole;
  Program program;
  std::vector<std::string> source; ///< lines of its file; empty where there is none
  bool as_kernel = false;          ///< as in lab::SweepProgram
};

/// What a user wants to hold; a sweep that misses it ends with status 1.
struct SweepGates {
  std::optional<double> max_ulp;       ///< of every result, and none of them lost
  std::optional<double> max_exact_ulp; ///< against the reference before rounding
  bool specials = false; ///< NaN, infinite and denormal inputs, and signs of zero, as the reference
};

struct SweepReport {
  std::string name;      ///< of the kernel, as the user wrote it
  std::string reference; ///< expression or file
  std::string domain;    ///< expression; empty = all inputs
  lab::SweepResult result;
  std::vector<SweptProgram> programs; ///< in the order of result.chips
  SweepGates gates;
};

/// What of the gates does not hold, one sentence each, with the chip; empty if all hold. An
/// incomplete sweep or one with faults that make results worthless holds no gate.
std::vector<std::string> missed_gates(const SweepReport& report);

struct DiffReport {
  std::string first_name, second_name;
  std::string reference; ///< empty if there was none
  lab::DiffResult result;
};

} // namespace lanewise::report
