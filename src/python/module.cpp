// lanewise._lanewise: the library, for the package in python/lanewise/, which is what users see.
#include <pybind11/pybind11.h>

#include <string>

#include "base/confinement.h"
#include "base/version.h"
#include "python/program.h"
#include "source/sfpi/headers.h"

PYBIND11_MODULE(_lanewise, module) {
  using namespace lanewise::python;
  module.doc() = "The library of Lanewise; use the package lanewise instead.";
  module.attr("version") = std::string(lanewise::version());
  module.def("confinement", &lanewise::layers_text);
  module.def("look_for_headers_in",
             [](const std::string& prefix) { lanewise::sfpi::look_for_headers_in(prefix); });
  add_program(module);
  add_runs(module);
  add_time(module);
  add_sweeps(module);
}
