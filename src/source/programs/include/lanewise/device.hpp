// The device of a host program: a grid of cores. Its buffers have their addresses here; what they
// hold lies in another process (channel.hpp).
#pragma once

#include "numbers.hpp"
#include "shards.hpp"

namespace lanewise_host {

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

} // namespace distributed

/// What is known of the memories before there are buffers. Each core of the grid is a bank of L1.
class Allocator {
 public:
  std::uint32_t get_alignment(BufferType type) const {
    return type == BufferType::DRAM ? static_cast<std::uint32_t>(lanewise_host::chip().dram_alignment) : 16;
  }
  std::size_t get_num_banks(BufferType type) const {
    return type == BufferType::DRAM ? lanewise_host::chip().dram_banks : lanewise_host::l1_banks();
  }
};

namespace distributed {
/// One device; of the classic interface, too.
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
  static std::shared_ptr<MeshDevice> create(
      const MeshDeviceConfig& config, std::size_t = 0, std::size_t = 0, std::size_t = 1,
      lanewise_host::Location location = lanewise_host::Location::current()) {
    const MeshShape shape = config.mesh_shape().value_or(MeshShape(1, 1));
    if (shape.mesh_size() != 1)
      lanewise_host::refuse(location, fmt::format("asks for a mesh of {} x {} devices, and there is one", shape.rows,
                                                  shape.columns));
    const auto& ids = config.physical_device_ids();
    return create_unit_mesh(ids.empty() ? 0 : ids.front(), 0, 0, 1, location);
  }
  bool close() { return true; }
  int id() const { return 0; }
  ARCH arch() const { return lanewise_host::chip().arch; }
  MeshShape shape() const { return {1, 1}; }
  std::size_t num_devices() const { return 1; }
  std::size_t num_rows() const { return 1; }
  std::size_t num_cols() const { return 1; }
  MeshCommandQueue& mesh_command_queue(std::size_t = 0) { return queue_; }
  MeshCommandQueue& command_queue(std::size_t = 0) { return queue_; }
  CoreCoord compute_with_storage_grid_size() const { return lanewise_host::grid(); }
  CoreCoord logical_grid_size() const { return lanewise_host::grid(); }
  CoreCoord grid_size() const { return lanewise_host::chip().noc_grid; }
  CoreCoord worker_core_from_logical_core(
      const CoreCoord& core, lanewise_host::Location location = lanewise_host::Location::current()) const {
    lanewise_host::check_core(core, location);
    return lanewise_host::place_of(lanewise_host::chip(), core);
  }
  std::vector<CoreCoord> worker_cores_from_logical_cores(
      const std::vector<CoreCoord>& cores, lanewise_host::Location location = lanewise_host::Location::current()) const {
    std::vector<CoreCoord> places;
    for (const CoreCoord& core : cores) places.push_back(worker_core_from_logical_core(core, location));
    return places;
  }
  const Allocator* allocator() const { return &allocator_; }
  std::uint32_t num_dram_channels() const { return static_cast<std::uint32_t>(lanewise_host::chip().dram_banks); }
  /// Bank b of DRAM is the logical core (b, 0) of its grid.
  CoreCoord logical_core_from_dram_channel(std::uint32_t channel) const { return {channel, 0}; }
  std::uint32_t dram_channel_from_logical_core(const CoreCoord& core) const { return static_cast<std::uint32_t>(core.x); }
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

} // namespace tt::tt_metal
