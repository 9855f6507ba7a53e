#include "python/errors.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "base/source_line.h"

namespace py = pybind11;

namespace lanewise::python {

namespace {

/// How long Python sees no signals.
constexpr std::chrono::milliseconds kBetweenLooks(100);

} // namespace

void raise(const Fault& found) {
  const Fault fault = settled(found);
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  const py::object type = py::module_::import("lanewise._errors").attr("Error");
  const py::object error = type(to_string(fault), py::arg("message") = fault.message,
                                py::arg("remedy") = fault.remedy, py::arg("file") = fault.file,
                                py::arg("line") = fault.line, py::arg("column") = fault.column);
  PyErr_SetObject(type.ptr(), error.ptr());
  throw py::error_already_set();
}

std::function<bool()> signals_of_python() {
  using Clock = std::chrono::steady_clock;
  struct State {
    std::thread::id owner = std::this_thread::get_id();
    Clock::time_point last = Clock::now();
    std::atomic<bool> has_come = false;
  };
  return [state = std::make_shared<State>()] {
    if (state->owner == std::this_thread::get_id() && !state->has_come &&
        Clock::now() - state->last >= kBetweenLooks) {
      state->last = Clock::now();
      const py::gil_scoped_acquire acquire;
      state->has_come = PyErr_CheckSignals() != 0;
    }
    return state->has_come.load();
  };
}

} // namespace lanewise::python
