// The clock and the checker.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <utility>
#include <vector>

#include "python/errors.h"
#include "python/program.h"
#include "report/check/hazard_page.h"
#include "report/check/hazard_report.h"
#include "report/time/html.h"
#include "report/time/json.h"
#include "report/time/measure.h"
#include "report/time/text.h"
#include "run/execution/run_program.h"

namespace py = pybind11;

namespace lanewise::python {

namespace {

const timing::Harness* harness_on(Arch arch, const std::string& name) {
  const timing::Harness* harness = value_of(timing::parse_harness(name));
  if (harness->arch == arch) return harness;
  raise(
      {.message = fmt::format("harness {} was measured on {}, and the kernel is for {}", name,
                              arch_params(harness->arch).names.full, arch_params(arch).names.full),
       .remedy =
           fmt::format("load the kernel with arch=\"{}\"", arch_params(harness->arch).names.id)});
}

report::TimeReport measure(const PythonProgram& program, const std::string& format,
                           std::size_t repeat, std::size_t rolled, const std::string& harness) {
  report::TimeOptions options{
      .format = value_of(formats::parse_format(format)), .passes = repeat, .rolled = rolled};
  std::vector<const timing::Harness*> harnesses;
  options.choose_harness = harness == timing::kChosenHarness;
  if (!harness.empty() && !options.choose_harness)
    harnesses.push_back(harness_on(program.loaded.arch, harness));
  options.compiler = program.compiler;
  options.harnesses = harnesses;
  return value_of(without_gil([&] { return report::measure_time(program.loaded, options); }));
}

execution::CheckedProgram check(const PythonProgram& program, const std::string& format,
                                bool perturb) {
  const execution::TileRunOptions tile = program.tile(value_of(formats::parse_format(format)));
  const execution::CheckSettings settings{.pauses = perturb ? timing::PauseSearch::Whole
                                                            : timing::PauseSearch::Quick};
  auto checked = value_of(without_gil(
      [&] { return execution::check_loaded(program.loaded, program.compiler, tile, settings); }));
  checked.name = program.name;
  return checked;
}

} // namespace

void add_time(py::module_& module) {
  py::class_<report::TimeReport>(module, "TimeReport")
      .def("json",
           [](const report::TimeReport& timed) {
             return report::time_json({&timed, 1}).dump();
           })
      .def("html",
           [](const report::TimeReport& timed) {
             return report::time_html({&timed, 1}, std::nullopt);
           })
      .def("text",
           [](const report::TimeReport& timed) {
             return report::time_text(timed, report::TimeView::Timeline, {});
           })
      .def_readonly("untimed", &report::TimeReport::untimed)
      .def("faults", [](const report::TimeReport& timed) { return faults_text(timed.faults); });
  py::class_<execution::CheckedProgram>(module, "CheckedProgram")
      .def("json",
           [](const execution::CheckedProgram& checked) {
             return report::hazard_json({&checked, 1}).dump();
           })
      .def("html", &report::hazard_page)
      .def("text", &report::hazard_text)
      .def("has_problem", &execution::has_problem);
  module.def("time", &measure);
  module.def("check", &check);
}

} // namespace lanewise::python
