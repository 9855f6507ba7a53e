// Programs of tt-metal: a description as JSON in, arrays as .npy files in memory, and what becomes
// of them.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <array>
#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "base/in_quotes.h"
#include "base/text_file.h"
#include "chip/tile/run.h"
#include "python/errors.h"
#include "python/program.h"
#include "python/program_times.h"
#include "run/grid/grid.h"
#include "run/launch/buffer_files.h"
#include "run/launch/launch.h"
#include "source/programs/description.h"

namespace py = pybind11;

namespace lanewise::python {

namespace {

struct LaunchRequest {
  std::string description, file;             ///< JSON, or the file that has it
  std::map<std::string, std::string> arrays; ///< by buffer, as .npy files
  std::string arch, metal;
  std::string order = "round-robin";
  std::uint64_t seed = 0;
  double seconds = 0; ///< 0: as long as kernels may take
  unsigned jobs = 0;  ///< so many cores run at a time; 0: as many as the machine has
  std::optional<TimeRequest> time;
};

struct Launched {
  launch::LaunchOutcome outcome;
  std::vector<std::string> names;             ///< of buffers
  std::vector<bool> are_numbers;              ///< else bytes
  std::vector<std::vector<std::byte>> arrays; ///< .npy files, or the bytes
  std::optional<PythonGridTime> time;         ///< where it was asked for, and all went well
};

std::optional<std::size_t> buffer_named(const programs::Program& program, std::string_view name) {
  for (std::size_t i = 0; i < program.buffers.size(); ++i)
    if (program.buffers[i].name == name) return i;
  return std::nullopt;
}

Expected<programs::Description> description_of(const LaunchRequest& request) {
  std::string text = request.description;
  if (!request.file.empty()) {
    constexpr std::size_t kLargest = std::size_t{1} << 26;
    auto read = read_text_file(request.file, kLargest);
    if (!read) return Unexpected(read.error());
    text = std::move(*read);
  }
  auto description = programs::parse_description(text);
  if (!description) {
    Fault fault = description.error();
    fault.file = request.file;
    return Unexpected(std::move(fault));
  }
  if (!request.arch.empty()) {
    const auto arch = parse_whole_arch(request.arch);
    if (!arch)
      return bad_input(fmt::format("there is no chip {} with cores", in_quotes(request.arch)),
                       "use bh or wh");
    description->program.arch = *arch;
  }
  for (programs::BufferFiles& files : description->files) files.output.clear();
  for (const auto& [name, npy] : request.arrays) {
    const auto index = buffer_named(description->program, name);
    if (!index)
      return bad_input(fmt::format("the program has no buffer {}", in_quotes(name)),
                       "name one of its buffers");
    if (auto filled = launch::fill_buffer(*description, *index, std::as_bytes(std::span(npy)));
        !filled)
      return Unexpected(filled.error());
  }
  if (auto read = launch::read_buffers(*description, {}); !read) return Unexpected(read.error());
  return description;
}

Expected<Launched> run(const LaunchRequest& request) {
  auto description = description_of(request);
  if (!description) return Unexpected(description.error());
  const programs::Program& program = description->program;
  programs::CompileSettings how;
  if (request.seconds > 0)
    how.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(request.seconds * 1000));
  if (!request.metal.empty()) {
    auto checkout = checkouts::Checkout::open(request.metal, std::array{program.arch});
    if (!checkout) return Unexpected(checkout.error());
    how.checkout = std::move(*checkout);
  }
  const auto prepared = grid::prepare(program, how);
  if (!prepared) return Unexpected(prepared.error());
  auto outcome = grid::run(
      *prepared, {.schedule = {.order = tile::order_named(request.order), .seed = request.seed},
                  .limits = how.limits,
                  .keeps_stretches = request.time.has_value(),
                  .jobs = request.jobs,
                  .stop = signals_of_python()});
  if (!outcome) return Unexpected(outcome.error());
  Launched launched;
  if (request.time && outcome->is_done()) {
    auto time =
        time_of(*prepared, how, *outcome, *request.time,
                {.name = request.file.empty() ? "a program" : request.file, .jobs = request.jobs});
    if (!time) return Unexpected(time.error());
    launched.time = std::move(*time);
  }
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    auto array = launch::buffer_array(*description, i, outcome->buffers[i]);
    if (!array) return Unexpected(array.error());
    launched.names.push_back(program.buffers[i].name);
    launched.are_numbers.push_back(!programs::file_format(description->files[i].format).empty());
    launched.arrays.push_back(std::move(*array));
  }
  launched.outcome = std::move(*outcome);
  return launched;
}

py::dict result_of(Launched launched) {
  const launch::LaunchOutcome& outcome = launched.outcome;
  py::dict arrays;
  for (std::size_t i = 0; i < launched.names.size(); ++i) {
    const auto& bytes = launched.arrays[i];
    arrays[launched.names[i].c_str()] =
        py::make_tuple(static_cast<bool>(launched.are_numbers[i]),
                       py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  std::vector<Fault> faults = outcome.faults;
  if (outcome.failure) faults.push_back(*outcome.failure);
  py::dict result;
  result["arrays"] = arrays;
  result["findings"] = faults_text(faults);
  result["blocked"] = outcome.blocked;
  result["prints"] = outcome.prints;
  result["executed"] = outcome.executed;
  result["transactions"] = outcome.transactions;
  result["ran_out"] = outcome.ran_out;
  result["is_done"] = outcome.is_done();
  result["time"] = std::move(launched.time);
  return result;
}

py::dict launch_of(const LaunchRequest& request) {
  auto launched = without_gil([&] { return run(request); });
  // Ctrl-C has ended the kernels, and what they have done until then is no result.
  if (PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0) throw py::error_already_set();
  return result_of(value_of(std::move(launched)));
}

/// Bytes of a tile of 32 x 32 numbers.
std::uint32_t tile_bytes(const std::string& format) {
  return programs::format_bytes(value_of(programs::parse_data_format(format)), 1024);
}

} // namespace

void add_launches(py::module_& module) {
  py::class_<LaunchRequest>(module, "LaunchRequest")
      .def(py::init<>())
      .def_readwrite("description", &LaunchRequest::description)
      .def_readwrite("file", &LaunchRequest::file)
      .def_property(
          "arrays", [](const LaunchRequest&) { return py::dict(); },
          [](LaunchRequest& request, const std::map<std::string, py::bytes>& arrays) {
            for (const auto& [name, npy] : arrays) request.arrays[name] = std::string(npy);
          })
      .def_readwrite("arch", &LaunchRequest::arch)
      .def_readwrite("metal", &LaunchRequest::metal)
      .def_readwrite("order", &LaunchRequest::order)
      .def_readwrite("seed", &LaunchRequest::seed)
      .def_readwrite("seconds", &LaunchRequest::seconds)
      .def_readwrite("jobs", &LaunchRequest::jobs)
      .def_readwrite("time", &LaunchRequest::time);
  module.def("launch", &launch_of);
  module.def("tile_bytes", &tile_bytes);
}

} // namespace lanewise::python
