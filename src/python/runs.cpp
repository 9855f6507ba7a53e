// Programs on tiles: arrays go in and come out as .npy files in memory, so that types, shapes and
// rounding are those of the command line.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <span>
#include <utility>

#include "number/tensors/npy.h"
#include "number/tensors/source_tile.h"
#include "number/tensors/tile_input.h"
#include "python/errors.h"
#include "python/program.h"
#include "report/run/trace.h"
#include "run/execution/run_program.h"

namespace py = pybind11;

namespace lanewise::python {

namespace {

/// What stands in a tile of Dst, or in a source: a pattern of the command line ("ramp"), or an
/// array.
struct Operand {
  enum class Kind : std::uint8_t {
    Pattern, ///< `data` is its text
    Numbers, ///< `data` is a .npy file whose elements are numbers
    Patterns ///< the same, whose elements are the bits of the format
  };
  Kind kind = Kind::Pattern;
  std::string name, data, format;
};

Expected<tensors::Tensor> tensor_of(const Operand& operand, formats::Format format) {
  if (operand.kind == Operand::Kind::Pattern) return tensors::make_tile_input(operand.data, format);
  auto array = tensors::parse_npy(std::as_bytes(std::span(operand.data)), operand.name);
  if (!array) return Unexpected(array.error());
  if (operand.kind == Operand::Kind::Numbers || array->raw.empty())
    return tensors::tensor_from_npy(*array, format);
  return tensors::Tensor{std::move(array->shape), std::move(array->raw), format};
}

struct RunSettings {
  std::vector<Operand> inputs;
  std::optional<Operand> srca, srcb; ///< their formats are those of sources
  std::string format, out_format, hazards;
  unsigned out_tile = 0;
  bool interpret = false;
};

/// What a program runs on.
struct Inputs {
  std::vector<tensors::Tensor> dst;
  execution::TileRunOptions tile;
};

Expected<std::optional<tensors::SourceInput>> source_of(const std::optional<Operand>& operand) {
  if (!operand) return std::nullopt;
  const auto format = tensors::parse_source_format(operand->format);
  if (!format) return Unexpected(format.error());
  auto values = tensor_of(*operand, tensors::source_values_format(*format));
  if (!values) return Unexpected(values.error());
  return tensors::SourceInput{std::move(*values), *format};
}

Expected<std::vector<tensors::Tensor>> dst_inputs(const RunSettings& settings) {
  std::vector<tensors::Tensor> inputs;
  inputs.reserve(settings.inputs.size());
  for (const Operand& each : settings.inputs) {
    const auto format = formats::parse_format(each.format);
    if (!format) return Unexpected(format.error());
    auto tensor = tensor_of(each, *format);
    if (!tensor) return Unexpected(tensor.error());
    inputs.push_back(std::move(*tensor));
  }
  if (auto apart = tensors::check_tiles_apart(inputs); !apart) return Unexpected(apart.error());
  return inputs;
}

Expected<Inputs> inputs_of(const PythonProgram& program, const RunSettings& settings) {
  const auto format = formats::parse_format(settings.format);
  if (!format) return Unexpected(format.error());
  const auto output_format = optional_format(settings.out_format);
  if (!output_format) return Unexpected(output_format.error());
  Inputs inputs;
  inputs.tile = program.tile(*format);
  inputs.tile.output_format = *output_format;
  inputs.tile.output_tile = settings.out_tile;
  auto dst = dst_inputs(settings);
  if (!dst) return Unexpected(dst.error());
  inputs.dst = std::move(*dst);
  auto srca = source_of(settings.srca);
  if (!srca) return Unexpected(srca.error());
  inputs.tile.srca = std::move(*srca);
  auto srcb = source_of(settings.srcb);
  if (!srcb) return Unexpected(srcb.error());
  inputs.tile.srcb = std::move(*srcb);
  return inputs;
}

struct RunResult {
  execution::ProgramRun done;
  std::vector<Fault> faults; ///< hazards first
  std::string printed;
};

std::vector<Fault> told_faults(const PythonProgram& program,
                               const execution::CheckedProgram& checked) {
  std::vector<Fault> faults;
  for (const timing::Hazard& hazard : execution::told_hazards(checked)) {
    faults.push_back(hazard.to_fault());
    if (faults.back().file.empty()) faults.back().file = program.name;
  }
  return faults;
}

Expected<RunResult> run(const PythonProgram& program, const RunSettings& settings,
                        const execution::TileObserver& observe) {
  const auto policy = execution::parse_hazard_policy(settings.hazards);
  if (!policy) return Unexpected(policy.error());
  auto inputs = inputs_of(program, settings);
  if (!inputs) return Unexpected(inputs.error());
  if (*policy == execution::HazardPolicy::Model)
    inputs->tile.hazards = timing::HazardModel::Hardware;
  auto outlook = execution::look_ahead(program.loaded, inputs->dst, inputs->tile,
                                       *policy != execution::HazardPolicy::Off);
  if (!outlook) return Unexpected(outlook.error());
  if (*policy == execution::HazardPolicy::Error &&
      execution::count_findings(*outlook->checked).hazards != 0) {
    Fault fault = outlook->checked->hazards.front().to_fault();
    if (fault.file.empty()) fault.file = program.name;
    return Unexpected(std::move(fault));
  }
  RunResult result;
  auto done = execution::run_program(
      program.loaded, inputs->dst,
      {.tile = inputs->tile,
       .compiler = program.compiler,
       .interpret = settings.interpret,
       .observe = observe,
       .print = [&result](const std::string& line) { result.printed += line; }},
      *outlook);
  if (!done) return Unexpected(done.error());
  result.done = std::move(*done);
  if (outlook->checked) result.faults = told_faults(program, *outlook->checked);
  for (const Fault& fault : result.done.run.faults) result.faults.push_back(fault);
  return result;
}

py::bytes npy_of(const tensors::Tensor& tensor) {
  const auto bytes = value_of(tensors::npy_bytes(tensor));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The elements as bits of their format, little-endian, 4 bytes each.
py::bytes patterns_of(const tensors::Tensor& tensor) {
  const auto bytes = std::as_bytes(std::span(tensor.bits));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

RunResult run_program(const PythonProgram& program, const RunSettings& settings) {
  return value_of(without_gil([&] { return run(program, settings, {}); }));
}

/// The steps of the first tile.
std::vector<report::TraceStep> trace(const PythonProgram& program, const RunSettings& settings) {
  std::vector<report::TraceStep> steps;
  const auto observe = [&](MachineState& state, std::span<const MicroOp> ops) {
    report::trace_steps(program.loaded.arch, state, ops,
                        [&steps](const report::TraceStep& step) { steps.push_back(step); });
  };
  value_of(without_gil([&] { return run(program, settings, observe); }));
  return steps;
}

void add_operands(py::module_& module) {
  py::class_<Operand> operand(module, "Operand");
  py::enum_<Operand::Kind>(operand, "Kind")
      .value("PATTERN", Operand::Kind::Pattern)
      .value("NUMBERS", Operand::Kind::Numbers)
      .value("PATTERNS", Operand::Kind::Patterns);
  operand.def(
      py::init([](Operand::Kind kind, std::string name, std::string data, std::string format) {
        return Operand{kind, std::move(name), std::move(data), std::move(format)};
      }));
  py::class_<RunSettings>(module, "RunSettings")
      .def(py::init<>())
      .def_readwrite("inputs", &RunSettings::inputs)
      .def_readwrite("srca", &RunSettings::srca)
      .def_readwrite("srcb", &RunSettings::srcb)
      .def_readwrite("format", &RunSettings::format)
      .def_readwrite("out_format", &RunSettings::out_format)
      .def_readwrite("hazards", &RunSettings::hazards)
      .def_readwrite("out_tile", &RunSettings::out_tile)
      .def_readwrite("interpret", &RunSettings::interpret);
}

} // namespace

void add_runs(py::module_& module) {
  add_operands(module);
  py::class_<RunResult>(module, "RunResult")
      .def("npy", [](const RunResult& result) { return npy_of(result.done.run.output); })
      .def("patterns", [](const RunResult& result) { return patterns_of(result.done.run.output); })
      .def("format",
           [](const RunResult& result) {
             return formats::format_name(result.done.run.output.format);
           })
      .def("faults", [](const RunResult& result) { return faults_text(result.faults); })
      .def_property_readonly("notes", [](const RunResult& result) { return result.done.notes; })
      .def_readonly("printed", &RunResult::printed);
  py::class_<report::TraceStep>(module, "TraceStep")
      .def_readonly("is_late_result", &report::TraceStep::is_late_result)
      .def_readonly("place", &report::TraceStep::place)
      .def_readonly("word", &report::TraceStep::word)
      .def_readonly("instruction", &report::TraceStep::instruction)
      .def_readonly("changes", &report::TraceStep::changes)
      .def("text", &report::trace_text);
  module.def("run", &run_program);
  module.def("trace", &trace);
}

} // namespace lanewise::python
