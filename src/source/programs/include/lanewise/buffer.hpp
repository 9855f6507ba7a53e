// Buffers of a device, and what kernels are told of them.
#pragma once

#include "device.hpp"

namespace tt::tt_metal {

struct InterleavedBufferConfig {
  IDevice* device = nullptr;
  DeviceAddr size = 0, page_size = 0;
  BufferType buffer_type = BufferType::DRAM;
};

struct ShardedBufferConfig {
  IDevice* device = nullptr;
  DeviceAddr size = 0, page_size = 0;
  BufferType buffer_type = BufferType::L1;
  TensorMemoryLayout buffer_layout = TensorMemoryLayout::HEIGHT_SHARDED;
  ShardSpecBuffer shard_parameters;
};

/// A buffer of the device; of a mesh, too.
class Buffer {
 public:
  Buffer(IDevice* device, DeviceAddr bytes, DeviceAddr page_bytes, BufferType type, BufferShardingArgs sharding,
         lanewise_host::Location location)
      : origin(lanewise_host::origin_of(location)), device_(device), bytes_(bytes), page_bytes_(page_bytes),
        type_(type), sharding_(std::move(sharding)) {
    const lanewise_host::Chip& chip = lanewise_host::chip();
    if (device == nullptr) lanewise_host::refuse(location, "a buffer needs a device");
    if (type != BufferType::DRAM && type != BufferType::L1)
      lanewise_host::refuse(location, "buffers are in DRAM or L1 here");
    if (page_bytes == 0 || bytes == 0 || bytes % page_bytes != 0)
      lanewise_host::refuse(location, fmt::format("a buffer of {} bytes in pages of {}", bytes, page_bytes));
    const bool is_in_dram = is_dram();
    if (tt_metal::is_sharded(buffer_layout()) != has_shard_spec())
      lanewise_host::refuse(location, "a buffer is sharded, or has no shards: its layout and its shards differ");
    if (has_shard_spec()) {
      shards_ = lanewise_host::shards_of(*sharding_.shard_spec(), buffer_layout(), num_pages(), is_in_dram, location);
    }
    const DeviceAddr banks = is_in_dram ? chip.dram_banks : lanewise_host::l1_banks();
    const DeviceAddr bank_pages = shards_ ? shards_->pages_of_a_core() : (num_pages() + banks - 1) / banks;
    bank_bytes_ = bank_pages * aligned_page_size();
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
    DeviceAddr bytes = 0;
    if constexpr (requires { config.global_size; }) {
      const auto& [whole, part] = std::tie(config.global_buffer_shape, config.shard_shape);
      if ((part.height() != 0 && part.height() != whole.height()) || (part.width() != 0 && part.width() != whole.width()))
        lanewise_host::refuse(location, "a buffer is split over devices, and there is one");
      bytes = config.global_size;
    } else {
      bytes = config.size;
    }
    return std::make_shared<Buffer>(device, bytes, local.page_size, local.buffer_type, local.sharding_args, location);
  }
  static std::shared_ptr<Buffer> create(IDevice* device, DeviceAddr bytes, DeviceAddr page_bytes, BufferType type,
                                        const BufferShardingArgs& sharding = {},
                                        std::optional<bool> = std::nullopt,
                                        lanewise_host::Location location = lanewise_host::Location::current()) {
    return std::make_shared<Buffer>(device, bytes, page_bytes, type, sharding, location);
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
  bool is_sharded() const { return shards_.has_value(); }
  const std::optional<lanewise_host::Shards>& lanewise_shards() const { return shards_; }
  TensorMemoryLayout buffer_layout() const { return sharding_.buffer_layout(); }
  bool has_shard_spec() const { return sharding_.shard_spec().has_value(); }
  ShardSpecBuffer shard_spec() const { return sharding_.shard_spec().value(); }
  std::optional<std::uint32_t> num_cores() const {
    if (!shards_) return std::nullopt;
    return static_cast<std::uint32_t>(shards_->cores.size());
  }
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
  BufferShardingArgs sharding_;
  std::optional<lanewise_host::Shards> shards_;
};

/// What kernels get for TensorAccessorArgs (arg_config.hpp of tt-metal).
class TensorAccessorArgs {
 public:
  TensorAccessorArgs(const Buffer& buffer) { describe(&buffer); }
  TensorAccessorArgs(const Buffer* buffer) { describe(buffer); }
  TensorAccessorArgs(const std::shared_ptr<Buffer>& buffer) { describe(buffer.get()); }
  static TensorAccessorArgs create_dram_interleaved() {
    TensorAccessorArgs args;
    args.words_ = {kDram, 0};
    return args;
  }
  static TensorAccessorArgs create_l1_interleaved() { return {}; }
  void append_to(std::vector<std::uint32_t>& args) const { args.insert(args.end(), words_.begin(), words_.end()); }
  /// All is known when a kernel is compiled.
  void append_to(std::vector<std::uint32_t>& args, std::vector<std::uint32_t>&) const { append_to(args); }
  std::vector<std::uint32_t> get_common_runtime_args() const { return {}; }
  std::vector<std::uint32_t> get_compile_time_args() const { return words_; }

 private:
  TensorAccessorArgs() = default;
  void describe(const Buffer* buffer) {
    if (buffer == nullptr) return;
    words_ = {(buffer->is_dram() ? kDram : 0) | (buffer->is_sharded() ? kSharded : 0),
              static_cast<std::uint32_t>(buffer->aligned_page_size())};
    if (!buffer->is_sharded()) return;
    constexpr std::uint32_t kRank = 2;
    const lanewise_host::Shards& shards = *buffer->lanewise_shards();
    words_.insert(words_.end(), {kRank, static_cast<std::uint32_t>(shards.cores.size()), shards.tensor[0],
                                 shards.tensor[1], shards.shard[0], shards.shard[1]});
    for (std::size_t i = 0; i < shards.cores.size(); ++i) { // two in a word, the first in its low half
      const CoreCoord place = buffer->is_dram() ? CoreCoord{shards.cores[i].x, 0} // a bank goes by its number
                                                : lanewise_host::place_of(lanewise_host::chip(), shards.cores[i]);
      const auto half = static_cast<std::uint32_t>(place.x << 8 | place.y);
      if (i % 2 == 0) words_.push_back(half);
      else words_.back() |= half << 16;
    }
  }
  static constexpr std::uint32_t kSharded = 1, kDram = 2;
  std::vector<std::uint32_t> words_{0, 0};
};

namespace distributed {
using MeshBuffer = Buffer;
struct ReplicatedBufferConfig {
  DeviceAddr size = 0;
};
struct ShardedBufferConfig {
  DeviceAddr global_size = 0;
  Shape2D global_buffer_shape = {0, 0}, shard_shape = {0, 0}; ///< of all devices, of one
  ShardOrientation shard_orientation = ShardOrientation::ROW_MAJOR;
};
struct DeviceLocalBufferConfig {
  DeviceAddr page_size = 0;
  BufferType buffer_type = BufferType::DRAM;
  BufferShardingArgs sharding_args = {};
  std::optional<bool> bottom_up = std::nullopt;
};
} // namespace distributed

} // namespace tt::tt_metal
