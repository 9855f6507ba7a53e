#include "chip/noc/carrier.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "chip/noc/routes.h"

namespace lanewise::noc {

namespace {

using Memory = Location::Memory;
using Kind = Transaction::Kind;

constexpr std::size_t kNoCore = ~std::size_t{0};

/// Cycles for bytes at so many tenths of bytes a cycle.
double cycles_for(std::uint32_t bytes, std::uint16_t tenths) {
  return 10.0 * bytes / tenths;
}

/// The end that is not in the core, or may not be.
const Location& far_end(const Transaction& t) {
  return t.kind == Kind::Read ? t.source : t.destination;
}

} // namespace

Carrier::Carrier(Arch arch, std::vector<CoreOnNoc> cores, WholeMemory memory, bool keeps_spans)
    : arch_(arch),
      record_(*noc_record(arch)),
      cores_(std::move(cores)),
      memory_(std::move(memory)),
      keeps_spans_(keeps_spans),
      network_(arch),
      open_(cores_.size()),
      traffic_(cores_.size()),
      spans_(cores_.size()),
      signals_(cores_.size()),
      bank_busy_(record_.banks.size()),
      torus_{Torus(arch, 0), Torus(arch, 1)} {
  for (unsigned noc = 0; noc < kNocs; ++noc) link_bytes_[noc].resize(torus_[noc].links());
  for (std::size_t i = 0; i < cores_.size(); ++i) index_of_.emplace(cores_[i].number, i);
}

void Carrier::collect() {
  struct New {
    std::uint64_t cycle;
    std::size_t core;
    Transaction transaction;
  };
  std::vector<New> all;
  for (std::size_t i = 0; i < cores_.size(); ++i)
    for (AskedInTime& asked : cores_[i].timed->take_asked())
      all.push_back({asked.cycle, i, std::move(asked.transaction)});
  std::ranges::stable_sort(all, {}, &New::cycle);
  for (New& each : all) {
    auto flight = std::make_unique<Flight>();
    flight->core = each.core;
    flight->transaction = std::move(each.transaction);
    flight->asked = each.cycle;
    const Shipment shipment = shipment_of(*flight);
    account(*flight, shipment);
    network_.ask(shipment, each.cycle);
    open_[each.core].push_back(flight.get());
    flights_.emplace(asked_++, std::move(flight));
  }
}

Shipment Carrier::shipment_of(const Flight& flight) const {
  const Transaction& t = flight.transaction;
  const Location& end = far_end(t);
  const auto router = [this](unsigned number) {
    const NocPlace core = core_of_number(number);
    return worker_router(arch_, core.x, core.y);
  };
  const NocPlace own = router(cores_[flight.core].number);
  Shipment shipment{
      .key = asked_, .kind = t.kind, .noc = t.noc, .from = own, .to = own, .bytes = t.bytes};
  if (end.memory == Memory::Dram) {
    shipment.to = bank_router(arch_, t.noc, end.bank);
    shipment.bank = end.bank;
  } else if (end.memory == Memory::OtherL1) {
    shipment.to = router(end.bank);
  } else if (end.memory == Memory::Many) {
    for (const unsigned receiver : t.receivers) shipment.many.push_back(router(receiver));
    shipment.is_linked = t.is_linked;
  }
  return shipment;
}

void Carrier::account(const Flight& flight, const Shipment& shipment) {
  const Transaction& t = flight.transaction;
  const bool is_read = t.kind == Kind::Read;
  Traffic& traffic = traffic_[flight.core][t.noc];
  ++(is_read ? traffic.reads : traffic.writes);
  (is_read ? traffic.bytes_in : traffic.bytes_out) += t.bytes;
  (is_read ? traffic.busy_in : traffic.busy_out) +=
      cycles_for(t.bytes, is_read ? record_.link_in : record_.link_out);
  if (shipment.bank) {
    bank_busy_[*shipment.bank] +=
        cycles_for(t.bytes, is_read ? record_.bank_read : record_.bank_write);
  }
  const Torus& torus = torus_[t.noc];
  std::vector<Link> links;
  if (shipment.many.empty()) {
    torus.append_route(is_read ? shipment.to : shipment.from, is_read ? shipment.from : shipment.to,
                       links);
  } else {
    for (const Tree::Step& step : tree_of(torus, shipment.from, shipment.many).steps)
      links.push_back(step.link);
  }
  for (const Link link : links) link_bytes_[t.noc][link] += t.bytes;
}

std::uint64_t Carrier::next() const {
  std::uint64_t first = network_.next();
  for (const Passage& passage : late_) first = std::min(first, passage.cycle);
  return first;
}

void Carrier::carry(std::uint64_t cycle) {
  for (const std::uint64_t key : leaves_) flights_.at(key)->has_left = true;
  for (const std::uint64_t key : comes_) flights_.at(key)->is_there = true;
  for (const std::uint64_t key : done_) {
    const auto flight = flights_.find(key);
    std::erase(open_[flight->second->core], flight->second.get());
    flights_.erase(flight);
  }
  leaves_.clear();
  comes_.clear();
  done_.clear();
  std::vector<Passage> passages = std::exchange(late_, {});
  network_.advance(cycle, passages);
  std::ranges::stable_sort(passages, {}, [](const Passage& passage) {
    return std::tuple(passage.cycle, passage.key, passage.kind);
  });
  for (Passage& passage : passages) {
    Flight& flight = *flights_.at(passage.key);
    if (passage.cycle >= cycle || must_wait(flight, passage.kind)) {
      passage.cycle = std::max(passage.cycle, cycle);
      late_.push_back(passage);
      continue;
    }
    switch (passage.kind) {
      case Passage::Kind::Left:
        leaves_.push_back(passage.key);
        leave(flight, passage.cycle);
        break;
      case Passage::Kind::Reached:
        comes_.push_back(passage.key);
        flight.has_reached = true;
        reach(flight, passage.cycle);
        break;
      case Passage::Kind::Answered: answer(passage.key, passage.cycle); break;
    }
  }
}

/// Cores that run side by side cannot see what the others do in the same cycles: what one of them
/// has to do first has to have happened.
bool Carrier::must_wait(const Flight& flight, Passage::Kind kind) const {
  if (kind == Passage::Kind::Left) return false;
  if (kind == Passage::Kind::Reached && is_behind_others(flight)) return true;
  if (kind == Passage::Kind::Answered && !flight.has_reached) return true;
  if (!flight.transaction.goes_beyond()) return false;
  return kind == Passage::Kind::Reached ? !flight.has_left : !flight.is_there;
}

/// Whether something that the core has asked for before has to be there first.
bool Carrier::is_behind_others(const Flight& flight) const {
  for (const Flight* const before : open_[flight.core]) {
    if (before == &flight) return false;
    if (!before->has_reached && Noc::must_follow(before->transaction, flight.transaction))
      return true;
  }
  return false;
}

/// The core that runs kernels whose L1 it is; kNoCore: none.
std::size_t Carrier::core_with(const Flight& flight, const Location& location) const {
  if (location.memory == Memory::Dram) return kNoCore;
  if (location.memory == Memory::L1) return flight.core;
  const auto found = index_of_.find(location.bank);
  return found != index_of_.end() ? found->second : kNoCore;
}

/// Precondition: the Noc has checked that the place is there.
std::span<std::uint8_t> Carrier::bytes_at(const Flight& flight, const Location& location) const {
  const std::span<std::uint8_t> memory =
      location.memory == Memory::Dram ? memory_.banks[location.bank]
      : location.memory == Memory::L1 ? memory_.l1.at(cores_[flight.core].number)
                                      : memory_.l1.at(location.bank);
  return memory.subspan(location.address, flight.transaction.bytes);
}

void Carrier::leave(Flight& flight, std::uint64_t cycle) {
  flight.left = cycle;
  const CoreOnNoc& core = cores_[flight.core];
  core.timed->plan(cycle, [&flight, noc = core.noc] {
    flight.data = noc->depart(flight.transaction.number).data;
  });
}

void Carrier::reach(Flight& flight, std::uint64_t cycle) {
  const Transaction& t = flight.transaction;
  const auto act_at = [&](const Location& location) {
    const auto act = [&flight, bytes = bytes_at(flight, location)] {
      if (flight.transaction.kind == Kind::Read) {
        flight.data.assign(bytes.begin(), bytes.end());
      } else {
        const std::uint32_t old = noc::carry_out(flight.transaction, flight.data, bytes);
        if (flight.transaction.receivers.empty()) flight.old = old; // or several would say so
      }
    };
    const std::size_t core = core_with(flight, location);
    if (core == kNoCore) {
      act();
    } else {
      cores_[core].timed->plan(cycle, act);
      note_signal(flight, core, location.address, cycle);
    }
  };
  if (t.kind == Kind::Read) return act_at(t.source);
  if (t.destination.memory != Memory::Many) return act_at(t.destination);
  for (const unsigned receiver : t.receivers)
    act_at({.memory = Memory::OtherL1, .bank = receiver, .address = t.destination.address});
}

void Carrier::note_signal(const Flight& flight, std::size_t core, std::uint64_t address,
                          std::uint64_t cycle) {
  constexpr std::uint32_t kMost = 16; // bytes: what is longer is data
  const Transaction& t = flight.transaction;
  if (t.kind == Kind::Read || core == flight.core || t.bytes > kMost) return;
  signals_[core].push_back({.asked = flight.asked,
                            .came = cycle,
                            .from = cores_[flight.core].number,
                            .address = address,
                            .line = t.line});
}

void Carrier::answer(std::uint64_t key, std::uint64_t cycle) {
  Flight& flight = *flights_.at(key);
  const Transaction& t = flight.transaction;
  const CoreOnNoc& core = cores_[flight.core];
  core.timed->plan(cycle,
                   [&flight, noc = core.noc,
                    to = bytes_at(flight, t.kind == Kind::Read ? t.destination : Location{})] {
                     const Transaction& done = flight.transaction;
                     if (done.kind == Kind::Read) std::ranges::copy(flight.data, to.begin());
                     noc->arrive(done.number, flight.old);
                   });
  done_.push_back(key);
  if (!keeps_spans_) return;
  spans_[flight.core].push_back({.asked = flight.asked,
                                 .left = flight.left,
                                 .landed = cycle,
                                 .kind = t.kind,
                                 .core = static_cast<std::uint8_t>(t.core),
                                 .noc = static_cast<std::uint8_t>(t.noc),
                                 .bytes = t.bytes,
                                 .line = t.line});
}

} // namespace lanewise::noc
