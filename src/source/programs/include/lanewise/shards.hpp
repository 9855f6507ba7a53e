// Buffers that are sharded: which page lies on which core, or in which bank of DRAM, whose number is
// x. All of it is in pages of a matrix: a shard is a part of it, and shard k lies on the core k, round
// robin.
#pragma once

#include "mesh.hpp"

namespace tt::tt_metal {

struct ShardSpec {
  CoreRangeSet grid;
  std::array<std::uint32_t, 2> shape{}; ///< of a shard, in numbers
  ShardOrientation orientation = ShardOrientation::ROW_MAJOR;
  ShardSpec() = default;
  ShardSpec(CoreRangeSet cores, std::array<std::uint32_t, 2> sides,
            ShardOrientation order = ShardOrientation::ROW_MAJOR)
      : grid(std::move(cores)), shape(sides), orientation(order) {}
  std::uint32_t num_cores() const { return grid.num_cores(); }
  std::uint32_t numel() const { return shape[0] * shape[1]; }
  friend bool operator==(const ShardSpec&, const ShardSpec&) = default;
};
struct ShardSpecBuffer {
  ShardSpec tensor_shard_spec;
  std::array<std::uint32_t, 2> page_shape{}, tensor2d_shape_in_pages{};
  ShardSpecBuffer(ShardSpec spec, std::array<std::uint32_t, 2> page, std::array<std::uint32_t, 2> tensor)
      : tensor_shard_spec(std::move(spec)), page_shape(page), tensor2d_shape_in_pages(tensor) {}
  ShardSpecBuffer(CoreRangeSet cores, std::array<std::uint32_t, 2> sides, ShardOrientation order,
                  std::array<std::uint32_t, 2> page, std::array<std::uint32_t, 2> tensor)
      : ShardSpecBuffer(ShardSpec(std::move(cores), sides, order), page, tensor) {}
  CoreRangeSet grid() const { return tensor_shard_spec.grid; }
  std::array<std::uint32_t, 2> shape() const { return tensor_shard_spec.shape; }
  ShardOrientation orientation() const { return tensor_shard_spec.orientation; }
  std::array<std::uint32_t, 2> shape_in_pages() const {
    const auto of = [this](std::size_t side) { return page_shape[side] == 0 ? 0 : shape()[side] / page_shape[side]; };
    return {of(0), of(1)};
  }
  DeviceAddr num_pages() const { return DeviceAddr{shape_in_pages()[0]} * shape_in_pages()[1]; }
};

class BufferShardingArgs {
 public:
  BufferShardingArgs() = default;
  BufferShardingArgs(std::nullopt_t) {}
  BufferShardingArgs(std::optional<ShardSpecBuffer> spec, TensorMemoryLayout layout)
      : spec_(std::move(spec)), layout_(layout) {}
  const std::optional<ShardSpecBuffer>& shard_spec() const { return spec_; }
  TensorMemoryLayout buffer_layout() const { return layout_; }

 private:
  std::optional<ShardSpecBuffer> spec_;
  TensorMemoryLayout layout_ = TensorMemoryLayout::INTERLEAVED;
};

inline bool is_sharded(TensorMemoryLayout layout) {
  return layout == TensorMemoryLayout::HEIGHT_SHARDED || layout == TensorMemoryLayout::WIDTH_SHARDED ||
         layout == TensorMemoryLayout::BLOCK_SHARDED;
}

} // namespace tt::tt_metal

namespace lanewise_host {

/// Rows and columns, in pages.
using Pages = std::array<std::uint32_t, 2>;

/// Where the shards of a buffer lie.
struct Shards {
  std::vector<tt::tt_metal::CoreCoord> cores; ///< in the order of the shards
  Pages tensor{1, 1}, shard{1, 1};

  std::uint64_t count() const {
    return std::uint64_t{(tensor[0] + shard[0] - 1) / shard[0]} * ((tensor[1] + shard[1] - 1) / shard[1]);
  }
  std::uint64_t pages_of_a_core() const {
    return (count() + cores.size() - 1) / cores.size() * shard[0] * shard[1];
  }
  /// The core that has a page, which are counted row by row.
  const tt::tt_metal::CoreCoord& core_of(std::uint64_t page) const {
    const std::uint64_t row = page / tensor[1] / shard[0], column = page % tensor[1] / shard[1];
    return cores[(row * ((tensor[1] + shard[1] - 1) / shard[1]) + column) % cores.size()];
  }
};

/// Banks of DRAM that the device has not are refused, too.
inline void check_banks(const tt::tt_metal::CoreRangeSet& banks, const Location& location) {
  for (const auto& range : banks.ranges())
    if (range.end_coord.x >= chip().dram_banks || range.end_coord.y != 0)
      refuse(location, fmt::format("asks for a shard in bank ({}, {}) of DRAM, of which there are {}, from (0, 0) on",
                                   range.end_coord.x, range.end_coord.y, chip().dram_banks));
}

/// Of a buffer of so many pages. A height-sharded one is cut into runs of pages, whatever columns a
/// shard has.
inline Shards shards_of(const tt::tt_metal::ShardSpecBuffer& spec, tt::tt_metal::TensorMemoryLayout layout,
                        std::uint64_t pages, bool is_in_dram, const Location& location) {
  using tt::tt_metal::TensorMemoryLayout;
  const auto named = [](const std::array<std::uint32_t, 2>& sides) { return fmt::format("{} x {}", sides[0], sides[1]); };
  const auto& page = spec.page_shape;
  const auto shape = spec.shape();
  const Pages tensor = spec.tensor2d_shape_in_pages;
  for (std::size_t side = 0; side < 2; ++side)
    if (page[side] == 0 || shape[side] == 0 || shape[side] % page[side] != 0)
      refuse(location, fmt::format("a shard of {} numbers has no whole pages of {}", named(shape), named(page)));
  if (std::uint64_t{tensor[0]} * tensor[1] != pages)
    refuse(location, fmt::format("a tensor of {} pages is no buffer of {}", named(tensor), pages));
  if (is_in_dram) check_banks(spec.grid(), location);
  else check_cores(spec.grid(), location);
  Shards shards{.cores = tt::tt_metal::corerange_to_cores(
                    spec.grid(), std::nullopt, spec.orientation() == tt::tt_metal::ShardOrientation::ROW_MAJOR),
                .tensor = tensor,
                .shard = spec.shape_in_pages()};
  if (layout == TensorMemoryLayout::HEIGHT_SHARDED && shards.shard[1] != tensor[1]) {
    shards.tensor = {tensor[0] * tensor[1], 1};
    shards.shard = {shards.shard[0] * shards.shard[1], 1};
  }
  if (shards.count() > shards.cores.size())
    refuse(location, fmt::format("{} shards of {} pages do not lie on {} cores, one on each", shards.count(),
                                 named(spec.shape_in_pages()), shards.cores.size()));
  return shards;
}

} // namespace lanewise_host
