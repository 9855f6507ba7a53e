// The tuner.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "number/formats/format.h"
#include "python/errors.h"
#include "python/program.h"
#include "report/tune/json.h"
#include "report/tune/text.h"
#include "source/checkouts/op.h"
#include "study/tune/tune.h"

namespace py = pybind11;

namespace lanewise::python {

namespace {

/// The options of the command line, with the same names.
struct TuneSettings {
  std::string format, out_format, emit;
  std::string name = "tuned";
  unsigned operands = 0, threads = 0; ///< operands 0: of an operation as many as it has, else 1
  double seconds = 0;
  std::uint64_t steps = 0;
  bool conservative = false, macros = true;
};

struct PythonTuned {
  tune::TuneResult result;
  std::string name;
};

tune::Form form_of(const std::string& emit) {
  if (emit == "tti") return tune::Form::Tti;
  if (emit == "asm") return tune::Form::Assembly;
  if (emit == "words") return tune::Form::Words;
  raise({.message = fmt::format("emit has no {}", emit), .remedy = "it is tti, asm or words"});
}

unsigned operands_of(const PythonProgram& program, const TuneSettings& settings) {
  if (settings.operands != 0) return settings.operands;
  const checkouts::SfpuOp* const op = checkouts::find_op(program.name);
  return op == nullptr ? 1 : op->operands;
}

PythonTuned run_tune(const PythonProgram& program, const TuneSettings& settings) {
  if (const auto fits = tune::check_function_name("name", settings.name); !fits)
    raise(fits.error());
  tune::TuneOptions options{.macros = settings.macros,
                            .conservative = settings.conservative,
                            .seconds = settings.seconds,
                            .form = form_of(settings.emit),
                            .name = settings.name};
  if (settings.steps != 0) options.steps_per_interval = settings.steps;
  options.proof.format = value_of(formats::parse_format(settings.format));
  options.proof.output_format = value_of(optional_format(settings.out_format));
  options.proof.operands = operands_of(program, settings);
  options.proof.threads = settings.threads;
  bool stopped = false;
  options.progress = [&stopped](const tune::TuneProgress&) {
    const py::gil_scoped_acquire acquire;
    stopped = stopped || PyErr_CheckSignals() != 0;
    return !stopped;
  };
  const execution::LoadedProgram& loaded = program.loaded;
  auto result = without_gil([&] {
    return tune::tune({loaded.arch, loaded.program, loaded.as_kernel()}, options);
  });
  if (stopped) throw py::error_already_set();
  return {value_of(std::move(result)), program.name};
}

} // namespace

void add_tune(py::module_& module) {
  py::class_<TuneSettings>(module, "TuneSettings")
      .def(py::init<>())
      .def_readwrite("format", &TuneSettings::format)
      .def_readwrite("out_format", &TuneSettings::out_format)
      .def_readwrite("emit", &TuneSettings::emit)
      .def_readwrite("name", &TuneSettings::name)
      .def_readwrite("operands", &TuneSettings::operands)
      .def_readwrite("threads", &TuneSettings::threads)
      .def_readwrite("seconds", &TuneSettings::seconds)
      .def_readwrite("steps", &TuneSettings::steps)
      .def_readwrite("conservative", &TuneSettings::conservative)
      .def_readwrite("macros", &TuneSettings::macros);
  py::class_<PythonTuned>(module, "Tuned")
      .def("json",
           [](const PythonTuned& tuned) {
             return report::tune_json(tuned.result, tuned.name).dump();
           })
      .def("text",
           [](const PythonTuned& tuned) { return report::tune_text(tuned.result, tuned.name); });
  module.def("tune", &run_tune);
}

} // namespace lanewise::python
