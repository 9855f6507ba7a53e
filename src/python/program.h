// Programs as Python has them: loaded for one chip, with the formats of their tiles.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/execution/load_program.h"
#include "run/execution/tile_runner.h"
#include "source/compiler/options.h"

namespace lanewise::python {

/// How a file becomes a program: the options of the command line, with the same names.
struct ProgramSettings {
  std::string file, arch, syntax, entry, init, faces;
  std::string compiled; ///< as the command line's --compiled
  bool hex = false;
  std::vector<std::string> calls, include, define, switches;
  std::string sfpi; ///< as the command line's --sfpi; empty: the newest
  double seconds = 0;
  std::uint64_t mebibytes = 0;
  std::string metal, op; ///< a checkout, and the operation of it that takes the place of a file
  std::vector<std::pair<std::string, std::string>> parameters; ///< of the operation
  std::string format, out_format;                              ///< of the tiles
};

struct PythonProgram {
  std::string name; ///< of the file, as the user wrote it; or of the operation
  std::string format,
      out_format; ///< those of the settings, or of the operation where none is chosen
  execution::LoadedProgram loaded;
  compiler::Options compiler;
  std::vector<Fault> warnings; ///< of the compiler, and of the vendor's assembly

  /// Options for a run on tiles of a format.
  execution::TileRunOptions tile(formats::Format dst) const;
};

/// Reads and compiles the file or the operation. Error: BadInput, as load_program() and
/// add_checkout() say, and if there is not one of the two.
Expected<PythonProgram> load(ProgramSettings settings);

/// "": none. Error: as formats::parse_format() says.
Expected<std::optional<formats::Format>> optional_format(const std::string& name);

/// Faults as the list of report::faults_json(), in text.
std::string faults_text(const std::vector<Fault>& faults);

/// Adds to the module: Program, and what it does apart from sweeps.
void add_program(pybind11::module_& module);

/// Adds run(), trace(): programs on tiles.
void add_runs(pybind11::module_& module);

/// Adds time(), check().
void add_time(pybind11::module_& module);

/// Adds tune().
void add_tune(pybind11::module_& module);

/// Adds sweep(), diff().
void add_sweeps(pybind11::module_& module);

/// Adds launch(): programs of tt-metal.
void add_launches(pybind11::module_& module);

/// Adds TimeRequest, GridTime: programs of tt-metal in time.
void add_program_times(pybind11::module_& module);

/// Adds golden, a module of its own.
void add_goldens(pybind11::module_& module);

} // namespace lanewise::python
