// Where the pages of a buffer lie that is interleaved over the banks of DRAM, or in L1, of which
// the device has one: page p in bank p mod N, behind p div N others. The pages of a sharded buffer
// lie one after the other in the L1 of its one core.
#pragma once

#include "lanewise_arguments.h"
#include "lanewise_noc.h"

namespace lanewise_metal {

inline constexpr u32 kSharded = 1, kInDram = 2;

template <bool is_dram>
constexpr u32 aligned(u32 bytes) {
  constexpr u32 to = is_dram ? kDramAlignment : 16;
  return (bytes + to - 1) / to * to;
}

FORCE_INLINE std::uint64_t bank_address(bool is_dram, u32 noc, u32 bank, u32 address) {
  if (!is_dram) return noc_address(own_place(), address);
  return noc_address(bank_place(noc, bank), address + lanewise_launch_data.dram_offset[bank]);
}

FORCE_INLINE std::uint64_t page_address(bool is_dram, u32 noc, u32 base, u32 page, u32 step,
                                        u32 offset) {
  lanewise_means(is_dram, base, page); // what is checked of it (lanewise_calls.h)
  const u32 banks = is_dram ? kDramBanks : 1;
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
/// sharded buffer also dimensions and banks, of which there is one, its pages twice, and its place.
template <std::uint32_t compile_offset, std::uint32_t common_offset = 0>
struct TensorAccessorArgs {
  static constexpr std::uint32_t flags = lanewise_metal::compile_argument<compile_offset>();
  static constexpr std::uint32_t page_bytes =
      lanewise_metal::compile_argument<compile_offset + 1>();
  static constexpr bool is_dram = (flags & lanewise_metal::kInDram) != 0;
  static constexpr bool is_sharded = (flags & lanewise_metal::kSharded) != 0;
  static_assert(flags == 0 || flags == lanewise_metal::kInDram || flags == lanewise_metal::kSharded,
                "an accessor of this kind is not among Lanewise's own headers: give --metal DIR");
  static constexpr std::uint32_t words() {
    if constexpr (is_sharded) {
      static_assert(lanewise_metal::compile_argument<compile_offset + 2>() == 1 &&
                        lanewise_metal::compile_argument<compile_offset + 3>() == 1,
                    "accessors of buffers that are sharded over several cores are not among "
                    "Lanewise's own headers: give --metal DIR");
      return 7;
    }
    return 2;
  }

  static constexpr std::uint32_t next_compile_time_args_offset() {
    return compile_offset + words();
  }
  static constexpr std::uint32_t next_common_runtime_args_offset() { return common_offset; }
  static constexpr std::uint32_t get_aligned_page_size() { return page_bytes; }
};

template <class Args>
class TensorAccessor {
 public:
  explicit TensorAccessor(const Args&, std::uint32_t base, std::uint32_t page = Args::page_bytes)
      : base_(base), step_(lanewise_metal::aligned<Args::is_dram>(page)) {
    static_assert(Args::words() != 0); // looks at what it is
  }
  std::uint64_t get_noc_addr(std::uint32_t page, std::uint32_t offset = 0,
                             std::uint8_t noc = noc_index) const {
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
