// What the workbench says of a program against a reference.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "base/in_quotes.h"
#include "number/formats/format.h"
#include "number/references/reference.h"
#include "report/sweep/html.h"
#include "report/sweep/report.h"
#include "report/workbench/problems.h"
#include "report/workbench/workbench.h"
#include "study/sweep/sweep.h"

namespace lanewise::report {

namespace {

using nlohmann::json;

/// Inputs of a format, or pairs, that are too many to be measured one by one are sampled.
constexpr std::uint64_t kSampledInputs = std::uint64_t{1} << 16;

/// What the reference is asked for.
struct Measurement {
  std::unique_ptr<references::Reference> reference;
  sweep::SweepOptions options;
};

/// How many inputs a sweep has, or pairs of them; a range counts as if it were everything.
std::uint64_t count_of(const Measurement& measured) {
  const sweep::SweepSpace& space = measured.options.space;
  const std::uint64_t each =
      space.sample ? space.sample->count
                   : std::uint64_t{1} << isa::number_format(measured.options.format).width();
  if (space.sample || measured.reference->operands() == 1) return each;
  return each > kMostWorkbenchInputs ? each : each * each;
}

Expected<Measurement> measurement(const WorkbenchRequest& request) {
  Measurement measured;
  auto reference = references::parse_reference(request.reference);
  if (!reference) return Unexpected(reference.error());
  measured.reference = std::move(*reference);
  const auto format = formats::parse_format(request.format);
  if (!format) return Unexpected(format.error());
  measured.options.format = *format;
  measured.options.generation = sweep::Generation::Never; // g++ takes longer than such a sweep
  if (request.inputs.empty()) {
    if (count_of(measured) > kMostWorkbenchInputs)
      measured.options.space.sample = sweep::SweepSample{.count = kSampledInputs, .seed = 1};
    return measured;
  }
  const auto space = sweep::parse_sweep_space(request.inputs);
  if (!space) return Unexpected(space.error());
  measured.options.space = *space;
  if (count_of(measured) > kMostWorkbenchInputs) {
    return bad_input(
        fmt::format("inputs {} are more than can follow every edit", in_quotes(request.inputs)),
        fmt::format("take sample:{}; 'lanewise sweep' measures all", kSampledInputs));
  }
  return measured;
}

} // namespace

json Workbench::errors(const WorkbenchRequest& request, const std::function<bool()>& wanted) {
  json answer{{"problems", json::array()}};
  const auto fail = [&](const Fault& fault) {
    add_problems(answer["problems"], fault, "error", name_);
    return answer;
  };
  auto measured = measurement(request);
  if (!measured) return fail(measured.error());
  const Expected<execution::LoadedProgram>& program = loaded(request);
  if (!program) return answer; // program() tells why
  measured->options.progress = [&](const sweep::SweepProgress&) { return wanted(); };
  const sweep::SweepProgram swept = sweep::sweep_program(*program);
  auto result = sweep::sweep({&swept, 1}, *measured->reference, measured->options);
  if (!result) return fail(result.error());
  if (!result->complete()) return answer;
  SweepReport report;
  report.name = name_;
  report.reference = measured->reference->text();
  report.result = std::move(*result);
  answer["inputs"] = report.result.total;
  answer["errors"] = sweep_section(report);
  return answer;
}

} // namespace lanewise::report
