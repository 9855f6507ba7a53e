// The device of a host program: one core. Its buffers have their addresses here; what they hold lies
// in another process (channel.hpp).
#pragma once

#include <source_location>

#include "channel.hpp"
#include "numbers.hpp"

namespace lanewise_host {

using Location = std::source_location;

/// "prog.cpp:12", as messages name what the host program has made.
inline std::string origin_of(const Location& location) {
  return fmt::format("{}:{}", location.file_name(), location.line());
}

/// What the device has not, or cannot do. 'lanewise program' tells it, whatever becomes of the
/// exception.
[[noreturn]] inline void refuse_at(const std::string& origin, std::string_view text) {
  const std::string message = fmt::format("{}: {}", origin, text);
  if (Channel::is_inherited()) Channel::own().ask(Ask::Refused, message);
  throw std::runtime_error(message);
}
[[noreturn]] inline void refuse(const Location& location, std::string_view text) {
  refuse_at(origin_of(location), text);
}

/// What a host can know of a chip (docs/programs.md, "The device").
struct Chip {
  const char* name;
  tt::ARCH arch;
  std::uint64_t dram_banks, dram_alignment, dram_begin, bank_bytes;
  std::uint64_t l1_bytes, l1_begin;
  tt::tt_metal::CoreCoord worker; ///< virtual coordinates of the core
};
inline constexpr std::array<Chip, 2> kChips{
    {{"bh", tt::ARCH::BLACKHOLE, 8, 64, 0x100080, 4278190080, 1536 * 1024, 0x1B300, {1, 2}},
     {"wh", tt::ARCH::WORMHOLE_B0, 12, 32, 0x100040, 1U << 30, 1464 * 1024, 0x19720, {18, 18}}}};

/// $LANEWISE_ARCH, bh or wh; or $ARCH_NAME, as tt-metal has it.
inline const Chip& chip() {
  static const Chip& chosen = []() -> const Chip& {
    for (const char* variable : {"LANEWISE_ARCH", "ARCH_NAME"}) {
      const char* const value = std::getenv(variable);
      if (value == nullptr) continue;
      const std::string_view name(value);
      if (name == "bh" || name == "blackhole") return kChips[0];
      if (name == "wh" || name == "wormhole_b0") return kChips[1];
      throw std::runtime_error(fmt::format("{}={} is no chip that is here: choose bh or wh", variable, name));
    }
    return kChips[0];
  }();
  return chosen;
}

/// Addresses of one memory, first fit.
class Addresses {
 public:
  /// Upwards from `begin`, or downwards from `end`. Nothing if no place is left.
  std::optional<std::uint64_t> take(std::uint64_t bytes, std::uint64_t begin, std::uint64_t end, bool upwards,
                                    std::uint64_t alignment) {
    std::uint64_t at = upwards ? begin : (end - std::min(bytes, end)) / alignment * alignment;
    for (bool moved = true; moved;) {
      moved = false;
      for (const auto& [first, last] : taken_) {
        if (at >= last || first >= at + bytes) continue;
        if (!upwards && first < bytes) at = end; // no room is left
        else at = upwards ? (last + alignment - 1) / alignment * alignment : (first - bytes) / alignment * alignment;
        moved = at < end;
        break;
      }
    }
    if (at < begin || at + bytes > end) return std::nullopt;
    taken_.emplace(at, at + bytes);
    return at;
  }
  void give_back(std::uint64_t address) { taken_.erase(address); }

 private:
  std::map<std::uint64_t, std::uint64_t> taken_;
};

} // namespace lanewise_host

namespace tt::tt_metal {
class Buffer;
}

namespace lanewise_host {

/// A buffer that was given back.
struct Freed {
  std::string origin, given_at; ///< of a buffer that went out of its scope, nobody has said where
  bool is_dram = true;
  std::uint64_t address = 0, bank_bytes = 0;
};

/// What is in the memories of a device; buffers may outlive it.
struct Memories {
  std::vector<tt::tt_metal::Buffer*> buffers; ///< that are there, in the order in which they were made
  std::vector<Freed> freed;
  Addresses dram, l1;
  std::uint64_t made = 0; ///< buffers, ever
};

} // namespace lanewise_host

namespace tt::tt_metal {

struct ShardSpec {
  CoreRangeSet grid;
  std::array<std::uint32_t, 2> shape{};
  ShardOrientation orientation = ShardOrientation::ROW_MAJOR;
  ShardSpec() = default;
  ShardSpec(CoreRangeSet cores, std::array<std::uint32_t, 2> sides,
            ShardOrientation order = ShardOrientation::ROW_MAJOR)
      : grid(std::move(cores)), shape(sides), orientation(order) {}
};
struct ShardSpecBuffer {
  ShardSpec tensor_shard_spec;
  std::array<std::uint32_t, 2> page_shape{}, tensor2d_shape_in_pages{};
  ShardSpecBuffer(CoreRangeSet cores, std::array<std::uint32_t, 2> sides, ShardOrientation order,
                  std::array<std::uint32_t, 2> page, std::array<std::uint32_t, 2> tensor)
      : tensor_shard_spec(std::move(cores), sides, order), page_shape(page), tensor2d_shape_in_pages(tensor) {}
  CoreRangeSet grid() const { return tensor_shard_spec.grid; }
};
struct BufferShardingArgs {
  std::optional<ShardSpecBuffer> shard_spec;
  TensorMemoryLayout layout = TensorMemoryLayout::INTERLEAVED;
  BufferShardingArgs() = default;
  BufferShardingArgs(std::optional<ShardSpecBuffer> spec, TensorMemoryLayout memory)
      : shard_spec(std::move(spec)), layout(memory) {}
};

namespace distributed {
class MeshDevice;
/// Everything in a queue is done at once, in the order in which it comes.
class MeshCommandQueue {
 public:
  explicit MeshCommandQueue(MeshDevice* device) : device_(device) {}
  MeshDevice* device() const { return device_; }

 private:
  MeshDevice* device_;
};

struct MeshShape {
  std::uint32_t rows = 1, columns = 1;
  MeshShape() = default;
  MeshShape(std::uint32_t r, std::uint32_t c) : rows(r), columns(c) {}
  std::size_t mesh_size() const { return std::size_t{rows} * columns; }
  std::uint32_t operator[](std::size_t i) const { return i == 0 ? rows : columns; }
};
struct MeshCoordinate {
  std::uint32_t row = 0, column = 0;
  MeshCoordinate() = default;
  MeshCoordinate(std::uint32_t r, std::uint32_t c) : row(r), column(c) {}
};
struct MeshCoordinateRange {
  MeshCoordinate first, last;
  MeshCoordinateRange(const MeshShape& shape) : last(shape.rows - 1, shape.columns - 1) {}
  MeshCoordinateRange(const MeshCoordinate& a, const MeshCoordinate& b) : first(a), last(b) {}
};

} // namespace distributed

/// What is known of the memories before there are buffers.
class Allocator {
 public:
  std::uint32_t get_alignment(BufferType type) const {
    return type == BufferType::DRAM ? static_cast<std::uint32_t>(lanewise_host::chip().dram_alignment) : 16;
  }
  std::size_t get_num_banks(BufferType type) const {
    return type == BufferType::DRAM ? lanewise_host::chip().dram_banks : 1;
  }
};

namespace distributed {
/// One device with one core; of the classic interface, too.
class MeshDevice {
 public:
  MeshDevice() = default;
  MeshDevice(const MeshDevice&) = delete;
  MeshDevice& operator=(const MeshDevice&) = delete;

  static std::shared_ptr<MeshDevice> create_unit_mesh(
      int id, std::size_t = 0, std::size_t = 0, std::size_t = 1,
      lanewise_host::Location location = lanewise_host::Location::current()) {
    if (id != 0) lanewise_host::refuse(location, fmt::format("there is one device, 0, and not {}", id));
    return std::make_shared<MeshDevice>();
  }
  bool close() { return true; }
  int id() const { return 0; }
  ARCH arch() const { return lanewise_host::chip().arch; }
  MeshShape shape() const { return {1, 1}; }
  std::size_t num_devices() const { return 1; }
  MeshCommandQueue& mesh_command_queue(std::size_t = 0) { return queue_; }
  MeshCommandQueue& command_queue(std::size_t = 0) { return queue_; }
  CoreCoord compute_with_storage_grid_size() const { return {1, 1}; }
  CoreCoord logical_grid_size() const { return {1, 1}; }
  CoreCoord worker_core_from_logical_core(
      const CoreCoord& core, lanewise_host::Location location = lanewise_host::Location::current()) const {
    if (core != CoreCoord(0, 0))
      lanewise_host::refuse(location, fmt::format("core {} is not there: the device has one, (0, 0)", core.str()));
    return lanewise_host::chip().worker;
  }
  const Allocator* allocator() const { return &allocator_; }
  std::uint32_t num_dram_channels() const { return static_cast<std::uint32_t>(lanewise_host::chip().dram_banks); }
  CoreCoord dram_grid_size() const { return {lanewise_host::chip().dram_banks, 1}; }
  std::uint32_t l1_size_per_core() const { return static_cast<std::uint32_t>(lanewise_host::chip().l1_bytes); }

  const std::shared_ptr<lanewise_host::Memories> lanewise_memories = std::make_shared<lanewise_host::Memories>();

 private:
  MeshCommandQueue queue_{this};
  Allocator allocator_;
};
} // namespace distributed

using IDevice = distributed::MeshDevice;
using Device = distributed::MeshDevice;
using CommandQueue = distributed::MeshCommandQueue;

struct InterleavedBufferConfig {
  IDevice* device = nullptr;
  DeviceAddr size = 0, page_size = 0;
  BufferType buffer_type = BufferType::DRAM;
};

/// A buffer of the device; of a mesh, too.
class Buffer {
 public:
  Buffer(IDevice* device, DeviceAddr bytes, DeviceAddr page_bytes, BufferType type, bool is_sharded,
         lanewise_host::Location location)
      : origin(lanewise_host::origin_of(location)), device_(device), bytes_(bytes), page_bytes_(page_bytes),
        type_(type), is_sharded_(is_sharded) {
    const lanewise_host::Chip& chip = lanewise_host::chip();
    if (device == nullptr) lanewise_host::refuse(location, "a buffer needs a device");
    if (type != BufferType::DRAM && type != BufferType::L1)
      lanewise_host::refuse(location, "buffers are in DRAM or L1 here");
    if (page_bytes == 0 || bytes == 0 || bytes % page_bytes != 0)
      lanewise_host::refuse(location, fmt::format("a buffer of {} bytes in pages of {}", bytes, page_bytes));
    const bool is_in_dram = is_dram();
    const DeviceAddr banks = is_in_dram ? chip.dram_banks : 1;
    bank_bytes_ = (bytes / page_bytes + banks - 1) / banks * aligned_page_size();
    memories_ = device->lanewise_memories;
    const auto place = addresses().take(bank_bytes_, is_in_dram ? chip.dram_begin : chip.l1_begin,
                                        is_in_dram ? chip.bank_bytes : chip.l1_bytes, is_in_dram, chip.dram_alignment);
    if (!place)
      lanewise_host::refuse(location, fmt::format("a buffer of {} bytes does not fit into {}", bytes,
                                                  is_in_dram ? "DRAM" : "L1"));
    address_ = *place;
    number = ++memories_->made;
    memories_->buffers.push_back(this);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    if (is_allocated()) give_back("");
  }
  void deallocate(lanewise_host::Location location = lanewise_host::Location::current()) {
    if (is_allocated()) give_back(lanewise_host::origin_of(location));
  }
  bool is_allocated() const { return given_at.empty(); }

  /// As a buffer of a mesh.
  template <class Config, class Local>
  static std::shared_ptr<Buffer> create(const Config& config, const Local& local, IDevice* device,
                                        std::optional<DeviceAddr> address = std::nullopt,
                                        lanewise_host::Location location = lanewise_host::Location::current()) {
    if (address) lanewise_host::refuse(location, "buffers get their addresses here");
    const auto& spec = local.sharding_args.shard_spec;
    if (spec && (spec->grid().num_cores() != 1 || !spec->grid().contains({0, 0})))
      lanewise_host::refuse(location, fmt::format("a buffer on {} cores, of a device that has one, (0, 0)",
                                                  spec->grid().num_cores()));
    return std::make_shared<Buffer>(device, config.size, local.page_size, local.buffer_type, spec.has_value(),
                                    location);
  }

  std::uint32_t address() const { return static_cast<std::uint32_t>(address_); }
  DeviceAddr size() const { return bytes_; }
  DeviceAddr device_local_size() const { return bytes_; }
  DeviceAddr page_size() const { return page_bytes_; }
  DeviceAddr num_pages() const { return bytes_ / page_bytes_; }
  DeviceAddr aligned_page_size() const {
    return round_up(page_bytes_, is_dram() ? lanewise_host::chip().dram_alignment : 16);
  }
  BufferType buffer_type() const { return type_; }
  bool is_dram() const { return type_ == BufferType::DRAM; }
  bool is_l1() const { return !is_dram(); }
  bool is_sharded() const { return is_sharded_; }
  IDevice* device() const { return device_; }
  Buffer* get_backing_buffer() { return this; }
  const Buffer* get_backing_buffer() const { return this; }
  Buffer* get_reference_buffer() { return this; }

  std::string origin;
  std::string given_at;   ///< where it was given back; "" before
  std::uint64_t number;   ///< of all that were made
  bool is_written = false;

 private:
  lanewise_host::Addresses& addresses() { return is_dram() ? memories_->dram : memories_->l1; }
  void give_back(std::string at) {
    constexpr std::size_t kMostFreed = 64; // of which kernels may still have addresses
    auto& freed = memories_->freed;
    if (freed.size() == kMostFreed) freed.erase(freed.begin());
    freed.push_back({origin, at, is_dram(), address_, bank_bytes_});
    addresses().give_back(address_);
    std::erase(memories_->buffers, this);
    given_at = std::move(at);
  }

  IDevice* device_;
  std::shared_ptr<lanewise_host::Memories> memories_;
  DeviceAddr address_ = 0, bytes_, page_bytes_, bank_bytes_ = 0;
  BufferType type_;
  bool is_sharded_;
};

/// What kernels get for TensorAccessorArgs (arg_config.hpp of tt-metal).
class TensorAccessorArgs {
 public:
  TensorAccessorArgs(const Buffer& buffer) { describe(&buffer); }
  TensorAccessorArgs(const Buffer* buffer) { describe(buffer); }
  TensorAccessorArgs(const std::shared_ptr<Buffer>& buffer) { describe(buffer.get()); }
  void append_to(std::vector<std::uint32_t>& args) const { args.insert(args.end(), words_.begin(), words_.end()); }
  std::vector<std::uint32_t> get_compile_time_args() const { return words_; }

 private:
  void describe(const Buffer* buffer) {
    constexpr std::uint32_t kSharded = 1, kDram = 2;
    if (buffer == nullptr) {
      words_ = {0, 0};
      return;
    }
    words_ = {(buffer->is_dram() ? kDram : 0) | (buffer->is_sharded() ? kSharded : 0),
              static_cast<std::uint32_t>(buffer->aligned_page_size())};
    if (!buffer->is_sharded()) return;
    const auto pages = static_cast<std::uint32_t>(buffer->num_pages());
    const CoreCoord own = lanewise_host::chip().worker;
    words_.insert(words_.end(), {1, 1, pages, pages, static_cast<std::uint32_t>(own.x << 8 | own.y)});
  }
  std::vector<std::uint32_t> words_;
};

namespace distributed {
using MeshBuffer = Buffer;
struct ReplicatedBufferConfig {
  DeviceAddr size = 0;
};
struct DeviceLocalBufferConfig {
  DeviceAddr page_size = 0;
  BufferType buffer_type = BufferType::DRAM;
  BufferShardingArgs sharding_args = {};
  std::optional<bool> bottom_up = std::nullopt;
};
} // namespace distributed

} // namespace tt::tt_metal
