#include "source/programs/banks.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "chip/isa/noc_record.h"
#include "chip/noc/places.h"
#include "source/programs/grid.h"

namespace lanewise::programs {

namespace {

/// The allocator numbers the cores row by row and gives them banks in a random order, which is the
/// same for each device: that of libstdc++'s std::shuffle and a generator that begins with 0
/// (tt-metal, l1_banking_allocator.cpp).
std::vector<Core> cores_by_bank(const Core& grid) {
  std::vector<std::size_t> bank_of(std::size_t{grid.x} * grid.y);
  std::iota(bank_of.begin(), bank_of.end(), std::size_t{0});
  std::minstd_rand0 random(0); // NOLINT(cert-msc32-c,cert-msc51-cpp): the same each time
  std::shuffle(bank_of.begin(), bank_of.end(), random);
  std::vector<Core> cores(bank_of.size());
  for (std::size_t i = 0; i < bank_of.size(); ++i)
    cores[bank_of[i]] = {static_cast<unsigned>(i % grid.x), static_cast<unsigned>(i / grid.x)};
  return cores;
}

/// Two dimensions; the places of banks stand two in a word, the first in its lower half. A bank of
/// DRAM goes by its number.
void append_shards(const Program& program, const Buffer& buffer,
                   std::vector<std::uint32_t>& words) {
  const Shards& shards = *buffer.shards;
  words.insert(words.end(), {2, static_cast<std::uint32_t>(shards.cores.size()), shards.tensor[0],
                             shards.tensor[1], shards.shard[0], shards.shard[1]});
  for (std::size_t i = 0; i < shards.cores.size(); ++i) {
    const Core& core = shards.cores[i];
    NocPlace place{static_cast<std::uint8_t>(core.x), 0};
    if (buffer.memory == BufferMemory::L1) place = *noc::worker_place(program.arch, core.x, core.y);
    const std::uint32_t half = std::uint32_t{place.x} << 8 | place.y;
    if (i % 2 == 0)
      words.push_back(half);
    else
      words.back() |= half << 16;
  }
}

} // namespace

std::vector<Core> l1_banks(const Program& program) {
  if (std::ranges::any_of(program.buffers, &Buffer::is_interleaved))
    return cores_by_bank(grid_of(program));
  return {program.buffers_core.value_or(program.core)};
}

std::uint64_t pages_of_core(const Shards& shards) {
  const std::uint64_t cores = shards.cores.size();
  return (shards.count() + cores - 1) / cores * shards.pages();
}

PagePlace page_place(const Program& program, const Layout& layout, std::size_t buffer,
                     std::uint64_t page) {
  const Buffer& row = program.buffers[buffer];
  const BufferPlace& place = layout.buffers[buffer];
  const bool is_dram = row.memory == BufferMemory::Dram;
  if (const auto& shards = row.shards) {
    const std::uint64_t line = page / shards->tensor[1], column = page % shards->tensor[1];
    const std::uint64_t shard =
        line / shards->shard[0] * shards->columns() + column / shards->shard[1];
    const std::uint64_t within =
        line % shards->shard[0] * shards->shard[1] + column % shards->shard[1];
    const Core& core = shards->cores[shard % shards->cores.size()];
    return {.bank = is_dram ? core.x : 0,
            .core = is_dram ? Core{} : core,
            .address = place.address + (shard / shards->cores.size() * shards->pages() + within) *
                                           place.aligned_page};
  }
  const std::uint64_t banks =
      is_dram ? noc_record(program.arch)->banks.size() : layout.l1_banks.size();
  return {.bank = is_dram ? static_cast<unsigned>(page % banks) : 0,
          .core = is_dram ? Core{} : layout.l1_banks[page % banks],
          .address = place.address + page / banks * place.aligned_page};
}

void append_accessor(const Program& program, const Layout& layout, std::size_t buffer,
                     std::vector<std::uint32_t>& words) {
  constexpr std::uint32_t kSharded = 1, kDram = 2;
  const Buffer& row = program.buffers[buffer];
  const BufferPlace& place = layout.buffers[buffer];
  const bool is_dram = row.memory == BufferMemory::Dram;
  words.push_back((is_dram ? kDram : 0) | (row.is_sharded ? kSharded : 0));
  words.push_back(static_cast<std::uint32_t>(place.aligned_page));
  if (!row.is_sharded) return;
  if (row.shards) return append_shards(program, row, words);
  // One dimension, one bank, one shard, which is all of it.
  const auto pages = static_cast<std::uint32_t>(place.pages);
  const Core core = program.buffers_core.value_or(program.core);
  const NocPlace own = *noc::worker_place(program.arch, core.x, core.y);
  words.insert(words.end(), {1, 1, pages, pages, std::uint32_t{own.x} << 8 | own.y});
}

} // namespace lanewise::programs
