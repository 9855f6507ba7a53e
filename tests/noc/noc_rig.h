// A core with its memories, and short ways to ask for transactions as programs do.
#pragma once

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "chip/noc/noc.h"
#include "chip/noc/places.h"
#include "chip/tile/tile.h"

namespace lanewise::noc {

inline constexpr std::uint32_t kStatusBase = 0x200;

class NocRig {
 public:
  explicit NocRig(Arch chip, const tile::ScheduleChoice& order = {},
                  std::optional<NocPlace> grid = std::nullopt)
      : arch(chip),
        record(*noc_record(arch)),
        l1(0x10000),
        dram(record.banks.size(), std::vector<std::uint8_t>(0x4000)),
        own(*worker_place(arch, 0, 0)),
        tile(arch),
        noc(arch, {.own = own, .grid = grid}, memories(), order) {
    std::iota(l1.begin(), l1.end(), std::uint8_t{1});
    for (auto& bank : dram) std::iota(bank.begin(), bank.end(), std::uint8_t{100});
  }

  Memories memories() {
    Memories all{.l1 = l1, .dram = {}};
    for (auto& bank : dram) all.dram.emplace_back(bank);
    return all;
  }

  Expected<void> set(unsigned buffer, std::uint32_t offset, std::uint32_t value, unsigned niu = 0) {
    return noc.store(tile::kBrisc, niu, (buffer << record.buffer_bits) + offset, value, 7);
  }
  std::uint32_t status(unsigned number, unsigned niu = 0) {
    return noc.load(tile::kBrisc, niu, kStatusBase + 4 * number).value();
  }
  void place(unsigned buffer, bool is_return, NocPlace at, std::uint64_t address) {
    const std::uint32_t word = std::uint32_t{at.y} << 6 | at.x;
    const std::uint32_t offset = is_return ? record.return_place : record.target_place;
    ASSERT_TRUE(set(buffer, is_return ? 0xC : 0, static_cast<std::uint32_t>(address)));
    ASSERT_TRUE(set(buffer, offset, word << record.place_bit));
  }
  Expected<void> send(unsigned buffer, std::uint32_t control, std::uint32_t length,
                      std::uint32_t value = 0) {
    for (auto done :
         {set(buffer, 0x1C, control), set(buffer, 0x20, length), set(buffer, record.data, value)})
      if (!done) return done;
    return set(buffer, record.send, 1);
  }
  Expected<void> read(unsigned bank, std::uint32_t from, std::uint32_t to, std::uint32_t bytes) {
    place(1, false, bank_place(arch, 0, bank), from + record.banks[bank].offset);
    place(1, true, own, to);
    return send(1, 1U << 4, bytes);
  }
  Expected<void> write(unsigned bank, std::uint32_t from, std::uint32_t to, std::uint32_t bytes,
                       bool posted = false) {
    place(0, false, own, from);
    place(0, true, bank_place(arch, 0, bank), to + record.banks[bank].offset);
    return send(0, 1U << 1 | (posted ? 0 : 1U << 4), bytes);
  }
  tile::FeederStep step() { return noc.step(tile).value(); }
  void drain() {
    while (step() == tile::FeederStep::Went) {
    }
  }

  Arch arch;
  const NocRecord& record;
  std::vector<std::uint8_t> l1;
  std::vector<std::vector<std::uint8_t>> dram;
  NocPlace own;
  tile::Tile tile;
  Noc noc;
};

} // namespace lanewise::noc
