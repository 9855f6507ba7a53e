#include "report/workbench/workbench.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>

#include "base/file.h"
#include "base/in_quotes.h"
#include "number/formats/format.h"
#include "number/references/reference.h"
#include "report/page/listing.h"
#include "report/page/page.h"
#include "report/sweep/html.h"
#include "report/sweep/report.h"
#include "report/time/html.h"
#include "report/time/measure.h"
#include "report/workbench/problems.h"
#include "study/sweep/sweep.h"

namespace lanewise::report {

namespace {

using nlohmann::json;

/// Inputs of a format, or pairs, that are too many to be measured one by one are sampled.
constexpr std::uint64_t kSampledInputs = std::uint64_t{1} << 16;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
}

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

Workbench::Workbench(std::string name, std::vector<ChipFile> files)
    : name_(std::move(name)), files_(std::move(files)), folder_("serve") {}

/// A kernel's text is compiled from a file of the same name in a folder of its own; what it
/// includes still lies beside the original.
execution::ProgramFile Workbench::file_for(Arch arch) const {
  const auto found = std::ranges::find(files_, arch, &ChipFile::arch);
  if (found == files_.end()) return {};
  execution::ProgramFile file = found->file;
  if (!execution::is_kernel_file(file.name)) return file;
  const std::filesystem::path original = file.name;
  const std::filesystem::path beside = original.parent_path();
  file.kernel.include_dirs.insert(file.kernel.include_dirs.begin(),
                                  beside.empty() ? "." : beside.string());
  file.name = (folder_.path() / original.filename()).string();
  return file;
}

Fault Workbench::renamed(Fault fault) const {
  const std::string path = (folder_.path() / std::filesystem::path(name_).filename()).string();
  fault.message = replaced(std::move(fault.message), path, name_);
  fault.file = replaced(std::move(fault.file), path, name_);
  return fault;
}

Expected<execution::LoadedProgram> Workbench::load(const WorkbenchRequest& request) {
  const execution::ProgramFile file = file_for(request.arch);
  if (file.name.empty()) {
    return bad_input(
        fmt::format("there is no such program for {}", arch_params(request.arch).names.full),
        "choose the other chip");
  }
  if (execution::is_kernel_file(file.name)) {
    if (!folder_.is_made())
      return bad_input("no folder for the kernel's text can be made",
                       "see whether $TMPDIR is full");
    const auto bytes = std::as_bytes(std::span(request.text));
    if (auto written = write_file_atomically(file.name, bytes); !written)
      return Unexpected(written.error());
  }
  auto programs = execution::load_program(file, request.text, {&request.arch, 1});
  if (!programs) return Unexpected(renamed(std::move(programs.error())));
  execution::LoadedProgram program = std::move(programs->front());
  program.program.name = name_;
  return program;
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
      add_problems(problems, renamed(fault), "warning", name_);
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
