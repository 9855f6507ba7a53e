#include "report/workbench/workbench.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>

#include "base/file.h"
#include "number/formats/format.h"
#include "report/page/listing.h"
#include "report/page/page.h"
#include "report/time/html.h"
#include "report/time/measure.h"
#include "report/workbench/problems.h"

namespace lanewise::report {

namespace {

using nlohmann::json;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
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

} // namespace lanewise::report
