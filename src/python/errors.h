// From the library's Expected to Python's exceptions, and calls that leave other threads running.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <utility>

#include "base/fault.h"

namespace lanewise::python {

/// Raises what the fault is in Python: lanewise.Error with its file and line. With the GIL held. A
/// signal that has come comes first, so that Ctrl-C is KeyboardInterrupt, not an error of whatever
/// it has ended.
[[noreturn]] void raise(const Fault& fault);

/// Calls `function` with the GIL released; what it returns.
template <class Function>
auto without_gil(Function&& function) {
  const pybind11::gil_scoped_release release;
  return std::forward<Function>(function)();
}

/// Asked without the GIL by whoever works: lets Python see signals ten times a second, and is true
/// once one has raised an exception. Only the thread that has made it lets Python see them, since
/// Python's exception is that of a thread; others learn of it.
std::function<bool()> signals_of_python();

/// The value, or the fault as an exception.
template <class T>
T value_of(Expected<T> expected) {
  if (!expected) raise(expected.error());
  return std::move(*expected);
}

} // namespace lanewise::python
