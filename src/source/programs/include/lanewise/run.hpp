// What host programs have done on the device: programs run, buffers written and read. Each is asked
// of the device's process with a description (channel.hpp).
#pragma once

#include "program.hpp"

namespace lanewise_host {

inline std::string json_text(std::string_view text) {
  std::string result = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') result += '\\';
    if (static_cast<unsigned char>(each) < 0x20) result += fmt::format("\\u{:04x}", each);
    else result += each;
  }
  return result + "\"";
}

inline std::string buffer_name(const tt::tt_metal::Buffer& buffer) {
  return fmt::format("0x{:x} of {}", buffer.address(), buffer.is_dram() ? "DRAM" : "L1");
}

inline std::string core_text(const tt::tt_metal::CoreCoord& core) { return fmt::format("[{},{}]", core.x, core.y); }

/// Single cores, and rectangles by their first and last core.
inline std::string cores_text(const tt::tt_metal::CoreRangeSet& cores) {
  std::vector<std::string> all;
  for (const auto& range : cores.ranges()) {
    const auto &first = range.start_coord, &last = range.end_coord;
    all.push_back(first == last ? core_text(first) : fmt::format("[{},{},{},{}]", first.x, first.y, last.x, last.y));
  }
  return fmt::format("\"cores\":[{}]", fmt::join(all, ","));
}

inline std::string shards_text(const tt::tt_metal::Buffer& buffer) {
  if (!buffer.is_sharded()) return "";
  const Shards& shards = *buffer.lanewise_shards();
  std::vector<std::string> cores;
  for (const auto& core : shards.cores) cores.push_back(core_text(core));
  return fmt::format(",\"shards\":{{\"cores\":[{}],\"tensor\":[{},{}],\"shard\":[{},{}]}}", fmt::join(cores, ","),
                     shards.tensor[0], shards.tensor[1], shards.shard[0], shards.shard[1]);
}

/// A buffer of a description. `has_contents`: they follow it.
inline std::string buffer_text(const tt::tt_metal::Buffer& buffer, bool has_contents) {
  return fmt::format("{{\"origin\":{},\"name\":{},\"memory\":{},\"bytes\":{},\"page_bytes\":{},\"address\":{},"
                     "\"sharded\":{},\"interleaved\":{}{},\"stream\":{},\"written\":{}}}",
                     json_text(buffer.origin), json_text(buffer_name(buffer)), buffer.is_dram() ? "\"dram\"" : "\"l1\"",
                     buffer.size(), buffer.page_size(), buffer.address(), buffer.is_sharded(),
                     buffer.is_l1() && !buffer.is_sharded(), shards_text(buffer), has_contents, buffer.is_written);
}

/// The chip and its cores, at the head of a description.
inline std::string device_text() {
  return fmt::format("\"arch\":{},\"grid\":{}", json_text(chip().name), core_text(grid()));
}

/// The description of a program, as docs/programs.md has it.
class Description {
 public:
  explicit Description(const tt::tt_metal::Program& program, const tt::tt_metal::IDevice& device)
      : program_(program), device_(device) {}

  std::string text() const {
    return fmt::format("{{{},\"buffers\":[{}],\"freed\":[{}],\"circular_buffers\":[{}],\"semaphores\":[{}],"
                       "\"kernels\":[{}]}}",
                       device_text(), buffers(), freed(), circular_buffers(), semaphores(), kernels());
  }

 private:
  std::string buffers() const {
    std::vector<std::string> all;
    for (const tt::tt_metal::Buffer* buffer : device_.lanewise_memories->buffers)
      all.push_back(buffer_text(*buffer, false));
    return fmt::format("{}", fmt::join(all, ","));
  }
  std::string freed() const {
    std::vector<std::string> all;
    for (const Freed& each : device_.lanewise_memories->freed)
      all.push_back(fmt::format("{{\"origin\":{},\"given_at\":{},\"memory\":{},\"address\":{},\"bank_bytes\":{}}}",
                                json_text(each.origin), json_text(each.given_at), each.is_dram ? "\"dram\"" : "\"l1\"",
                                each.address, each.bank_bytes));
    return fmt::format("{}", fmt::join(all, ","));
  }
  std::string name_of(const tt::tt_metal::CircularBufferConfig& cb) const {
    if (cb.in_buffer.number == 0) return "";
    for (const tt::tt_metal::Buffer* buffer : device_.lanewise_memories->buffers)
      if (buffer->number == cb.in_buffer.number) return buffer_name(*buffer);
    refuse_at(cb.origin, fmt::format("the circular buffer lies in the buffer of {}, which was given back",
                                     cb.in_buffer.origin));
  }
  std::string circular_buffers() const {
    std::vector<std::string> all;
    for (const auto& cb : program_.circular_buffers) {
      if (cb.cores.empty()) continue;
      std::vector<std::string> indices;
      for (const auto& [index, row] : cb.indices)
        indices.push_back(fmt::format("{{\"index\":{},\"format\":{},\"page_bytes\":{},\"tile\":[{},{}]}}", index,
                                      json_text(tt::lanewise_format_name(row.format)), row.page_bytes, row.tile[0],
                                      row.tile[1]));
      all.push_back(fmt::format("{{\"origin\":{},{},\"bytes\":{},\"buffer\":{},\"indices\":[{}]}}", json_text(cb.origin),
                                cores_text(cb.cores), cb.bytes, json_text(name_of(cb)), fmt::join(indices, ",")));
    }
    return fmt::format("{}", fmt::join(all, ","));
  }
  std::string semaphores() const {
    std::vector<std::string> all;
    for (const auto& each : program_.semaphores)
      all.push_back(fmt::format("{{\"origin\":{},{},\"id\":{},\"initial\":{}}}", json_text(each.origin),
                                cores_text(each.cores), each.id, each.initial));
    return fmt::format("{}", fmt::join(all, ","));
  }
  /// The arguments of the first core are those of all that have no list of their own.
  static std::string runtime_args(const tt::tt_metal::LanewiseKernel& kernel) {
    const auto& first = kernel.cores.ranges().front().start_coord;
    const auto& of_all = kernel.runtime_args[first.x][first.y];
    std::vector<std::string> own;
    for (const auto& range : kernel.cores.ranges())
      for (const auto& core : range)
        if (const auto& args = kernel.runtime_args[core.x][core.y]; args != of_all)
          own.push_back(fmt::format("{{\"core\":{},\"args\":[{}]}}", core_text(core), fmt::join(args, ",")));
    return fmt::format("\"runtime_args\":[{}],\"runtime_args_at\":[{}]", fmt::join(of_all, ","), fmt::join(own, ","));
  }
  std::string kernels() const {
    std::vector<std::string> all;
    for (const auto& kernel : program_.kernels) {
      if (kernel.cores.empty()) continue;
      const std::string special = std::visit([this](const auto& config) { return settings(config); }, kernel.config);
      all.push_back(fmt::format("{{\"origin\":{},\"named_in\":{},{}:{},{},{},{},\"common_runtime_args\":[{}]}}",
                                json_text(kernel.origin), json_text(kernel.named_in), kernel.text.empty() ? "\"file\"" : "\"text\"",
                                json_text(kernel.text.empty() ? kernel.file : kernel.text), cores_text(kernel.cores), special,
                                runtime_args(kernel), fmt::join(kernel.common_args, ",")));
    }
    return fmt::format("{}", fmt::join(all, ","));
  }
  template <class Config>
  static std::string shared_settings(const Config& config) {
    std::vector<std::string> named, defines, includes;
    for (const auto& [name, value] : config.named_compile_args) named.push_back(fmt::format("{}:{}", json_text(name), value));
    for (const auto& [name, value] : config.defines) defines.push_back(json_text(name) + ":" + json_text(value));
    for (const auto& folder : config.compiler_include_paths) includes.push_back(json_text(folder));
    return fmt::format("\"compile_args\":[{}],\"named_compile_args\":{{{}}},\"defines\":{{{}}},\"includes\":[{}]",
                       fmt::join(config.compile_args, ","), fmt::join(named, ","), fmt::join(defines, ","),
                       fmt::join(includes, ","));
  }
  std::string settings(const tt::tt_metal::DataMovementConfig& config) const {
    return fmt::format("\"processor\":\"riscv_{}\",\"noc\":{},\"noc_mode\":{},{}", static_cast<int>(config.processor),
                       static_cast<int>(config.noc), config.noc_mode == tt::tt_metal::DM_DYNAMIC_NOC ? "\"dynamic\"" : "\"dedicated\"",
                       shared_settings(config));
  }
  std::string settings(const tt::tt_metal::ComputeConfig& config) const {
    using tt::tt_metal::MathFidelity;
    std::vector<std::size_t> to_dest;
    for (std::size_t cb = 0; cb < config.unpack_to_dest_mode.size(); ++cb)
      if (config.unpack_to_dest_mode[cb] != tt::tt_metal::UnpackToDestMode::Default) to_dest.push_back(cb);
    const char* const fidelity = config.math_fidelity == MathFidelity::LoFi    ? "LoFi"
                                 : config.math_fidelity == MathFidelity::HiFi2 ? "HiFi2"
                                 : config.math_fidelity == MathFidelity::HiFi3 ? "HiFi3"
                                                                               : "HiFi4";
    return fmt::format("\"processor\":\"compute\",\"compute\":{{\"math_fidelity\":\"{}\",\"fp32_dest_acc_en\":{},"
                       "\"dst_full_sync_en\":{},\"math_approx_mode\":{},\"bfp8_pack_precise\":{},"
                       "\"unpack_to_dest_fp32\":[{}]}},{}",
                       fidelity, config.fp32_dest_acc_en, config.dst_full_sync_en, config.math_approx_mode,
                       config.bfp8_pack_precise, fmt::join(to_dest, ","), shared_settings(config));
  }

  const tt::tt_metal::Program& program_;
  const tt::tt_metal::IDevice& device_;
};

/// What the device says to a description of one buffer.
inline Reply ask_buffer(Ask what, const tt::tt_metal::Buffer& buffer, std::span<const std::byte> contents,
                        const Location& location) {
  if (!buffer.is_allocated())
    refuse(location, fmt::format("the buffer of {} was given back at {}", buffer.origin, buffer.given_at));
  Reply reply = Channel::own().ask(what,
                                   fmt::format("{{{},\"buffers\":[{}]}}", device_text(),
                                               buffer_text(buffer, what == Ask::Write)),
                                   contents);
  if (reply.answer != Answer::Done) throw std::runtime_error(std::string(reply.bytes.begin(), reply.bytes.end()));
  return reply;
}

/// Runs a program, with the buffers of its device. Throws if its kernels did not come to their end;
/// what is wrong stands on standard error then.
inline void run(const tt::tt_metal::Program& program, tt::tt_metal::IDevice& device) {
  const Reply reply = Channel::own().ask(Ask::Run, Description(program, device).text());
  for (tt::tt_metal::Buffer* buffer : device.lanewise_memories->buffers) buffer->is_written = true;
  if (reply.answer == Answer::Refused) throw std::runtime_error(std::string(reply.bytes.begin(), reply.bytes.end()));
  if (reply.answer == Answer::Stopped)
    throw std::runtime_error("the kernels did not come to their end: lanewise says above why");
}

/// Data for a part of the buffer leave the rest as it is.
template <class Data>
void write_buffer(tt::tt_metal::Buffer& buffer, const Data& data, const Location& location) {
  const auto bytes = std::as_bytes(std::span(data));
  if (bytes.size() > buffer.size())
    refuse(location, fmt::format("{} bytes do not fit into a buffer of {}", bytes.size(), buffer.size()));
  if (bytes.size() == buffer.size()) {
    ask_buffer(Ask::Write, buffer, bytes, location);
  } else {
    Reply whole = ask_buffer(Ask::Read, buffer, {}, location);
    std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(whole.bytes)).begin());
    ask_buffer(Ask::Write, buffer, std::as_bytes(std::span(whole.bytes)), location);
  }
  buffer.is_written = true;
}
template <class T>
void read_buffer(const tt::tt_metal::Buffer& buffer, std::vector<T>& data, const Location& location) {
  const Reply reply = ask_buffer(Ask::Read, buffer, {}, location);
  data.resize(reply.bytes.size() / sizeof(T));
  std::memcpy(static_cast<void*>(data.data()), reply.bytes.data(), data.size() * sizeof(T));
}

} // namespace lanewise_host

namespace tt::tt_metal {

namespace distributed {

class MeshWorkload {
 public:
  void add_program(const MeshCoordinateRange&, Program&& program) { programs.push_back(std::move(program)); }
  std::vector<Program> programs;
};

template <class Buffers, class Data>
void EnqueueWriteMeshBuffer(MeshCommandQueue&, const Buffers& buffer, const Data& data, bool = false,
                            lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::write_buffer(*buffer, data, location);
}
template <class T, class Buffers>
void EnqueueReadMeshBuffer(MeshCommandQueue&, std::vector<T>& data, const Buffers& buffer, bool = true,
                           lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::read_buffer(*buffer, data, location);
}
template <class Buffers, class Data>
void WriteShard(MeshCommandQueue&, const Buffers& buffer, const Data& data, const MeshCoordinate&, bool = false,
                lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::write_buffer(*buffer, data, location);
}
template <class T, class Buffers>
void ReadShard(MeshCommandQueue&, std::vector<T>& data, const Buffers& buffer, const MeshCoordinate&, bool = true,
               lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::read_buffer(*buffer, data, location);
}
inline void EnqueueMeshWorkload(MeshCommandQueue& queue, MeshWorkload& workload, bool) {
  for (const Program& program : workload.programs) lanewise_host::run(program, *queue.device());
}
inline void Finish(MeshCommandQueue&) {}

} // namespace distributed

// The classic interface, of trees up to 2025.

inline IDevice* CreateDevice(int id, std::uint8_t = 1, lanewise_host::Location location = lanewise_host::Location::current()) {
  if (id != 0) lanewise_host::refuse(location, fmt::format("there is one device, 0, and not {}", id));
  return new IDevice();
}
inline bool CloseDevice(IDevice* device) {
  delete device;
  return true;
}
inline std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig& config,
                                            lanewise_host::Location location = lanewise_host::Location::current()) {
  return std::make_shared<Buffer>(config.device, config.size, config.page_size, config.buffer_type, BufferShardingArgs(),
                                  location);
}
inline std::shared_ptr<Buffer> CreateBuffer(const ShardedBufferConfig& config,
                                            lanewise_host::Location location = lanewise_host::Location::current()) {
  return std::make_shared<Buffer>(config.device, config.size, config.page_size, config.buffer_type,
                                  BufferShardingArgs(config.shard_parameters, config.buffer_layout), location);
}
template <class Buffers, class Data>
void EnqueueWriteBuffer(CommandQueue&, const Buffers& buffer, const Data& data, bool = false,
                        lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::write_buffer(*buffer, data, location);
}
template <class Buffers, class T>
void EnqueueReadBuffer(CommandQueue&, const Buffers& buffer, std::vector<T>& data, bool = true,
                       lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::read_buffer(*buffer, data, location);
}
template <class Buffers>
void DeallocateBuffer(Buffers& buffer, lanewise_host::Location location = lanewise_host::Location::current()) {
  if constexpr (std::is_same_v<Buffers, Buffer>) buffer.deallocate(location);
  else buffer->deallocate(location);
}
inline void EnqueueProgram(CommandQueue& queue, Program& program, bool) { lanewise_host::run(program, *queue.device()); }
using distributed::Finish;

namespace detail {
template <class Buffers, class T>
void WriteToBuffer(Buffers& buffer, const std::vector<T>& data,
                   lanewise_host::Location location = lanewise_host::Location::current()) {
  if constexpr (std::is_same_v<std::remove_const_t<Buffers>, Buffer>) lanewise_host::write_buffer(buffer, data, location);
  else lanewise_host::write_buffer(*buffer, data, location);
}
template <class Buffers, class T>
void ReadFromBuffer(const Buffers& buffer, std::vector<T>& data,
                    lanewise_host::Location location = lanewise_host::Location::current()) {
  if constexpr (std::is_same_v<Buffers, Buffer>) lanewise_host::read_buffer(buffer, data, location);
  else lanewise_host::read_buffer(*buffer, data, location);
}
inline void LaunchProgram(IDevice* device, Program& program, bool = true) { lanewise_host::run(program, *device); }
} // namespace detail

/// There is no profiler: nothing is written.
inline void ReadMeshDeviceProfilerResults(IDevice&) {}
inline void DumpDeviceProfileResults(IDevice*) {}

} // namespace tt::tt_metal
