#include "python/program.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/in_quotes.h"
#include "base/text_file.h"
#include "python/errors.h"
#include "report/metal/ops.h"
#include "report/run/kernel_listing.h"
#include "report/sweep/json_parts.h"
#include "run/execution/checkout_program.h"
#include "source/checkouts/checkout.h"
#include "source/checkouts/op_table.h"
#include "source/compiler/epoch.h"
#include "source/compiler/switches.h"

namespace py = pybind11;

namespace lanewise::python {

namespace {

ProcessLimits limits_of(const ProgramSettings& settings) {
  return {std::chrono::milliseconds(std::llround(settings.seconds * 1000)),
          settings.mebibytes << 20};
}

/// "use arch=" and every chip.
std::string chips_in_quotes() {
  std::string text;
  for (const Arch arch : kEveryArch) {
    const std::string_view before = arch == kEveryArch.front()  ? "use arch="
                                    : arch == kEveryArch.back() ? " or "
                                                                : ", ";
    text += fmt::format("{}\"{}\"", before, arch_params(arch).names.id);
  }
  return text;
}

Expected<Arch> chip_called(const std::string& name) {
  if (const auto arch = parse_arch(name)) return *arch;
  return bad_input(fmt::format("there is no chip {}", in_quotes(name)), chips_in_quotes());
}

Expected<execution::ProgramFile> program_file(const ProgramSettings& settings) {
  execution::ProgramFile file{.name = settings.file, .hex = settings.hex};
  const auto syntax = assembly::parse_syntax(settings.syntax);
  if (!syntax)
    return bad_input(fmt::format("there is no syntax {}", in_quotes(settings.syntax)),
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
  const auto compiled = compiler::parse_compiled_as(settings.compiled);
  if (!compiled) return Unexpected(compiled.error());
  file.compiler = std::move(*compiler);
  file.compiler.compiled = *compiled;
  return file;
}

/// One of a file and an operation; the operation's formats where none is chosen.
Expected<void> settle_op(ProgramSettings& settings) {
  const std::string& op = settings.op;
  if (op.empty() == settings.file.empty())
    return bad_input(op.empty() ? "no program is named" : "there are a file and an operation",
                     "name either a file, or an operation of a checkout with op= and metal=");
  if (op.empty()) {
    if (settings.parameters.empty()) return {};
    return bad_input("params= is for operations", "name one with op=, or use define=");
  }
  if (settings.metal.empty())
    return bad_input(
        fmt::format("{} is an operation of a checkout, and none is named", in_quotes(op)),
        "name a checkout of tt-metal with metal=");
  if (const checkouts::SfpuOp* known = checkouts::find_op(op))
    execution::choose_formats(*known, settings.format, &settings.out_format);
  return {};
}

/// Adds the checkout; a release of SFPI that the user names goes before that of the checkout.
Expected<void> add_checkout(execution::ProgramFile& file, const ProgramSettings& settings,
                            Arch arch) {
  const auto format = formats::parse_format(settings.format);
  if (!format) return Unexpected(format.error());
  const int epoch = file.kernel.epoch;
  auto added = execution::add_checkout(
      file, {settings.metal, settings.op, settings.parameters, formats::is_32bit(*format)}, arch);
  if (!settings.sfpi.empty()) file.kernel.epoch = epoch;
  return added;
}

const execution::CompiledKernel& kernel_of(const PythonProgram& program) {
  if (program.loaded.kernel) return *program.loaded.kernel;
  raise({.message = fmt::format("{} is no kernel in C++", program.name),
         .remedy = "what was compiled can be listed of kernels in C++ only"});
}

report::OpList ops_of(const std::string& folder, const std::vector<std::string>& archs) {
  std::vector<Arch> chips;
  chips.reserve(archs.size());
  for (const std::string& name : archs) chips.push_back(value_of(chip_called(name)));
  const auto checkout = value_of(checkouts::Checkout::open(folder, chips));
  report::OpList ops;
  for (const Arch arch : chips) ops.add(arch, checkouts::OpTable(checkout, arch));
  return ops;
}

PythonProgram make_program(const ProgramSettings& settings) {
  return value_of(without_gil([&] { return load(settings); }));
}

} // namespace

execution::TileRunOptions PythonProgram::tile(formats::Format dst) const {
  execution::TileRunOptions options;
  options.format = dst;
  options.as_kernel = loaded.as_kernel();
  return options;
}

Expected<PythonProgram> load(ProgramSettings settings) {
  const auto chip = chip_called(settings.arch);
  if (!chip) return Unexpected(chip.error());
  if (auto settled = settle_op(settings); !settled) return Unexpected(settled.error());
  auto file = program_file(settings);
  if (!file) return Unexpected(file.error());
  if (auto added = add_checkout(*file, settings, *chip); !added) return Unexpected(added.error());
  const auto text = read_text_file(file->name);
  if (!text) return Unexpected(text.error());
  auto programs = execution::load_program(*file, *text, {&*chip, 1});
  if (!programs) return Unexpected(programs.error());
  PythonProgram program{.name = settings.op.empty() ? settings.file : settings.op,
                        .format = settings.format,
                        .out_format = settings.out_format,
                        .loaded = std::move(programs->front()),
                        .compiler = std::move(file->compiler),
                        .warnings = {}};
  program.warnings = program.loaded.doubts;
  if (program.loaded.kernel) {
    const auto& more = program.loaded.kernel->compiled.diagnostics;
    program.warnings.insert(program.warnings.end(), more.begin(), more.end());
  }
  return program;
}

Expected<std::optional<formats::Format>> optional_format(const std::string& name) {
  if (name.empty()) return std::nullopt;
  const auto format = formats::parse_format(name);
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
      .def_readwrite("compiled", &ProgramSettings::compiled)
      .def_readwrite("sfpi", &ProgramSettings::sfpi)
      .def_readwrite("seconds", &ProgramSettings::seconds)
      .def_readwrite("mebibytes", &ProgramSettings::mebibytes)
      .def_readwrite("metal", &ProgramSettings::metal)
      .def_readwrite("op", &ProgramSettings::op)
      .def_readwrite("parameters", &ProgramSettings::parameters)
      .def_readwrite("format", &ProgramSettings::format)
      .def_readwrite("out_format", &ProgramSettings::out_format);
  py::class_<PythonProgram>(module, "Program")
      .def(py::init(&make_program))
      .def_readonly("name", &PythonProgram::name)
      .def_readonly("format", &PythonProgram::format)
      .def_readonly("out_format", &PythonProgram::out_format)
      .def_property_readonly(
          "arch",
          [](const PythonProgram& program) { return arch_params(program.loaded.arch).names.id; })
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
  py::class_<report::OpList>(module, "OpList")
      .def("json", [](const report::OpList& ops) { return ops.json().dump(); })
      .def("text", &report::OpList::text);
  module.def("ops", &ops_of);
  module.attr("default_seconds") = std::chrono::duration<double>(kKernelLimits.time).count();
  module.attr("default_mebibytes") = kKernelLimits.memory >> 20;
}

} // namespace lanewise::python
