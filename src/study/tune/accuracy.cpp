#include "study/tune/accuracy.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "number/formats/ulp.h"
#include "number/formats/ulp_measure.h"
#include "study/sweep/diff.h"
#include "study/sweep/gates.h"
#include "study/sweep/program.h"
#include "study/sweep/sweep.h"

namespace lanewise::tune {

namespace {

bool holds(double error, double ulp) {
  return std::isfinite(error) && error <= ulp;
}

} // namespace

bool ResultErrors::is_within(double ulp) const {
  return holds(largest, ulp) && holds(apart, ulp);
}

bool MeasuredErrors::is_within(double ulp) const {
  return fault.empty() && error.lost == 0 && holds(error.largest, ulp) && holds(apart, ulp);
}

Expected<Accuracy> Accuracy::make(const Plain& plain, const ProofOptions& options,
                                  const references::Reference* reference, const LaneBits& inputs) {
  Accuracy accuracy;
  accuracy.plain_ = plain;
  accuracy.reference_ = reference;
  accuracy.options_ = {
      .format = options.format, .output_format = options.output_format, .threads = options.threads};
  const formats::Format output = options.output_format.value_or(options.format);
  sweep::SweepChunk& wanted = accuracy.wanted_;
  wanted.inputs.x = inputs;
  auto results = accuracy.results_of(plain);
  if (!results) return Unexpected(results.error());
  sweep::ChunkEvaluator evaluator(options.format, output, reference, nullptr);
  if (auto done = evaluator.evaluate(wanted); !done) return Unexpected(done.error());
  if (reference == nullptr) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      wanted.expected.bits[i] = (*results)[i];
      wanted.expected.exact[i] = formats::value_of_bits(output, (*results)[i]);
      wanted.expected.kind[i] = std::isnan(wanted.expected.exact[i]) ? sweep::InputKind::ExpectedNaN
                                                                     : sweep::InputKind::Counted;
    }
  }
  for (std::size_t i = 0; i < inputs.size(); ++i)
    accuracy.plain_distance_.push_back(accuracy.distance(i, (*results)[i]));
  accuracy.plain_results_ = std::move(*results);
  return accuracy;
}

sweep::SweepProgram Accuracy::as_swept(const Plain& program) const {
  // A pass of each is the same part of a tile, however it starts.
  return {program.arch, program.program, program.as_kernel, plain_.as_kernel};
}

Expected<LaneBits> Accuracy::results_of(const Plain& program) const {
  auto runner = sweep::ChunkRunner::prepare(as_swept(program), options_, false, false);
  if (!runner) return Unexpected(runner.error());
  sweep::FoundBits results;
  runner->run(wanted_.inputs, results);
  return std::move(results.found);
}

double Accuracy::distance(std::size_t i, std::uint32_t found) const {
  const formats::Format output = options_.output_format.value_or(options_.format);
  return std::fabs(formats::ulp_error(options_.measure, output, wanted_.expected.exact[i],
                                      wanted_.expected.bits[i], found)
                       .distance);
}

ResultErrors Accuracy::errors_of(const LaneBits& results) const {
  ResultErrors errors;
  double sum = 0;
  std::size_t counted = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const double error = distance(i, results[i]);
    if (wanted_.expected.kind[i] == sweep::InputKind::Counted) {
      errors.largest = std::max(errors.largest, error);
      if (!std::isfinite(error)) continue;
      sum += error;
      ++counted;
    } else if (error > plain_distance_[i]) {
      errors.apart = std::max(errors.apart, error);
    }
  }
  if (counted != 0) errors.mean = sum / static_cast<double>(counted);
  return errors;
}

Expected<ResultErrors> Accuracy::errors_of(const Plain& program) const {
  const auto results = results_of(program);
  if (!results) return Unexpected(results.error());
  return errors_of(*results);
}

Expected<MeasuredErrors> Accuracy::measure(const Plain& program) const {
  const auto errors = errors_of(program);
  if (!errors) return Unexpected(errors.error());
  MeasuredErrors measured{.error = {}, .apart = errors->apart};
  const sweep::SweepProgram first = as_swept(plain_), second = as_swept(program);
  const auto take = [&](const sweep::UlpStatistics& error, const std::vector<Fault>& faults) {
    measured.error = error;
    if (!sweep::leave_results_valid(faults)) measured.fault = to_string(faults.front());
  };
  if (reference_ != nullptr) {
    const auto swept = sweep::sweep(std::span(&second, 1), *reference_, options_);
    if (!swept) return Unexpected(swept.error());
    take(swept->chips.front().error, swept->chips.front().faults);
  } else {
    const auto compared =
        sweep::diff_programs(std::span(&first, 1), std::span(&second, 1), 1, nullptr, options_);
    if (!compared) return Unexpected(compared.error());
    take(compared->chips.front().distance, compared->chips.front().second.faults);
  }
  return measured;
}

} // namespace lanewise::tune
