// How far results are from what they have to be.
#pragma once

#include <cstdint>
#include <string>

#include "number/formats/format.h"
#include "number/formats/ulp_measure.h"
#include "study/corpus/llk/kernel.h"

namespace lanewise::corpus {

/// The errors of many elements against one bound.
class ErrorSum {
 public:
  /// ULP are those of `measure` (number/formats/ulp_measure.h): against the reference before it is
  /// rounded, if the measure has that, else against the rounded one.
  ErrorSum(formats::Format format, LlkBound bound,
           formats::UlpMeasure measure = formats::UlpMeasure::Line)
      : format_(format), bound_(bound), measure_(measure) {}

  /// `place` says which element it is, and is called only if that is of interest.
  template <class Place>
  void add(double wanted, double got, Place place) {
    if (const double error = count(wanted, got); error > worst_error_) {
      worst_error_ = error;
      example_ = describe(place(), wanted, got);
    }
  }

  /// The largest errors: in ULP of the elements within the bound in ULP, the absolute one of those
  /// of the others that are within the absolute bound, the relative one of the rest. Elements that
  /// are not within any bound count for the last kind of bound that there is.
  LlkBound worst() const { return worst_; }
  std::uint64_t compared() const { return compared_; }
  std::uint64_t wrong() const { return wrong_; }
  /// The element with the largest of the errors that are too large.
  const std::string& example() const { return example_; }

 private:
  /// Counts an element. The error if it is too large, else 0.
  double count(double wanted, double got);
  double ulps(double wanted, double got) const;
  std::string describe(const std::string& place, double wanted, double got) const;

  formats::Format format_;
  LlkBound bound_, worst_;
  formats::UlpMeasure measure_;
  std::uint64_t compared_ = 0, wrong_ = 0;
  double worst_error_ = 0;
  std::string example_;
};

} // namespace lanewise::corpus
