#include "python/program.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/text_file.h"
#include "compiler/epoch.h"
#include "compiler/switches.h"
#include "python/errors.h"
#include "report/run/kernel_listing.h"
#include "report/sweep/json_parts.h"

namespace py = pybind11;

namespace lanewise::python {

namespace {

ProcessLimits limits_of(const ProgramSettings& settings) {
  return {std::chrono::milliseconds(std::llround(settings.seconds * 1000)),
          settings.mebibytes << 20};
}

Expected<Arch> chip_called(const std::string& name) {
  if (const auto arch = parse_arch(name)) return *arch;
  return bad_input(fmt::format("there is no chip '{}'", name), "use arch=\"bh\" or arch=\"wh\"");
}

Expected<lab::ProgramFile> program_file(const ProgramSettings& settings) {
  lab::ProgramFile file{.name = settings.file, .hex = settings.hex};
  const auto syntax = isa::parse_syntax(settings.syntax);
  if (!syntax)
    return bad_input(fmt::format("there is no syntax '{}'", settings.syntax),
                     "use auto, tti or gnu");
  file.syntax = *syntax;
  const auto faces = sfpi::parse_faces(
      !settings.faces.empty() ? settings.faces : (settings.calls.empty() ? "whole" : "rc"));
  if (!faces) return Unexpected(faces.error());
  file.kernel.faces = *faces;
  file.kernel.entry = settings.entry;
  file.kernel.calls = settings.calls;
  file.kernel.init = settings.init;
  file.kernel.include_dirs = settings.include;
  file.kernel.defines = settings.define;
  if (!settings.sfpi.empty()) {
    const auto epoch = compiler::parse_epoch(settings.sfpi);
    if (!epoch) return Unexpected(epoch.error());
    file.kernel.epoch = *epoch;
  }
  file.kernel.limits = limits_of(settings);
  auto compiler = compiler::parse_options(settings.switches);
  if (!compiler) return Unexpected(compiler.error());
  file.compiler = std::move(*compiler);
  return file;
}

const lab::CompiledKernel& kernel_of(const PythonProgram& program) {
  if (program.loaded.kernel) return *program.loaded.kernel;
  raise({.message = fmt::format("{} is no kernel in C++", program.name),
         .remedy = "what was compiled can be listed of kernels in C++ only"});
}

PythonProgram make_program(const ProgramSettings& settings) {
  return value_of(without_gil([&] { return load(settings); }));
}

} // namespace

lab::TileRunOptions PythonProgram::tile(lab::Format format) const {
  lab::TileRunOptions options;
  options.format = format;
  options.as_kernel = loaded.as_kernel();
  return options;
}

Expected<PythonProgram> load(const ProgramSettings& settings) {
  const auto chip = chip_called(settings.arch);
  if (!chip) return Unexpected(chip.error());
  auto file = program_file(settings);
  if (!file) return Unexpected(file.error());
  const auto text = read_text_file(settings.file);
  if (!text) return Unexpected(text.error());
  auto programs = lab::load_program(*file, *text, {&*chip, 1});
  if (!programs) return Unexpected(programs.error());
  PythonProgram program{settings.file, std::move(programs->front()), std::move(file->compiler), {}};
  program.warnings = program.loaded.doubts;
  if (program.loaded.kernel) {
    const auto& more = program.loaded.kernel->compiled.diagnostics;
    program.warnings.insert(program.warnings.end(), more.begin(), more.end());
  }
  return program;
}

Expected<std::optional<lab::Format>> optional_format(const std::string& name) {
  if (name.empty()) return std::nullopt;
  const auto format = lab::parse_format(name);
  if (!format) return Unexpected(format.error());
  return *format;
}

std::string faults_text(const std::vector<Fault>& faults) {
  nlohmann::json list = report::faults_json(faults);
  for (std::size_t i = 0; i < faults.size(); ++i) list[i]["text"] = to_string(faults[i]);
  return list.dump();
}

void add_program(py::module_& module) {
  py::class_<ProgramSettings>(module, "Settings")
      .def(py::init<>())
      .def_readwrite("file", &ProgramSettings::file)
      .def_readwrite("arch", &ProgramSettings::arch)
      .def_readwrite("syntax", &ProgramSettings::syntax)
      .def_readwrite("hex", &ProgramSettings::hex)
      .def_readwrite("entry", &ProgramSettings::entry)
      .def_readwrite("init", &ProgramSettings::init)
      .def_readwrite("faces", &ProgramSettings::faces)
      .def_readwrite("call", &ProgramSettings::calls)
      .def_readwrite("include", &ProgramSettings::include)
      .def_readwrite("define", &ProgramSettings::define)
      .def_readwrite("switches", &ProgramSettings::switches)
      .def_readwrite("sfpi", &ProgramSettings::sfpi)
      .def_readwrite("seconds", &ProgramSettings::seconds)
      .def_readwrite("mebibytes", &ProgramSettings::mebibytes);
  py::class_<PythonProgram>(module, "Program")
      .def(py::init(&make_program))
      .def_readonly("name", &PythonProgram::name)
      .def_property_readonly(
          "arch",
          [](const PythonProgram& program) { return arch_params(program.loaded.arch).name; })
      .def("warnings", [](const PythonProgram& program) { return faults_text(program.warnings); })
      .def("notes", [](const PythonProgram& program) { return program.loaded.notes; })
      .def("words",
           [](const PythonProgram& program) {
             std::vector<std::uint32_t> words;
             words.reserve(program.loaded.program.words.size());
             for (const ProgramWord& each : program.loaded.program.words)
               words.push_back(each.word);
             return words;
           })
      .def("assembly", [](const PythonProgram& program) {
        return report::kernel_assembly(kernel_of(program));
      });
  module.attr("default_seconds") = std::chrono::duration<double>(kKernelLimits.time).count();
  module.attr("default_mebibytes") = kKernelLimits.memory >> 20;
}

} // namespace lanewise::python
