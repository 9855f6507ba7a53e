// Programs: kernels, circular buffers, semaphores and arguments, collected until they are run.
#pragma once

#include "buffer.hpp"

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
  /// Of the call that has created it.
  std::string origin = {};
  CoreRangeSet cores = {};
};

/// A list of arguments that can be changed in place.
using RuntimeArgsData = std::vector<std::uint32_t>;

struct LanewiseKernel {
  std::string origin, named_in, file, text;
  CoreRangeSet cores;
  std::variant<DataMovementConfig, ComputeConfig> config;
  std::vector<std::vector<RuntimeArgsData>> runtime_args = {}; ///< by column and row of the grid
  RuntimeArgsData common_args = {};
};

struct LanewiseSemaphore {
  std::string origin;
  std::uint32_t id = 0, initial = 0;
  CoreRangeSet cores;
};

class Program {
 public:
  mutable std::vector<LanewiseKernel> kernels; ///< whose arguments are set in a constant program, too
  std::vector<CircularBufferConfig> circular_buffers;
  std::vector<LanewiseSemaphore> semaphores;
  IDevice* device = nullptr;
  void set_runtime_id(std::uint64_t) {}
};
inline Program CreateProgram() { return {}; }

} // namespace tt::tt_metal

namespace lanewise_host {

inline tt::tt_metal::LanewiseKernel& kernel_of(const tt::tt_metal::Program& program, std::size_t handle,
                                               const Location& location) {
  if (handle >= program.kernels.size()) refuse(location, "there is no such kernel in this program");
  return program.kernels[handle];
}

inline tt::tt_metal::KernelHandle add_kernel(tt::tt_metal::Program& program, tt::tt_metal::LanewiseKernel kernel) {
  kernel.runtime_args.assign(grid().x, std::vector<tt::tt_metal::RuntimeArgsData>(grid().y));
  program.kernels.push_back(std::move(kernel));
  return static_cast<tt::tt_metal::KernelHandle>(program.kernels.size() - 1);
}

/// The arguments of a kernel on one of its cores.
inline tt::tt_metal::RuntimeArgsData& args_of(tt::tt_metal::LanewiseKernel& kernel,
                                              const tt::tt_metal::CoreCoord& core, const Location& location) {
  check_core(core, location);
  if (!kernel.cores.contains(core))
    refuse(location, fmt::format("the kernel of {} is not on core ({}, {})", kernel.origin, core.x, core.y));
  return kernel.runtime_args[core.x][core.y];
}
inline void set_args(const tt::tt_metal::Program& program, std::size_t handle, const tt::tt_metal::CoreSpec& cores,
                     std::span<const std::uint32_t> words, const Location& location) {
  tt::tt_metal::LanewiseKernel& kernel = kernel_of(program, handle, location);
  const auto set = check_cores(cores, location);
  for (const auto& range : set.ranges())
    for (const auto& core : range) args_of(kernel, core, location).assign(words.begin(), words.end());
}

/// The lowest number that no semaphore has on any of these cores.
inline std::uint32_t free_semaphore(const tt::tt_metal::Program& program, const tt::tt_metal::CoreRangeSet& cores,
                                    const Location& location) {
  constexpr std::uint32_t kMost = 16;
  for (std::uint32_t id = 0; id < kMost; ++id) {
    const bool is_taken = std::any_of(program.semaphores.begin(), program.semaphores.end(), [&](const auto& each) {
      return each.id == id && each.cores.intersects(cores);
    });
    if (!is_taken) return id;
  }
  refuse(location, fmt::format("none of the {} semaphores is free on all of the {} cores", kMost, cores.num_cores()));
}

} // namespace lanewise_host

namespace tt::tt_metal {

inline KernelHandle CreateKernel(Program& program, const std::string& file, const CoreSpec& cores,
                                 const std::variant<DataMovementConfig, ComputeConfig>& config,
                                 lanewise_host::Location location = lanewise_host::Location::current()) {
  return lanewise_host::add_kernel(program, {lanewise_host::origin_of(location), location.file_name(), file, "",
                                             lanewise_host::check_cores(cores, location), config});
}
inline KernelHandle CreateKernelFromString(Program& program, const std::string& text, const CoreSpec& cores,
                                           const std::variant<DataMovementConfig, ComputeConfig>& config,
                                           lanewise_host::Location location = lanewise_host::Location::current()) {
  return lanewise_host::add_kernel(program, {lanewise_host::origin_of(location), location.file_name(), "", text,
                                             lanewise_host::check_cores(cores, location), config});
}

inline CBHandle CreateCircularBuffer(Program& program, const CoreSpec& cores, const CircularBufferConfig& config,
                                     lanewise_host::Location location = lanewise_host::Location::current()) {
  program.circular_buffers.push_back(config);
  program.circular_buffers.back().origin = lanewise_host::origin_of(location);
  program.circular_buffers.back().cores = lanewise_host::check_cores(cores, location);
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
  CoreRangeSet set = lanewise_host::check_cores(cores, location);
  if (set.empty()) lanewise_host::refuse(location, "a semaphore on no cores");
  const std::uint32_t id = lanewise_host::free_semaphore(program, set, location);
  program.semaphores.push_back({lanewise_host::origin_of(location), id, initial, std::move(set)});
  return id;
}

template <class Arguments>
concept LanewiseArguments = requires(const Arguments& arguments) { std::span<const std::uint32_t>(arguments); };

inline void SetRuntimeArgs(const Program& program, KernelHandle kernel, const CoreSpec& cores,
                           std::initializer_list<std::uint32_t> arguments,
                           lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::set_args(program, kernel, cores, std::span(arguments.begin(), arguments.size()), location);
}
template <LanewiseArguments Arguments>
void SetRuntimeArgs(const Program& program, KernelHandle kernel, const CoreSpec& cores, const Arguments& arguments,
                    lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::set_args(program, kernel, cores, std::span<const std::uint32_t>(arguments), location);
}
/// A list for each of the cores.
inline void SetRuntimeArgs(const Program& program, KernelHandle kernel, const std::vector<CoreCoord>& cores,
                           const std::vector<std::vector<std::uint32_t>>& arguments,
                           lanewise_host::Location location = lanewise_host::Location::current()) {
  if (cores.size() != arguments.size())
    lanewise_host::refuse(location, fmt::format("{} lists of arguments for {} cores", arguments.size(), cores.size()));
  for (std::size_t i = 0; i < cores.size(); ++i)
    lanewise_host::set_args(program, kernel, cores[i], arguments[i], location);
}
inline void SetCommonRuntimeArgs(const Program& program, KernelHandle kernel, std::initializer_list<std::uint32_t> arguments,
                                 lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::kernel_of(program, kernel, location).common_args = arguments;
}
template <LanewiseArguments Arguments>
void SetCommonRuntimeArgs(const Program& program, KernelHandle kernel, const Arguments& arguments,
                          lanewise_host::Location location = lanewise_host::Location::current()) {
  const std::span<const std::uint32_t> words(arguments);
  lanewise_host::kernel_of(program, kernel, location).common_args.assign(words.begin(), words.end());
}
inline RuntimeArgsData& GetRuntimeArgs(const Program& program, KernelHandle kernel, const CoreCoord& core,
                                       lanewise_host::Location location = lanewise_host::Location::current()) {
  return lanewise_host::args_of(lanewise_host::kernel_of(program, kernel, location), core, location);
}
/// By column and row.
inline std::vector<std::vector<RuntimeArgsData>>& GetRuntimeArgs(
    const Program& program, KernelHandle kernel, lanewise_host::Location location = lanewise_host::Location::current()) {
  return lanewise_host::kernel_of(program, kernel, location).runtime_args;
}
inline RuntimeArgsData& GetCommonRuntimeArgs(const Program& program, KernelHandle kernel,
                                             lanewise_host::Location location = lanewise_host::Location::current()) {
  return lanewise_host::kernel_of(program, kernel, location).common_args;
}

} // namespace tt::tt_metal
