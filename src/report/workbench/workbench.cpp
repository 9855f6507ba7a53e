#include "report/workbench/workbench.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "number/formats/format.h"
#include "report/page/listing.h"
#include "report/page/page.h"
#include "report/time/html.h"
#include "report/time/measure.h"
#include "report/workbench/problems.h"

namespace lanewise::report {

namespace {

using nlohmann::json;

} // namespace

Workbench::Workbench(std::string name, std::vector<ChipFile> files)
    : name_(std::move(name)), files_(std::move(files)), unsaved_("serve") {}

Expected<execution::LoadedProgram> Workbench::load(const WorkbenchRequest& request) {
  const auto found = std::ranges::find(files_, request.arch, &ChipFile::arch);
  if (found == files_.end()) {
    return bad_input(
        fmt::format("there is no such program for {}", arch_params(request.arch).names.full),
        "choose the other chip");
  }
  return unsaved_.load(found->file, request.text, request.arch, name_);
}

const Expected<execution::LoadedProgram>& Workbench::loaded(const WorkbenchRequest& request) {
  if (!kept_ || kept_->text != request.text || kept_->arch != request.arch)
    kept_.emplace(Kept{request.text, request.arch, load(request)});
  return kept_->program;
}

json Workbench::program(const WorkbenchRequest& request) {
  json answer{{"problems", json::array()}};
  json& problems = answer["problems"];
  const auto fail = [&](const Fault& fault) {
    add_problems(problems, fault, "error", name_);
    return answer;
  };
  const auto format = formats::parse_format(request.format);
  if (!format) return fail(format.error());
  const Expected<execution::LoadedProgram>& program = loaded(request);
  if (!program) return fail(program.error());
  if (program->kernel) {
    for (const Fault& fault : program->kernel->compiled.diagnostics)
      add_problems(problems, fault, "warning", name_);
  }
  for (const Fault& doubt : program->doubts) add_problems(problems, doubt, "warning", name_);
  const auto timed = measure_time(*program, {.format = *format});
  if (!timed) return fail(timed.error());
  for (const timing::Hazard& hazard : timed->checked.hazards) add_problem(problems, hazard);
  for (const Fault& fault : timed->checked.faults) add_problems(problems, fault, "fault", name_);
  if (!timed->untimed.empty()) {
    add_problems(problems, {.message = timed->untimed}, "note", name_);
    return answer;
  }
  answer["time"] = time_section(*timed, std::nullopt);
  answer["listing"] = program_listing(
      {timed->arch, timed->program, timed->prepared, timed->timing.schedule, timed->source});
  return answer;
}

} // namespace lanewise::report
