// How far results are from what is wanted: from a function, or from the plain program's results.
#pragma once

#include <string>

#include "base/fault.h"
#include "number/references/reference.h"
#include "study/sweep/chunk.h"
#include "study/sweep/statistics.h"
#include "study/tune/prove.h"
#include "study/tune/row_values.h"

namespace lanewise::tune {

/// Errors in ULP as sweeps count them (number/formats/ulp.h), of all inputs.
struct ResultErrors {
  double largest = 0; ///< of the inputs that a sweep counts; infinite if a result is lost
  double mean = 0;    ///< of the same
  /// Of all other inputs (denormals, infinities, NaN, those where NaN is wanted) whose results are
  /// farther from what is wanted than those of the plain program; infinite where one of both is a
  /// NaN.
  double apart = 0;

  /// Whether all of it is within so many ULP. What is infinite never is.
  bool is_within(double ulp) const;
};

/// What a sweep says of a program.
struct MeasuredErrors {
  sweep::UlpStatistics error; ///< lost results are not in `largest` and `mean`
  double apart = 0;           ///< as in ResultErrors
  std::string fault = {};     ///< a sentence where results are worthless

  bool is_within(double ulp) const;
};

class Accuracy {
 public:
  /// `inputs`: all of the format. Without a `reference` the plain program's results are what is
  /// wanted, and all inputs count for which it gives a number. Error: BadInput as sweep() has it.
  static Expected<Accuracy> make(const Plain& plain, const ProofOptions& options,
                                 const references::Reference* reference, const LaneBits& inputs);

  /// In the order of the inputs.
  const LaneBits& plain_results() const { return plain_results_; }
  /// Of results in the order of the inputs.
  ResultErrors errors_of(const LaneBits& results) const;
  /// The same of a program that is run. Error: BadInput for a .cfg setting that is wrong.
  Expected<ResultErrors> errors_of(const Plain& program) const;
  /// By the sweep engine, over all inputs. Error: as sweep() has it.
  Expected<MeasuredErrors> measure(const Plain& program) const;

 private:
  Accuracy() = default;

  Expected<LaneBits> results_of(const Plain& program) const;
  double distance(std::size_t i, std::uint32_t found) const;
  sweep::SweepProgram as_swept(const Plain& program) const;

  Plain plain_;
  sweep::SweepOptions options_;
  const references::Reference* reference_ = nullptr;
  sweep::SweepChunk wanted_;
  LaneBits plain_results_;
  std::vector<double> plain_distance_;
};

} // namespace lanewise::tune
