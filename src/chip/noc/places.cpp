#include "chip/noc/places.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanewise::noc {

namespace {

/// Where columns of virtual coordinates leave out those of DRAM and the router in between.
unsigned column_of(const NocRecord& record, unsigned x) {
  return record.worker.x + x + (x >= record.columns_before_gap ? record.gap : 0);
}

Unexpected nobody(NocPlace place, std::string_view who, std::string_view remedy) {
  return Unexpected(Fault{.kind = FaultKind::Unsupported,
                          .message = fmt::format("asks for ({}, {}), {}", place.x, place.y, who),
                          .remedy = std::string(remedy)});
}

} // namespace

std::optional<NocPlace> worker_place(Arch arch, unsigned x, unsigned y) {
  const NocRecord& record = *noc_record(arch);
  if (x >= record.compute_grid.x || y >= record.compute_grid.y) return std::nullopt;
  return NocPlace{static_cast<std::uint8_t>(column_of(record, x)),
                  static_cast<std::uint8_t>(record.worker.y + y)};
}

std::optional<NocPlace> worker_at(Arch arch, NocPlace place) {
  const NocRecord& record = *noc_record(arch);
  for (unsigned x = 0; x < record.compute_grid.x; ++x) {
    const unsigned y = place.y - record.worker.y;
    if (column_of(record, x) == place.x && place.y >= record.worker.y && y < record.compute_grid.y)
      return NocPlace{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
  }
  return std::nullopt;
}

NocPlace bank_place(Arch arch, unsigned noc, unsigned bank) {
  const NocRecord& record = *noc_record(arch);
  const DramBank& row = record.banks[bank];
  const NocPlace place = record.channels[row.channel][row.port[noc]];
  if (!record.mirrors_ports || noc == 0) return place;
  return {static_cast<std::uint8_t>(record.grid.x - 1 - place.x),
          static_cast<std::uint8_t>(record.grid.y - 1 - place.y)};
}

std::optional<unsigned> channel_at(Arch arch, unsigned noc, NocPlace place) {
  const NocRecord& record = *noc_record(arch);
  if (record.mirrors_ports && noc == 1) {
    place = {static_cast<std::uint8_t>(record.grid.x - 1 - place.x),
             static_cast<std::uint8_t>(record.grid.y - 1 - place.y)};
  }
  for (unsigned channel = 0; channel < record.channels.size(); ++channel)
    if (std::ranges::find(record.channels[channel], place) != record.channels[channel].end())
      return channel;
  return std::nullopt;
}

Expected<Location> locate(Arch arch, unsigned noc, NocPlace own, NocPlace place,
                          std::uint64_t address) {
  if (place == own) return Location{.memory = Location::Memory::L1, .bank = 0, .address = address};
  const NocRecord& record = *noc_record(arch);
  const auto channel = channel_at(arch, noc, place);
  if (!channel) {
    if (const auto other = worker_at(arch, place)) {
      return nobody(place, fmt::format("the core ({}, {}), which is not here", other->x, other->y),
                    "one core of a program runs here");
    }
    return nobody(
        place, "where neither a core nor DRAM answers",
        "take coordinates from the program's arguments, or from get_noc_addr_from_bank_id");
  }
  for (unsigned bank = 0; bank < record.banks.size(); ++bank) {
    const DramBank& row = record.banks[bank];
    if (row.channel == *channel && address >= row.offset &&
        address - row.offset < record.bank_bytes)
      return Location{
          .memory = Location::Memory::Dram, .bank = bank, .address = address - row.offset};
  }
  return nobody(place, fmt::format("a channel of DRAM that has no address 0x{:x}", address),
                "check the address");
}

} // namespace lanewise::noc
