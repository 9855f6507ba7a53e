// An approximation with the sweep of its kernel, as every form of its report takes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "number/fits/approximation.h"
#include "study/sweep/sweep.h"

namespace lanewise::report {

struct FitReport {
  std::string function; ///< as the user wrote it
  double low = 0, high = 1;
  std::optional<fits::Polynomial> polynomial; ///< or
  std::optional<fits::LineTable> table;
  formats::Format coefficients = formats::Format::FP32; ///< of a polynomial
  std::string kernel;                                   ///< its source
  std::string file;                                     ///< where it was written; empty if nowhere
  sweep::SweepResult sweep;
};

} // namespace lanewise::report
