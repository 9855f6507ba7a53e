// Where the pages of a buffer lie that is interleaved over the banks of DRAM, or of L1: page p in
// bank p mod N, behind p div N others. Those of a sharded buffer go by their shards.
#pragma once

#include "lanewise_arguments.h"
#include "lanewise_noc.h"

namespace lanewise_metal {

inline constexpr u32 kSharded = 1, kInDram = 2;
inline constexpr u32 kL1Banks = NUM_L1_BANKS; ///< of buffers without shards

template <bool is_dram>
constexpr u32 aligned(u32 bytes) {
  constexpr u32 to = is_dram ? kDramAlignment : 16;
  return (bytes + to - 1) / to * to;
}

FORCE_INLINE std::uint64_t bank_address(bool is_dram, u32 noc, u32 bank, u32 address) {
  if (!is_dram) return noc_address(kL1Banks == 1 ? own_place() : l1_bank_place(bank), address);
  return noc_address(bank_place(noc, bank), address + lanewise_launch_data.dram_offset[bank]);
}

FORCE_INLINE std::uint64_t page_address(bool is_dram, u32 noc, u32 base, u32 page, u32 step,
                                        u32 offset) {
  lanewise_means(is_dram, base, page); // what is checked of it (lanewise_calls.h)
  const u32 banks = is_dram ? kDramBanks : kL1Banks;
  return bank_address(is_dram, noc, page % banks, base + page / banks * step + offset);
}

/// What a page of an accessor has that moves at once.
template <class Accessor>
auto page_bytes(const Accessor& accessor, int) -> decltype(accessor.get_aligned_page_size()) {
  return accessor.get_aligned_page_size();
}
template <class Accessor>
auto page_bytes(const Accessor& accessor, long) -> u32 {
  return accessor.page_size;
}

} // namespace lanewise_metal

/// The words of an accessor among the compile-time arguments: flags, and the size of a page; of a
/// sharded buffer also dimensions and banks, the sides of tensor and shards, and the places of the
/// banks, two in a word.
template <std::uint32_t compile_offset, std::uint32_t common_offset = 0>
struct TensorAccessorArgs {
  static constexpr std::uint32_t flags = lanewise_metal::compile_argument<compile_offset>();
  static constexpr std::uint32_t page_bytes =
      lanewise_metal::compile_argument<compile_offset + 1>();
  static constexpr bool is_dram = (flags & lanewise_metal::kInDram) != 0;
  static constexpr bool is_sharded = (flags & lanewise_metal::kSharded) != 0;
  static_assert(flags <= (lanewise_metal::kSharded | lanewise_metal::kInDram),
                "an accessor of this kind is not among Lanewise's own headers: give --metal DIR");

  static constexpr std::uint32_t rank() {
    return lanewise_metal::compile_argument<compile_offset + 2>();
  }
  static constexpr std::uint32_t banks() {
    return lanewise_metal::compile_argument<compile_offset + 3>();
  }
  static constexpr std::uint32_t words() {
    if constexpr (is_sharded) {
      constexpr std::uint32_t count = 4 + 2 * rank() + (banks() + 1) / 2;
      static_assert(lanewise_metal::compile_argument<compile_offset + count - 1>() + 1 != 0);
      return count;
    }
    return 2;
  }
  static constexpr std::uint32_t tensor(std::uint32_t side) {
    return lanewise_metal::kCompileArguments[compile_offset + 4 + side];
  }
  static constexpr std::uint32_t shard(std::uint32_t side) {
    return lanewise_metal::kCompileArguments[compile_offset + 4 + rank() + side];
  }
  /// x << 8 | y; of DRAM the number of the bank << 8.
  static std::uint32_t place(std::uint32_t bank) {
    const std::uint32_t word =
        lanewise_metal::kCompileArguments[compile_offset + 4 + 2 * rank() + bank / 2];
    return word >> 16 * (bank % 2) & 0xFFFF;
  }

  static constexpr std::uint32_t next_compile_time_args_offset() {
    return compile_offset + words();
  }
  static constexpr std::uint32_t next_common_runtime_args_offset() { return common_offset; }
  static constexpr std::uint32_t get_aligned_page_size() { return page_bytes; }
};

namespace lanewise_metal {

/// Shards go round the banks, row by row of the tensor, and pages row by row within them.
template <class Args>
std::uint64_t sharded_address(u32 noc, u32 base, u32 page, u32 step, u32 offset) {
  lanewise_means(Args::is_dram, base, page);
  u32 rest = page, shard = 0, shards = 1, within = 0, pages = 1;
  for (u32 side = Args::rank(); side-- > 0;) {
    const u32 tensor = Args::tensor(side), of_shard = Args::shard(side);
    const u32 at = rest % tensor;
    rest /= tensor;
    shard += at / of_shard * shards;
    within += at % of_shard * pages;
    shards *= (tensor + of_shard - 1) / of_shard;
    pages *= of_shard;
  }
  const u32 place = Args::place(shard % Args::banks());
  const u32 address = base + (shard / Args::banks() * pages + within) * step + offset;
  if (Args::is_dram) return bank_address(true, noc, place >> 8, address);
  return noc_address((place & 0xFF) << kYBit | place >> 8, address);
}

} // namespace lanewise_metal

template <class Args>
class TensorAccessor {
 public:
  explicit TensorAccessor(const Args&, std::uint32_t base, std::uint32_t page = Args::page_bytes)
      : base_(base), step_(lanewise_metal::aligned<Args::is_dram>(page)) {
    static_assert(Args::words() != 0); // looks at what it is
  }
  std::uint64_t get_noc_addr(std::uint32_t page, std::uint32_t offset = 0,
                             std::uint8_t noc = noc_index) const {
    if constexpr (Args::is_sharded)
      return lanewise_metal::sharded_address<Args>(noc, base_, page, step_, offset);
    return lanewise_metal::page_address(Args::is_dram, noc, base_, page, step_, offset);
  }
  std::uint32_t get_aligned_page_size() const { return step_; }
  std::uint32_t get_bank_base_address() const { return base_; }

 private:
  std::uint32_t base_, step_;
};

/// Generators of addresses that kernels fill in themselves.
template <bool DRAM>
struct InterleavedAddrGen {
  std::uint32_t bank_base_address;
  std::uint32_t page_size;

  std::uint64_t get_noc_addr(std::uint32_t page, std::uint32_t offset = 0,
                             std::uint8_t noc = noc_index) const {
    return lanewise_metal::page_address(DRAM, noc, bank_base_address, page,
                                        lanewise_metal::aligned<DRAM>(page_size), offset);
  }
};

/// Of tiles: the step is the size of one in its format, whatever `page_size` says.
template <bool DRAM>
struct InterleavedAddrGenFast {
  std::uint32_t bank_base_address;
  std::uint32_t page_size;
  DataFormat data_format;

  static constexpr std::uint32_t tile_bytes(DataFormat format) {
    const unsigned code = static_cast<unsigned>(format) & 0xF;
    constexpr std::uint32_t kExponents = 64;
    if (code == 0 || code == 4 || code == 8) return 4096;
    if (code == 1 || code == 5 || code == 9) return 2048;
    if (code == 10 || code == 14) return 1024;
    return kExponents + (code == 2 || code == 6 ? 1024 : code == 3 || code == 7 ? 512 : 256);
  }
  std::uint64_t get_noc_addr(std::uint32_t page, std::uint32_t offset = 0,
                             std::uint8_t noc = noc_index) const {
    return lanewise_metal::page_address(DRAM, noc, bank_base_address, page,
                                        lanewise_metal::aligned<DRAM>(tile_bytes(data_format)),
                                        offset);
  }
};
