// Which page of a buffer lies in which bank: of DRAM, or of L1, where each bank is a core's.
#pragma once

#include <cstdint>
#include <vector>

#include "source/programs/layout.h"
#include "source/programs/program.h"

namespace lanewise::programs {

/// The cores whose L1 holds the buffers that have no shards, by bank: where some are interleaved,
/// all of the grid, in the order of tt-metal's allocator; else the one that has them whole.
std::vector<Core> l1_banks(const Program& program);

/// Shards that a core or a bank has, at most, in pages. Precondition: there are cores.
std::uint64_t pages_of_core(const Shards& shards);

/// Where page `page` of a buffer lies.
struct PagePlace {
  unsigned bank = 0; ///< of DRAM
  Core core = {};    ///< whose L1 it is in, of a buffer in L1
  std::uint64_t address = 0;
};
PagePlace page_place(const Program& program, const Layout& layout, std::size_t buffer,
                     std::uint64_t page);

/// Appends what TensorAccessorArgs appends for a buffer (tt-metal,
/// hostdevcommon/tensor_accessor/arg_config.hpp).
void append_accessor(const Program& program, const Layout& layout, std::size_t buffer,
                     std::vector<std::uint32_t>& words);

} // namespace lanewise::programs
