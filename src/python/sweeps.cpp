// Sweeps and comparisons.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <chrono>
#include <memory>
#include <utility>

#include "base/text_file.h"
#include "python/errors.h"
#include "python/program.h"
#include "python/reference.h"
#include "report/diff/html.h"
#include "report/diff/text.h"
#include "report/sweep/html.h"
#include "report/sweep/json.h"
#include "report/sweep/text.h"
#include "study/sweep/sweep.h"

namespace py = pybind11;

namespace lanewise::python {

namespace {

/// `progress` is not called more often, nor are signals looked for.
constexpr std::chrono::milliseconds kBetweenCalls{100};

/// What a sweep and a comparison have in common: the options of the command line.
struct SweepSettings {
  py::object reference = py::none(); ///< an expression, a callable, or None
  std::string reference_name;        ///< of a callable
  unsigned operands = 1;             ///< where the reference does not say it
  std::string format, out_format, inputs, domain, ulp;
  unsigned out_tile = 0, threads = 0;
  std::optional<bool> generate;
  std::size_t worst = 0;
  std::string resume;
  std::optional<double> max_ulp, max_exact_ulp;
  bool specials = false;
  py::object progress = py::none(); ///< gets done and total, a few times a second
};

/// The same, understood.
struct SweepSetup {
  std::unique_ptr<references::Reference> reference, domain;
  const CallableReference* callable = nullptr; ///< `reference`, if it is one
  std::unique_ptr<parts::SharedWork> work;     ///< nullptr = all, kept nowhere
  sweep::SweepOptions options;

  /// What a callable has raised, or a signal, comes before the fault that followed from it.
  template <class T>
  T result_of(Expected<T> result) const {
    if (callable != nullptr) callable->rethrow();
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    return value_of(std::move(result));
  }
};

/// Lets Python see signals, and tells `progress`; false once there is an exception.
std::function<bool(const sweep::SweepProgress&)> watched(const py::object& progress) {
  using Clock = std::chrono::steady_clock;
  return [handle = py::handle(progress),
          last = Clock::now()](const sweep::SweepProgress& state) mutable {
    if (Clock::now() - last < kBetweenCalls) return true;
    last = Clock::now();
    const py::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) return false;
    if (handle.is_none()) return true;
    try {
      handle(state.done, state.total);
      return true;
    } catch (py::error_already_set& error) {
      error.restore();
      return false;
    }
  };
}

/// The expression of an argument, which the error names.
std::unique_ptr<references::Reference> parsed(const char* argument, const std::string& expression) {
  auto reference = references::parse_reference(expression);
  if (reference) return std::move(*reference);
  Fault fault = std::move(reference.error());
  fault.file = argument;
  fault.column = 0; // the message has it
  raise(fault);
}

void choose_reference(const SweepSettings& settings, SweepSetup& setup) {
  if (settings.reference.is_none()) return;
  if (py::isinstance<py::str>(settings.reference)) {
    setup.reference = parsed("ref", settings.reference.cast<std::string>());
    return;
  }
  auto callable = std::make_unique<CallableReference>(settings.reference, settings.reference_name,
                                                      settings.operands);
  setup.callable = callable.get();
  setup.reference = std::move(callable);
}

SweepSetup understood(const SweepSettings& settings) {
  SweepSetup setup;
  choose_reference(settings, setup);
  if (!settings.domain.empty()) setup.domain = parsed("domain", settings.domain);
  sweep::SweepOptions& options = setup.options;
  options.format = value_of(formats::parse_format(settings.format));
  options.output_format = value_of(optional_format(settings.out_format));
  options.output_tile = settings.out_tile;
  options.space = value_of(sweep::parse_sweep_space(settings.inputs));
  options.domain = setup.domain.get();
  options.threads = settings.threads;
  options.generation = !settings.generate   ? sweep::Generation::IfLong
                       : *settings.generate ? sweep::Generation::Always
                                            : sweep::Generation::Never;
  options.worst_cases = settings.worst;
  if (!settings.resume.empty()) {
    setup.work = std::make_unique<parts::SharedWork>(parts::SharedWork::resumable(settings.resume));
    options.work = setup.work.get();
  }
  options.measure = value_of(formats::parse_ulp_measure(settings.ulp));
  options.progress = watched(settings.progress);
  return setup;
}

/// For messages.
std::string name_of_part(std::size_t index) {
  return fmt::format("parts[{}]", index);
}

/// A program as pages list it.
report::SweptProgram for_listing(const PythonProgram& program) {
  const execution::LoadedProgram& loaded = program.loaded;
  return {loaded.arch, loaded.program, lines_of(loaded.text), loaded.as_kernel()};
}

/// With the work that `setup` has.
report::SweepReport sweep_report(const PythonProgram& program, const SweepSettings& settings,
                                 const SweepSetup& setup) {
  const sweep::SweepProgram swept = sweep::sweep_program(program.loaded);
  report::SweepReport result;
  result.result = setup.result_of(without_gil([&] {
    return sweep::sweep({&swept, 1}, *setup.reference, setup.options);
  }));
  result.name = program.name;
  result.reference = setup.reference->text();
  result.domain = settings.domain;
  result.programs.push_back(for_listing(program));
  result.gates = {settings.max_ulp, settings.max_exact_ulp, settings.specials};
  return result;
}

report::SweepReport run_sweep(const PythonProgram& program, const SweepSettings& settings) {
  return sweep_report(program, settings, understood(settings));
}

/// The bytes of a part's file.
py::bytes sweep_part(const PythonProgram& program, const SweepSettings& settings,
                     const std::string& part) {
  SweepSetup setup = understood(settings);
  setup.work = std::make_unique<parts::SharedWork>(
      parts::SharedWork::part(value_of(parts::parse_part(part)), {}, {}));
  setup.options.work = setup.work.get();
  sweep_report(program, settings, setup);
  return setup.work->text();
}

report::SweepReport merge_sweep(const PythonProgram& program, const SweepSettings& settings,
                                const std::vector<std::string>& texts) {
  std::vector<parts::PartFile> files;
  for (std::size_t i = 0; i < texts.size(); ++i)
    files.push_back(value_of(parts::parse_part_file(texts[i], name_of_part(i))));
  SweepSetup setup = understood(settings);
  setup.work = std::make_unique<parts::SharedWork>(
      parts::SharedWork::merged(value_of(parts::gather_parts(std::move(files)))));
  setup.options.work = setup.work.get();
  return sweep_report(program, settings, setup);
}

report::DiffReport run_diff(const PythonProgram& first, const PythonProgram& second,
                            const SweepSettings& settings) {
  if (first.loaded.arch != second.loaded.arch) {
    raise({.message = fmt::format("{} and {} are for different chips", first.name, second.name),
           .remedy = "load both with the same arch"});
  }
  SweepSetup setup = understood(settings);
  setup.options.distance_parts = true; // html() may be asked for later
  const sweep::SweepProgram programs[]{sweep::sweep_program(first.loaded),
                                       sweep::sweep_program(second.loaded)};
  report::DiffReport result;
  result.result = setup.result_of(without_gil([&] {
    return sweep::diff_programs({programs, 1}, {programs + 1, 1}, settings.operands,
                                setup.reference.get(), setup.options);
  }));
  result.first_name = first.name;
  result.second_name = second.name;
  if (setup.reference) result.reference = setup.reference->text();
  result.first_programs.push_back(for_listing(first));
  result.second_programs.push_back(for_listing(second));
  return result;
}

} // namespace

void add_sweeps(py::module_& module) {
  py::class_<SweepSettings>(module, "SweepSettings")
      .def(py::init<>())
      .def_readwrite("reference", &SweepSettings::reference)
      .def_readwrite("reference_name", &SweepSettings::reference_name)
      .def_readwrite("operands", &SweepSettings::operands)
      .def_readwrite("format", &SweepSettings::format)
      .def_readwrite("out_format", &SweepSettings::out_format)
      .def_readwrite("out_tile", &SweepSettings::out_tile)
      .def_readwrite("inputs", &SweepSettings::inputs)
      .def_readwrite("domain", &SweepSettings::domain)
      .def_readwrite("ulp", &SweepSettings::ulp)
      .def_readwrite("threads", &SweepSettings::threads)
      .def_readwrite("generate", &SweepSettings::generate)
      .def_readwrite("worst", &SweepSettings::worst)
      .def_readwrite("resume", &SweepSettings::resume)
      .def_readwrite("max_ulp", &SweepSettings::max_ulp)
      .def_readwrite("max_exact_ulp", &SweepSettings::max_exact_ulp)
      .def_readwrite("specials", &SweepSettings::specials)
      .def_readwrite("progress", &SweepSettings::progress);
  py::class_<report::SweepReport>(module, "SweepReport")
      .def("json",
           [](const report::SweepReport& swept) { return report::sweep_json(swept).dump(); })
      .def("html", [](const report::SweepReport& swept) { return report::sweep_html(swept); })
      .def("svg", &report::sweep_svg)
      .def("text", [](const report::SweepReport& swept) { return report::sweep_text(swept, {}); })
      .def("holds", [](const report::SweepReport& swept) {
        return sweep::sweep_holds(swept.result, swept.gates);
      });
  py::class_<report::DiffReport>(module, "DiffReport")
      .def("json", [](const report::DiffReport& diff) { return report::diff_json(diff).dump(); })
      .def("html", [](const report::DiffReport& diff) { return report::diff_html(diff); })
      .def("text", &report::diff_text)
      .def("same", [](const report::DiffReport& diff) { return sweep::is_same(diff.result); });
  module.def("sweep", &run_sweep);
  module.def("sweep_part", &sweep_part);
  module.def("merge_sweep", &merge_sweep);
  module.def("diff", &run_diff);
}

} // namespace lanewise::python
