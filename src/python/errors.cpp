#include "python/errors.h"

#include <string>

#include "base/source_line.h"

namespace py = pybind11;

namespace lanewise::python {

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

} // namespace lanewise::python
