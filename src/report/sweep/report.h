// A sweep as every form of its report takes it.
#pragma once

#include <string>
#include <vector>

#include "chip/isa/program.h"
#include "study/sweep/diff.h"
#include "study/sweep/gates.h"
#include "study/sweep/sweep.h"

namespace lanewise::report {

/// A program of a sweep, for the listing beside the pictures.
struct SweptProgram {
  Arch arch = kDefaultArch;
  Program program;
  std::vector<std::string> source; ///< lines of its file; empty where there is none
  bool as_kernel = false;          ///< as in sweep::SweepProgram
};

struct SweepReport {
  std::string name;      ///< of the kernel, as the user wrote it
  std::string reference; ///< expression or file
  std::string domain;    ///< expression; empty = all inputs
  sweep::SweepResult result;
  std::vector<SweptProgram> programs; ///< in the order of result.chips
  sweep::SweepGates gates;
};

struct DiffReport {
  std::string first_name, second_name;
  std::string reference; ///< empty if there was none
  sweep::DiffResult result;
  std::vector<SweptProgram> first_programs = {}, second_programs = {}; ///< as in SweepReport
};

} // namespace lanewise::report
