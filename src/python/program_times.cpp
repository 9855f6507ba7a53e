#include "python/program_times.h"

#include <pybind11/stl.h>

#include <utility>

#include "python/errors.h"
#include "python/program.h"
#include "run/grid/timed_grid.h"
#include "source/programs/compile.h"

namespace py = pybind11;

namespace lanewise::python {

namespace {

/// What needs a timeline.
const report::GridTime& with_timeline(const PythonGridTime& time) {
  if (!time.has_timeline)
    raise({.message = "the program was run without a timeline, which pages and traces are made of",
           .remedy = "run it with timeline=0, or more"});
  return time.report;
}

} // namespace

Expected<PythonGridTime> time_of(const grid::Prepared& prepared,
                                 const programs::CompileSettings& settings,
                                 const launch::LaunchOutcome& host, const TimeRequest& request,
                                 const ProgramRun& run) {
  const auto objects = programs::compile_groups_for_cores(prepared.cores, settings);
  if (!objects) return Unexpected(objects.error());
  auto timed = grid::launch_in_time(
      prepared, *objects, host,
      {.gathers = request.gathers,
       .keeps_timeline = request.timeline.has_value(),
       .jobs = run.jobs,
       .stop = grid::stop_in_time(settings.limits, prepared.cores.size(), signals_of_python())});
  if (!timed) return Unexpected(timed.error());
  return PythonGridTime{.report = report::grid_time(*prepared.program, host, std::move(*timed),
                                                    {.name = run.name,
                                                     .tiles = request.tiles,
                                                     .shown = request.timeline.value_or(0),
                                                     .gathers = request.gathers,
                                                     .has_own_headers = !settings.checkout}),
                        .has_timeline = request.timeline.has_value()};
}

void add_program_times(py::module_& module) {
  py::class_<TimeRequest>(module, "TimeRequest")
      .def(py::init<>())
      .def_readwrite("tiles", &TimeRequest::tiles)
      .def_readwrite("timeline", &TimeRequest::timeline)
      .def_readwrite("gathers", &TimeRequest::gathers);
  py::class_<PythonGridTime>(module, "GridTime")
      .def("json",
           [](const PythonGridTime& time) { return report::grid_time_json(time.report).dump(); })
      .def("cores_json",
           [](const PythonGridTime& time) { return report::cores_time_json(time.report).dump(); })
      .def("text", [](const PythonGridTime& time) { return report::grid_time_text(time.report); })
      .def("html",
           [](const PythonGridTime& time) {
             return report::grid_time_html(with_timeline(time), "");
           })
      .def("perfetto",
           [](const PythonGridTime& time) {
             return report::grid_time_perfetto(with_timeline(time)).dump();
           })
      .def_readonly("has_timeline", &PythonGridTime::has_timeline);
}

} // namespace lanewise::python
