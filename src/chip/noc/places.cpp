#include "chip/noc/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

/// Whether a core is one of the grid.
bool is_in(const std::optional<NocPlace>& grid, NocPlace core) {
  return grid && core.x < grid->x && core.y < grid->y;
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

Expected<Location> locate(Arch arch, unsigned noc, const Standpoint& from, NocPlace place,
                          std::uint64_t address) {
  if (place == from.own)
    return Location{.memory = Location::Memory::L1, .bank = 0, .address = address};
  const NocRecord& record = *noc_record(arch);
  const auto channel = channel_at(arch, noc, place);
  if (!channel) {
    const auto other = worker_at(arch, place);
    if (other && is_in(from.grid, *other))
      return Location{.memory = Location::Memory::OtherL1,
                      .bank = core_number(other->x, other->y),
                      .address = address};
    if (other && from.grid)
      return nobody(place,
                    fmt::format("the core ({}, {}), of a grid of {} x {}", other->x, other->y,
                                from.grid->x, from.grid->y),
                    "choose a core of the grid");
    if (other) {
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

Expected<std::vector<unsigned>> cores_in(Arch arch, unsigned noc, const Standpoint& from,
                                         const Rectangle& rectangle) {
  const auto fault = [](std::string message, std::string remedy, std::string_view rule) {
    return Unexpected(Fault{.kind = FaultKind::UndefinedBehavior,
                            .message = std::move(message),
                            .remedy = std::move(remedy),
                            .rule = std::string(rule)});
  };
  const auto [first, last] = rectangle;
  const auto text = [](NocPlace place) { return fmt::format("({}, {})", place.x, place.y); };
  const auto a = worker_at(arch, first), b = worker_at(arch, last);
  if (!a || !b || !is_in(from.grid, *a) || !is_in(from.grid, *b))
    return fault(
        fmt::format("sends to the rectangle of {} and {}, of which {} is no core of the "
                    "grid",
                    text(first), text(last), text(!a || !is_in(from.grid, *a) ? first : last)),
        "take the corners from the program's arguments", "programs 9");
  // NoC 0 goes right and down, NoC 1 left and up.
  const bool is_in_order = noc == 0 ? a->x <= b->x && a->y <= b->y : b->x <= a->x && b->y <= a->y;
  if (!is_in_order)
    return fault(
        fmt::format("sends to the rectangle from {} to {} on NoC {}, which goes {}: on "
                    "silicon the packet goes around the torus and reaches other cores",
                    text(first), text(last), noc, noc == 0 ? "right and down" : "left and up"),
        fmt::format("let the first corner of the address be the other one, {}, and {} the last",
                    text(last), text(first)),
        kOrderOfCorners);
  std::vector<unsigned> cores;
  for (unsigned y = std::min(a->y, b->y); y <= std::max(a->y, b->y); ++y)
    for (unsigned x = std::min(a->x, b->x); x <= std::max(a->x, b->x); ++x)
      cores.push_back(core_number(x, y));
  return cores;
}

} // namespace lanewise::noc
