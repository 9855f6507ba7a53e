#include "chip/riscv/memory_clock.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "chip/riscv/address_map.h"

namespace lanewise::riscv {

namespace {

std::uint64_t whole_cycle(double cycle) {
  return static_cast<std::uint64_t>(std::ceil(cycle));
}

} // namespace

MemoryClock::MemoryClock(Arch arch, L1Port& port)
    : arch_(arch),
      costs_(arch_params(arch).core_costs),
      l1_bytes_(arch_params(arch).tile.l1_bytes),
      own_first_(range_of(arch, Region::LocalRam).first),
      own_bytes_(range_of(arch, Region::LocalRam).last - own_first_ + 1),
      port_(port) {}

unsigned MemoryClock::latency(std::uint32_t address) const {
  if (is_l1(address)) return costs_.load_l1;
  if (address - own_first_ < own_bytes_) return costs_.load_local;
  switch (find_region(arch_, address).region) {
    case Region::LocalRam: return costs_.load_local;
    case Region::L1:
    case Region::OtherRam: return costs_.load_l1;
    case Region::PcBuf:
    case Region::TtSync:
    case Region::Semaphores:
    case Region::Mailboxes: return costs_.load_sync;
    case Region::Gprs:
    case Region::Config:
    // No source has a figure for these three; the coprocessor's other registers have this one.
    case Region::MopConfig:
    case Region::Dst:
    case Region::Instructions:
    case Region::Instructions1:
    case Region::Instructions2: return costs_.load_backend;
    case Region::Tdma: return costs_.load_tdma;
    case Region::Debug:
    case Region::Pic:
    case Region::PcSnapshot:
    case Region::Noc0:
    case Region::Noc1:
    case Region::NocOverlay:
    case Region::Unmapped: break;
  }
  return costs_.load_tile;
}

// ---------------------------------------------------------------- Loads

const MemoryClock::Line* MemoryClock::cached(std::uint32_t address) const {
  if (!cache_on_ || !is_l1(address)) return nullptr;
  const auto end = lines_.begin() + costs_.data_cache_lines;
  const auto found = std::find_if(lines_.begin(), end, [address](const Line& line) {
    return line.number == address / kLineBytes;
  });
  return found == end ? nullptr : &*found;
}

MemoryClock::Line* MemoryClock::cached(std::uint32_t address) {
  return const_cast<Line*>(std::as_const(*this).cached(address)); // NOLINT(*-const-cast)
}

void MemoryClock::fill(std::uint32_t address, std::uint64_t ready, std::uint64_t now) {
  if (!cache_on_ || costs_.data_cache_lines == 0) return;
  const auto end = lines_.begin() + costs_.data_cache_lines;
  *std::min_element(lines_.begin(), end, [](const Line& a, const Line& b) {
    return a.used < b.used;
  }) = {.number = address / kLineBytes, .ready = ready, .used = now};
}

std::uint64_t MemoryClock::load_from(std::uint32_t address, unsigned bytes,
                                     std::uint64_t now) const {
  for (const Store& store : stores_) {
    // Blackhole waits for stores of the same bytes, Wormhole for those of the same address, which
    // is less only where sizes differ.
    if (store.first < address + bytes && address <= store.last) now = std::max(now, store.left);
  }
  if (latency(address) <= costs_.load_local || cached(address) != nullptr) return now;
  return std::max(now, loads_[next_load_]);
}

std::uint64_t MemoryClock::load(std::uint32_t address, std::uint64_t now) {
  if (Line* const line = cached(address)) {
    line->used = now;
    return std::max(line->ready, now + costs_.load_local);
  }
  const unsigned cycles = latency(address);
  const bool from_l1 = is_l1(address);
  const std::uint64_t goes =
      from_l1 ? whole_cycle(port_.reads.take(static_cast<double>(now), 1)) : now;
  const std::uint64_t ready = goes + cycles;
  loaded_ = std::max(loaded_, ready);
  if (cycles <= costs_.load_local) return ready;
  loads_[next_load_] = ready - 1;
  next_load_ = next_load_ + 1 == costs_.loads_in_flight ? 0 : next_load_ + 1;
  if (from_l1) fill(address, ready, now);
  return ready;
}

// ---------------------------------------------------------------- Stores

bool MemoryClock::joins(std::uint32_t address, std::uint64_t now) const {
  if (!open_) return false;
  const Store& last = stores_[(next_store_ + costs_.store_entries - 1) % costs_.store_entries];
  const std::uint32_t apart = address > last.start ? address - last.start : last.start - address;
  return now <= last.left && is_l1(address) && address / kLineBytes == last.start / kLineBytes &&
         apart <= costs_.merge_reach;
}

/// When a store into L1 leaves that wants to leave in a cycle.
std::uint64_t MemoryClock::leaving(std::uint64_t wish) const {
  return whole_cycle(
      port_.writes.free_from(static_cast<double>(std::max(wish, left_ + 1)), costs_.l1_store));
}

void MemoryClock::close(std::uint64_t now) {
  if (!open_) return;
  open_ = false;
  Store& last = stores_[(next_store_ + costs_.store_entries - 1) % costs_.store_entries];
  const std::uint64_t wish = std::max(std::min(last.left, now), left_ + 1);
  left_ = last.left = whole_cycle(port_.writes.take(static_cast<double>(wish), costs_.l1_store));
}

std::uint64_t MemoryClock::store_from(std::uint64_t now) const {
  return std::max(now, stores_[next_store_].left);
}

void MemoryClock::store(std::uint32_t address, unsigned bytes, std::uint64_t now) {
  if (Line* const line = cached(address)) *line = {};
  const std::uint32_t last_byte = address + bytes - 1;
  if (joins(address, now)) {
    Store& last = stores_[(next_store_ + costs_.store_entries - 1) % costs_.store_entries];
    last = {.first = std::min(last.first, address),
            .last = std::max(last.last, last_byte),
            .start = address,
            .left = leaving(now + merge_wait_)};
    return;
  }
  close(now);
  const bool to_l1 = is_l1(address);
  Store& entry = stores_[next_store_];
  next_store_ = next_store_ + 1 == costs_.store_entries ? 0 : next_store_ + 1;
  entry = {.first = address, .last = last_byte, .start = address};
  if (!to_l1) {
    left_ = entry.left = std::max(now + 1, left_ + 1);
    return;
  }
  open_ = true;
  const bool can_merge = costs_.merge_reach != 0 && merge_wait_ != 0;
  entry.left = leaving(now + (can_merge ? merge_wait_ : 1));
  if (!can_merge) close(now + 1);
}

std::uint64_t MemoryClock::quiet_from(std::uint64_t now) const {
  now = std::max(now, loaded_);
  for (const Store& store : stores_) now = std::max(now, store.left);
  return now;
}

std::uint64_t MemoryClock::atomic(std::uint64_t now) {
  flush_cache();
  return loaded_ = now + costs_.load_atomic;
}

} // namespace lanewise::riscv
