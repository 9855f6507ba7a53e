// Programs are run by 'lanewise kernels', which is started for each: its description and the
// contents of the buffers go there, and the buffers come back.
//
//   LANEWISE         the program (default: lanewise, of PATH)
//   LANEWISE_METAL   the checkout of tt-metal (default: TT_METAL_HOME; without either, kernels have Lanewise's
//                    own headers)
//   LANEWISE_FLAGS   further options of 'lanewise kernels', with blanks between them
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.hpp"

namespace lanewise_host {

inline std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') result += '\\';
    if (static_cast<unsigned char>(each) < 0x20) result += fmt::format("\\u{:04x}", each);
    else result += each;
  }
  return result + "\"";
}

/// The description of a program, as docs/programs.md has it.
class Description {
 public:
  explicit Description(const tt::tt_metal::Program& program, const tt::tt_metal::IDevice& device)
      : program_(program), device_(device) {}

  std::string text() const {
    return fmt::format("{{\"arch\":{},\"buffers\":[{}],\"circular_buffers\":[{}],\"semaphores\":[{}],\"kernels\":[{}]}}",
                       quoted(chip().name), buffers(), circular_buffers(), semaphores(), kernels());
  }

 private:
  std::string name_of(const tt::tt_metal::Buffer& buffer) const { return fmt::format("0x{:x}", buffer.address()) + (buffer.is_dram() ? " of DRAM" : " of L1"); }

  std::string buffers() const {
    std::vector<std::string> all;
    for (const tt::tt_metal::Buffer* buffer : device_.lanewise_buffers)
      all.push_back(fmt::format("{{\"origin\":{},\"name\":{},\"memory\":{},\"bytes\":{},\"page_bytes\":{},\"address\":{},"
                                "\"sharded\":{},\"stream\":{}}}",
                                quoted(buffer->origin), quoted(name_of(*buffer)),
                                buffer->is_dram() ? "\"dram\"" : "\"l1\"", buffer->size(), buffer->page_size(),
                                buffer->address(), buffer->is_sharded(), !buffer->contents.empty()));
    return fmt::format("{}", fmt::join(all, ","));
  }
  std::string circular_buffers() const {
    std::vector<std::string> all;
    for (const auto& cb : program_.circular_buffers) {
      std::vector<std::string> indices;
      for (const auto& [index, row] : cb.indices)
        indices.push_back(fmt::format("{{\"index\":{},\"format\":{},\"page_bytes\":{},\"tile\":[{},{}]}}", index,
                                      quoted(tt::lanewise_format_name(row.format)), row.page_bytes, row.tile[0],
                                      row.tile[1]));
      all.push_back(fmt::format("{{\"origin\":{},\"bytes\":{},\"buffer\":{},\"indices\":[{}]}}", quoted(cb.origin),
                                cb.bytes, quoted(cb.in_buffer != nullptr ? name_of(*cb.in_buffer) : ""),
                                fmt::join(indices, ",")));
    }
    return fmt::format("{}", fmt::join(all, ","));
  }
  std::string semaphores() const {
    std::vector<std::string> all;
    for (std::size_t id = 0; id < program_.semaphores.size(); ++id)
      all.push_back(fmt::format("{{\"id\":{},\"initial\":{}}}", id, program_.semaphores[id]));
    return fmt::format("{}", fmt::join(all, ","));
  }
  std::string kernels() const {
    std::vector<std::string> all;
    for (const auto& kernel : program_.kernels) {
      const std::string special = std::visit([this](const auto& config) { return settings(config); }, kernel.config);
      all.push_back(fmt::format("{{\"origin\":{},{}:{},{},\"runtime_args\":[{}],\"common_runtime_args\":[{}]}}",
                                quoted(kernel.origin), kernel.text.empty() ? "\"file\"" : "\"text\"",
                                quoted(kernel.text.empty() ? kernel.file : kernel.text), special,
                                fmt::join(kernel.runtime_args, ","), fmt::join(kernel.common_args, ",")));
    }
    return fmt::format("{}", fmt::join(all, ","));
  }
  template <class Config>
  static std::string shared_settings(const Config& config) {
    std::vector<std::string> named, defines, includes;
    for (const auto& [name, value] : config.named_compile_args) named.push_back(fmt::format("{}:{}", quoted(name), value));
    for (const auto& [name, value] : config.defines) defines.push_back(quoted(name) + ":" + quoted(value));
    for (const auto& folder : config.compiler_include_paths) includes.push_back(quoted(folder));
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

/// A file in memory, for the way to and from the other process.
class MemoryFile {
 public:
  MemoryFile() : number_(::memfd_create("lanewise", 0)) {
    if (number_ < 0) throw std::runtime_error("cannot make a file in memory");
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(number_); }
  int number() const { return number_; }
  void write(const void* bytes, std::size_t count) const {
    const char* at = static_cast<const char*>(bytes);
    while (count != 0) {
      const ssize_t written = ::write(number_, at, count);
      if (written <= 0) throw std::runtime_error("cannot write into a file in memory");
      at += written;
      count -= static_cast<std::size_t>(written);
    }
  }
  void rewind() const { ::lseek(number_, 0, SEEK_SET); }
  bool read(std::vector<std::uint8_t>& bytes) const {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t count = ::read(number_, bytes.data() + at, bytes.size() - at);
      if (count <= 0) return false;
      at += static_cast<std::size_t>(count);
    }
    return true;
  }

 private:
  int number_;
};

inline std::vector<std::string> command() {
  const auto variable = [](const char* name) -> std::string {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  std::string program = variable("LANEWISE"), metal = variable("LANEWISE_METAL");
  if (program.empty()) program = "lanewise";
  if (metal.empty()) metal = variable("TT_METAL_HOME");
  std::vector<std::string> words{program, "kernels", "-", "--buffers-to", "3"};
  if (!metal.empty()) words.insert(words.end(), {"--metal", metal});
  std::istringstream flags(variable("LANEWISE_FLAGS"));
  for (std::string word; flags >> word;) words.push_back(word);
  return words;
}

/// Runs a program to its end, with the buffers of its device. Throws if it did not run as it should;
/// what is wrong stands on standard error then.
inline void run(const tt::tt_metal::Program& program, tt::tt_metal::IDevice& device) {
  std::cout.flush();
  std::fflush(nullptr);
  const MemoryFile input, output;
  const std::string description = Description(program, device).text();
  input.write(description.c_str(), description.size() + 1); // the zero behind it, too
  for (const tt::tt_metal::Buffer* buffer : device.lanewise_buffers)
    if (!buffer->contents.empty()) input.write(buffer->contents.data(), buffer->contents.size());
  input.rewind();
  std::vector<std::string> words = command();
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    // 3 may be one of the two files itself.
    const int in = ::fcntl(input.number(), F_DUPFD, 10), out = ::fcntl(output.number(), F_DUPFD, 10);
    if (::dup2(in, 0) == 0 && ::dup2(out, 3) == 3) ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) throw std::runtime_error("cannot start lanewise");
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    throw std::runtime_error(fmt::format("cannot start {}: set LANEWISE to the program", words[0]));
  output.rewind();
  for (tt::tt_metal::Buffer* buffer : device.lanewise_buffers) {
    std::vector<std::uint8_t> contents(buffer->size());
    if (!output.read(contents)) break;
    buffer->contents = std::move(contents);
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error("the program did not run as it should: lanewise says above what is wrong");
}

template <class Data>
void write_buffer(tt::tt_metal::Buffer& buffer, const Data& data, const Location& location) {
  const auto bytes = std::as_bytes(std::span(data));
  if (bytes.size() > buffer.size())
    refuse(location, fmt::format("{} bytes do not fit into a buffer of {}", bytes.size(), buffer.size()));
  buffer.contents.resize(buffer.size());
  std::memcpy(buffer.contents.data(), bytes.data(), bytes.size());
}
template <class T>
void read_buffer(const tt::tt_metal::Buffer& buffer, std::vector<T>& data) {
  data.resize(buffer.size() / sizeof(T));
  if (buffer.contents.empty()) std::fill(data.begin(), data.end(), T{});
  else std::memcpy(static_cast<void*>(data.data()), buffer.contents.data(), data.size() * sizeof(T));
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
void EnqueueReadMeshBuffer(MeshCommandQueue&, std::vector<T>& data, const Buffers& buffer, bool = true) {
  lanewise_host::read_buffer(*buffer, data);
}
template <class Buffers, class Data>
void WriteShard(MeshCommandQueue&, const Buffers& buffer, const Data& data, const MeshCoordinate&, bool = false,
                lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::write_buffer(*buffer, data, location);
}
template <class T, class Buffers>
void ReadShard(MeshCommandQueue&, std::vector<T>& data, const Buffers& buffer, const MeshCoordinate&, bool = true) {
  lanewise_host::read_buffer(*buffer, data);
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
  return std::make_shared<Buffer>(config.device, config.size, config.page_size, config.buffer_type, false, location);
}
template <class Buffers, class Data>
void EnqueueWriteBuffer(CommandQueue&, const Buffers& buffer, const Data& data, bool = false,
                        lanewise_host::Location location = lanewise_host::Location::current()) {
  lanewise_host::write_buffer(*buffer, data, location);
}
template <class Buffers, class T>
void EnqueueReadBuffer(CommandQueue&, const Buffers& buffer, std::vector<T>& data, bool = true) {
  lanewise_host::read_buffer(*buffer, data);
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
void ReadFromBuffer(const Buffers& buffer, std::vector<T>& data) {
  if constexpr (std::is_same_v<Buffers, Buffer>) lanewise_host::read_buffer(buffer, data);
  else lanewise_host::read_buffer(*buffer, data);
}
inline void LaunchProgram(IDevice* device, Program& program, bool = true) { lanewise_host::run(program, *device); }
} // namespace detail

/// There is no profiler: nothing is written.
inline void ReadMeshDeviceProfilerResults(IDevice&) {}
inline void DumpDeviceProfileResults(IDevice*) {}

} // namespace tt::tt_metal
