// Programs: kernels, circular buffers, semaphores and arguments, collected until they are run.
#pragma once

#include "device.hpp"

namespace tt::tt_metal {

class Tile {
 public:
  Tile(std::array<std::uint32_t, 2> shape = {32, 32}) : shape_(shape) {}
  std::array<std::uint32_t, 2> get_tile_shape() const { return shape_; }

 private:
  std::array<std::uint32_t, 2> shape_;
};

class CircularBufferConfig {
 public:
  struct Index {
    DataFormat format = DataFormat::Invalid;
    std::uint32_t page_bytes = 0;
    std::array<std::uint32_t, 2> tile{32, 32};
  };
  CircularBufferConfig(std::uint32_t total_size, const std::map<std::uint8_t, DataFormat>& formats)
      : bytes(total_size) {
    for (const auto& [index, format] : formats) indices[index].format = format;
  }
  CircularBufferConfig(std::uint32_t total_size) : bytes(total_size) {}
  CircularBufferConfig& set_page_size(std::uint8_t index, std::uint32_t page_bytes) {
    indices[index].page_bytes = page_bytes;
    return *this;
  }
  CircularBufferConfig& set_total_size(std::uint32_t total_size) {
    bytes = total_size;
    return *this;
  }
  CircularBufferConfig& set_tile_dims(std::uint8_t index, const Tile& tile) {
    indices[index].tile = tile.get_tile_shape();
    return *this;
  }
  CircularBufferConfig& set_globally_allocated_address(const Buffer& buffer) {
    in_buffer = {buffer.number, buffer.origin};
    return *this;
  }

  std::uint32_t bytes;
  std::map<std::uint8_t, Index> indices;
  /// Of the buffer in whose memory it lies, which may be gone when the program runs.
  struct InBuffer {
    std::uint64_t number = 0; ///< 0: none
    std::string origin;
  };
  InBuffer in_buffer = {};
  std::string origin = {};
};

/// A list of arguments that can be changed in place.
using RuntimeArgsData = std::vector<std::uint32_t>;

struct LanewiseKernel {
  std::string origin, named_in, file, text;
  std::variant<DataMovementConfig, ComputeConfig> config;
  RuntimeArgsData runtime_args, common_args;
};

class Program {
 public:
  std::vector<LanewiseKernel> kernels;
  std::vector<CircularBufferConfig> circular_buffers;
  std::vector<std::uint32_t> semaphores; ///< initial values, by number
  IDevice* device = nullptr;
  void set_runtime_id(std::uint64_t) {}
};
inline Program CreateProgram() { return {}; }

} // namespace tt::tt_metal

namespace lanewise_host {

/// The device has one core: anything on another is refused where it is asked for.
inline void check_cores(const tt::tt_metal::CoreSpec& cores, const Location& location) {
  using namespace tt::tt_metal;
  const auto set = std::visit([](const auto& each) { return CoreRangeSet(each); }, cores);
  if (set.num_cores() == 1 && set.contains({0, 0})) return;
  refuse(location, fmt::format("asks for {} cores{}, of a device that has one, (0, 0)", set.num_cores(),
                               set.empty() ? "" : " from " + set.ranges().front().start_coord.str() + " on"));
}

inline tt::tt_metal::LanewiseKernel& kernel_of(tt::tt_metal::Program& program, std::size_t handle,
                                               const Location& location) {
  if (handle >= program.kernels.size()) refuse(location, "there is no such kernel in this program");
  return program.kernels[handle];
}

} // namespace lanewise_host

namespace tt::tt_metal {

inline KernelHandle CreateKernel(Program& program, const std::string& file, const CoreSpec& cores,
                                 const std::variant<DataMovementConfig, ComputeConfig>& config,
                                 lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::check_cores(cores, location);
  program.kernels.push_back({lanewise_host::origin_of(location), location.file_name(), file, "", config, {}, {}});
  return static_cast<KernelHandle>(program.kernels.size() - 1);
}
inline KernelHandle CreateKernelFromString(Program& program, const std::string& text, const CoreSpec& cores,
                                           const std::variant<DataMovementConfig, ComputeConfig>& config,
                                           lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::check_cores(cores, location);
  program.kernels.push_back({lanewise_host::origin_of(location), location.file_name(), "", text, config, {}, {}});
  return static_cast<KernelHandle>(program.kernels.size() - 1);
}

inline CBHandle CreateCircularBuffer(Program& program, const CoreSpec& cores, const CircularBufferConfig& config,
                                     lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::check_cores(cores, location);
  program.circular_buffers.push_back(config);
  program.circular_buffers.back().origin = lanewise_host::origin_of(location);
  return program.circular_buffers.size() - 1;
}
inline void UpdateDynamicCircularBufferAddress(Program& program, CBHandle handle, const Buffer& buffer) {
  program.circular_buffers.at(handle).in_buffer = {buffer.number, buffer.origin};
}
inline void UpdateCircularBufferTotalSize(Program& program, CBHandle handle, std::uint32_t bytes) {
  program.circular_buffers.at(handle).bytes = bytes;
}

inline std::uint32_t CreateSemaphore(Program& program, const CoreSpec& cores, std::uint32_t initial,
                                     lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::check_cores(cores, location);
  if (program.semaphores.size() == 16) lanewise_host::refuse(location, "a core has 16 semaphores");
  program.semaphores.push_back(initial);
  return static_cast<std::uint32_t>(program.semaphores.size() - 1);
}

template <class Arguments>
concept LanewiseArguments = requires(const Arguments& arguments) { std::span<const std::uint32_t>(arguments); };

inline void SetRuntimeArgs(Program& program, KernelHandle kernel, const CoreSpec& cores,
                           std::initializer_list<std::uint32_t> arguments,
                           lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::check_cores(cores, location);
  lanewise_host::kernel_of(program, kernel, location).runtime_args = arguments;
}
template <LanewiseArguments Arguments>
void SetRuntimeArgs(Program& program, KernelHandle kernel, const CoreSpec& cores, const Arguments& arguments,
                    lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::check_cores(cores, location);
  const std::span<const std::uint32_t> words(arguments);
  lanewise_host::kernel_of(program, kernel, location).runtime_args.assign(words.begin(), words.end());
}
inline void SetRuntimeArgs(Program& program, KernelHandle kernel, const std::vector<CoreCoord>& cores,
                           const std::vector<std::vector<std::uint32_t>>& arguments,
                           lanewise_host::Location location = lanewise_host::Location::current()) {
  for (std::size_t i = 0; i < cores.size(); ++i) SetRuntimeArgs(program, kernel, cores[i], arguments.at(i), location);
}
inline void SetCommonRuntimeArgs(Program& program, KernelHandle kernel, std::initializer_list<std::uint32_t> arguments,
                                 lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::kernel_of(program, kernel, location).common_args = arguments;
}
template <LanewiseArguments Arguments>
void SetCommonRuntimeArgs(Program& program, KernelHandle kernel, const Arguments& arguments,
                          lanewise_host::Location location = lanewise_host::Location::current()) {
  const std::span<const std::uint32_t> words(arguments);
  lanewise_host::kernel_of(program, kernel, location).common_args.assign(words.begin(), words.end());
}
inline RuntimeArgsData& GetRuntimeArgs(Program& program, KernelHandle kernel, const CoreCoord& core,
                                       lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::check_cores(core, location);
  return lanewise_host::kernel_of(program, kernel, location).runtime_args;
}
inline RuntimeArgsData& GetCommonRuntimeArgs(Program& program, KernelHandle kernel,
                                             lanewise_host::Location location = lanewise_host::Location::current()) {
  return lanewise_host::kernel_of(program, kernel, location).common_args;
}

/// The first cores of a grid.
inline CoreRangeSet num_cores_to_corerangeset(std::uint32_t cores, const CoreCoord& grid, bool row_wise = false) {
  std::vector<CoreRange> ranges;
  for (std::size_t i = 0; i < cores; ++i)
    ranges.emplace_back(row_wise ? CoreCoord(i % grid.x, i / grid.x) : CoreCoord(i / grid.y, i % grid.y));
  return CoreRangeSet(ranges);
}

/// So many cores as there are units, at most all: those of group 1 get one unit more than those of
/// group 2, if the units do not come out even.
inline std::tuple<std::uint32_t, CoreRangeSet, CoreRangeSet, CoreRangeSet, std::uint32_t, std::uint32_t>
split_work_to_cores(const CoreCoord& grid, std::uint32_t units, bool row_wise = false) {
  const auto most = static_cast<std::uint32_t>(grid.x * grid.y), cores = std::min(units, most);
  if (cores == 0) return {0, {}, {}, {}, 0, 0};
  const std::uint32_t each = units / cores, more = units % cores;
  const auto range_of = [&](std::uint32_t first, std::uint32_t last) {
    std::vector<CoreRange> ranges;
    for (std::uint32_t i = first; i < last; ++i)
      ranges.emplace_back(row_wise ? CoreCoord(i % grid.x, i / grid.x) : CoreCoord(i / grid.y, i % grid.y));
    return CoreRangeSet(ranges);
  };
  if (more == 0) return {cores, range_of(0, cores), range_of(0, cores), {}, each, 0};
  return {cores, range_of(0, cores), range_of(0, more), range_of(more, cores), each + 1, each};
}

} // namespace tt::tt_metal
namespace tt {
using tt_metal::split_work_to_cores;
}
