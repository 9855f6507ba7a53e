// lanewise._lanewise: the library, for the package in python/lanewise/, which is what users see.
#include <pybind11/pybind11.h>

#include <string>

#include "base/confinement.h"
#include "base/version.h"
#include "chip/isa/arch.h"
#include "python/program.h"
#include "source/sfpi/headers.h"

namespace {

/// As checkouts of the vendor call a chip: "blackhole".
std::string vendor_name(const lanewise::ChipNames& names) {
  std::string name(names.family);
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

} // namespace

PYBIND11_MODULE(_lanewise, module) {
  using namespace lanewise::python;
  module.doc() = "The library of Lanewise; use the package lanewise instead.";
  pybind11::list chips; // of which all is here
  for (const lanewise::Arch arch : lanewise::kArchs) {
    const lanewise::ChipNames& names = lanewise::arch_params(arch).names;
    chips.append(pybind11::make_tuple(std::string(names.id), vendor_name(names)));
  }
  module.attr("chips") = chips;
  module.attr("default_chip") = std::string(lanewise::arch_params(lanewise::kDefaultArch).names.id);
  module.attr("version") = std::string(lanewise::version());
  module.def("confinement", &lanewise::layers_text);
  module.def("look_for_headers_in",
             [](const std::string& prefix) { lanewise::sfpi::look_for_headers_in(prefix); });
  add_program(module);
  add_runs(module);
  add_time(module);
  add_tune(module);
  add_sweeps(module);
  add_program_times(module);
  add_launches(module);
  add_goldens(module);
}
