#include "chip/noc/timed_noc.h"

#include <algorithm>
#include <cmath>

#include "chip/tile/tile.h"
#include "chip/tile/tile_time.h"

namespace lanewise::noc {

namespace {

using Memory = Location::Memory;
using Kind = Transaction::Kind;

/// Cycles for bytes at so many tenths of bytes a cycle.
double cycles_for(std::uint32_t bytes, std::uint16_t tenths) {
  return 10.0 * bytes / tenths;
}

/// The end that is not in the core, if there is one: a bank of DRAM.
const Location* bank_of(const Transaction& t) {
  if (t.kind == Kind::Read) return t.source.memory == Memory::Dram ? &t.source : nullptr;
  return t.destination.memory == Memory::Dram ? &t.destination : nullptr;
}

} // namespace

TimedNoc::TimedNoc(Noc& noc, Arch arch, bool keeps_spans)
    : noc_(noc),
      record_(*noc_record(arch)),
      keeps_spans_(keeps_spans),
      bank_free_(record_.banks.size()) {
  figures_.bank_busy.resize(record_.banks.size());
}

void TimedNoc::plan(const Transaction& t, std::uint64_t now) {
  const bool is_read = t.kind == Kind::Read;
  const Location* const bank = bank_of(t);
  const double link = cycles_for(t.bytes, is_read ? record_.link_in : record_.link_out);
  double& link_free = is_read ? in_free_[t.noc] : out_free_[t.noc];
  double start = std::max(static_cast<double>(now), link_free), last_byte = start + link;
  if (bank != nullptr) {
    const double work = cycles_for(t.bytes, is_read ? record_.bank_read : record_.bank_write);
    double& bank_free = bank_free_[bank->bank];
    const double at_bank = std::max(static_cast<double>(now), bank_free);
    last_byte = std::max(last_byte, at_bank + work);
    bank_free = at_bank + work;
    figures_.bank_busy[bank->bank] += work;
  }
  link_free = start + link;
  const unsigned latency = bank != nullptr
                               ? (is_read ? record_.dram_read_latency : record_.dram_write_latency)
                               : (is_read ? record_.own_read_latency : record_.own_write_latency);
  Times times{.asked = now,
              .left = static_cast<std::uint64_t>(std::ceil(is_read ? start : start + link)),
              .landed = static_cast<std::uint64_t>(std::ceil(last_byte + latency))};
  for (const Transaction& before : noc_.pending()) {
    if (before.number >= t.number) break;
    if (Noc::must_follow(before, t))
      times.landed = std::max(times.landed, times_.at(before.number).landed);
  }
  times_.emplace(t.number, times);
  NocTime::Traffic& traffic = figures_.noc[t.noc];
  ++(is_read ? traffic.reads : traffic.writes);
  (is_read ? traffic.bytes_in : traffic.bytes_out) += t.bytes;
  (is_read ? traffic.busy_in : traffic.busy_out) += link;
}

std::uint64_t TimedNoc::next_of(const Transaction& t) const {
  const Times& times = times_.at(t.number);
  return t.is_sent ? times.landed : times.left;
}

Expected<std::uint64_t> TimedNoc::ready(tile::Tile& tile) {
  std::uint64_t next = tile::kNothingToDo;
  for (const Transaction& t : noc_.pending()) {
    if (t.number >= planned_) {
      plan(t, tile.time->cycle());
      planned_ = t.number + 1;
    }
    next = std::min(next, next_of(t));
  }
  return next;
}

Expected<tile::FeederStep> TimedNoc::step(tile::Tile& /*tile*/) {
  const auto& pending = noc_.pending();
  // Of those that are due together, the one that was asked for first.
  const auto first =
      std::ranges::min_element(pending, {}, [this](const Transaction& t) { return next_of(t); });
  if (first == pending.end()) return tile::FeederStep::Idle;
  if (first->is_sent) {
    const auto times = times_.extract(first->number).mapped();
    if (keeps_spans_)
      spans_.push_back({.asked = times.asked,
                        .left = times.left,
                        .landed = times.landed,
                        .kind = first->kind,
                        .core = static_cast<std::uint8_t>(first->core),
                        .noc = static_cast<std::uint8_t>(first->noc),
                        .bytes = first->bytes,
                        .line = first->line});
  }
  noc_.move_on(static_cast<std::size_t>(first - pending.begin()));
  return tile::FeederStep::Went;
}

} // namespace lanewise::noc
