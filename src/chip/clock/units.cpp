#include "chip/clock/units.h"

#include <algorithm>

#include "chip/isa/arch.h"

namespace lanewise::clock {

namespace {

using isa::Unit;

static_assert(static_cast<unsigned>(Unit::Miscellaneous) == 9);
static_assert(static_cast<unsigned>(WaitFor::ConfigurationUnit) == 13);

constexpr unsigned kPackerBytes = 16; ///< that a packer of Wormhole writes to L1 in a cycle

/// What a packer writes: 16 bytes after each other, up to the last ones.
tile::Traffic::Rows rows_of(const PackWork& work) {
  const std::uint64_t bytes = work.writes * kPackerBytes;
  if (bytes == 0 || bytes > work.last_write + kPackerBytes) return {};
  return {
      .first = work.last_write + kPackerBytes - bytes, .bytes = bytes, .stride = bytes, .rows = 1};
}

} // namespace

UnpackWork work_of(const tile::Traffic::OfUnpacker& before,
                   const tile::Traffic::OfUnpacker& after) {
  return {.fetch_cycles = after.fetch_cycles - before.fetch_cycles,
          .data = after.data - before.data,
          .narrowed = after.narrowed - before.narrowed,
          .bank_from = 0,
          .rows = after.rows,
          .bytes_per_cycle = after.bytes_per_cycle};
}

PackWork work_of(const tile::Traffic::OfPacker& before, const tile::Traffic::OfPacker& after) {
  return {.read_bits = after.read_bits - before.read_bits,
          .packed_bits = after.packed_bits - before.packed_bits,
          .writes = after.writes - before.writes,
          .accumulated = after.accumulated - before.accumulated,
          .ends = after.ends - before.ends,
          .last_write = after.last_write};
}

std::uint64_t Pipeline::take(std::uint64_t earliest, std::uint64_t cycles, std::uint64_t waits) {
  const std::uint64_t begins = begin(earliest);
  free_ = begins + cycles + waits;
  worked_ += cycles;
  starts_.push_back(begins);
  if (starts_.size() > kRemembered) starts_.pop_front();
  if (!keeps_stretches_ || free_ == begins) return begins;
  if (!stretches_.empty() && stretches_.back().second == begins) {
    stretches_.back().second = free_;
  } else {
    stretches_.emplace_back(begins, free_);
  }
  return begins;
}

Units::Units(Arch arch) : chip_(clock_params(arch)), l1_(arch) {}

std::uint64_t Units::idle_from(unsigned thread, WaitFor unit) const {
  if (unit != WaitFor::Mover && unit != WaitFor::ConfigurationUnit) return idle_[thread][at(unit)];
  std::uint64_t latest = 0; // of any thread
  for (const auto& of_thread : idle_) latest = std::max(latest, of_thread[at(unit)]);
  return latest;
}

std::uint64_t Units::all_idle_from(unsigned thread) const {
  return std::ranges::max(idle_[thread]);
}

/// Data are fetched and converted as soon as the unpacker has come so far, and written once the
/// bank is free.
std::uint64_t Units::unpack(unsigned thread, unsigned unpacker, const UnpackWork& work,
                            std::uint64_t cycle) {
  const std::uint64_t rate = work.narrowed != 0 ? chip_.unpack_narrowed : chip_.unpack_data;
  const std::uint64_t from = fetches_[unpacker].begin(cycle + chip_.unpack_address);
  const L1Clock::Read read = l1_.read(unpacker, work.rows, work.bytes_per_cycle, from);
  const std::uint64_t converts = (work.data + rate - 1) / rate;
  const std::uint64_t alone = std::max({work.fetch_cycles, read.cycles - read.waits, converts});
  const std::uint64_t takes = std::max(alone, read.cycles);
  const std::uint64_t begins = fetches_[unpacker].take(from, alone, takes - alone);
  const std::uint64_t ready = begins + takes + chip_.unpack_latency;
  const std::uint64_t bank = work.bank_from + chip_.unpack_rows;
  const std::uint64_t done = std::max(ready, bank);
  writes_[unpacker].take(done, 0);
  work_until(thread, unpacker == 0 ? WaitFor::Unpacker0 : WaitFor::Unpacker1, done);
  return done;
}

/// What comes behind it in its unpacker begins when it is done.
std::uint64_t Units::clear(unsigned thread, unsigned unpacker, std::uint64_t awaited,
                           std::uint64_t cycle) {
  const std::uint64_t begins = fetches_[unpacker].take(std::max(cycle, awaited), 1);
  const std::uint64_t done = begins + chip_.unpack_nop;
  work_until(thread, unpacker == 0 ? WaitFor::Unpacker0 : WaitFor::Unpacker1, done);
  return done;
}

/// Blackhole's packer takes a cycle for what its four ways to read Dst give it, and more where more
/// comes out than goes in; each of Wormhole's writes 16 bytes in a cycle.
std::uint64_t Units::pack_halves(const PackWork& work) const {
  std::uint64_t cycles = 1;
  if (chip_.packs_by_ratio && work.read_bits != 0) {
    const std::uint64_t by_ratio = (work.packed_bits + work.read_bits - 1) / work.read_bits;
    const std::uint64_t bits = 8 * std::uint64_t{chip_.pack_bytes};
    cycles = std::max(by_ratio, (work.packed_bits + bits - 1) / bits);
  }
  if (!chip_.packs_by_ratio) cycles = (work.packed_bits / 8 + kPackerBytes - 1) / kPackerBytes;
  return 2 * std::max<std::uint64_t>(cycles, 1);
}

/// Writes that add go on behind the packer, which is a few PACRs ahead of them at most.
void Units::pack(unsigned thread, unsigned packer, const PackWork& work, std::uint64_t cycle) {
  const std::uint64_t own = pack_halves(work);
  const std::uint64_t halves = own + 2 * (chip_.pack_start + chip_.pack_end * work.ends);
  const std::uint64_t earliest = std::max(2 * cycle, adds_[packer].takes_from(chip_.pack_buffer));
  const std::uint64_t later = 2 * l1_.write(rows_of(work), work.accumulated != 0, (own + 1) / 2,
                                            packers_[packer].begin(earliest) / 2);
  const std::uint64_t begins = packers_[packer].take(earliest, halves, later);
  std::uint64_t ends = begins + halves + later;
  if (work.accumulated != 0) {
    const std::uint64_t adds = chip_.accumulate_halves * own / 2;
    ends = std::max(ends, adds_[packer].take(begins, adds) + adds);
  }
  work_until(thread, WaitFor::Packer, (ends + 1) / 2 + chip_.pack_latency);
}

void Units::keep_stretches() {
  for (Pipeline& each : fetches_) each.keep_stretches();
  for (Pipeline& each : packers_) each.keep_stretches();
}

std::vector<UnitSpan> Units::spans() const {
  std::vector<UnitSpan> all;
  const auto add = [&all](const Pipeline& pipeline, WorkUnit first, std::size_t number,
                          std::uint64_t of_cycle) {
    const auto unit = static_cast<WorkUnit>(static_cast<std::size_t>(first) + number);
    for (const auto& [begin, end] : pipeline.stretches())
      all.push_back({begin / of_cycle, (end + of_cycle - 1) / of_cycle, unit});
  };
  for (std::size_t i = 0; i < fetches_.size(); ++i) add(fetches_[i], WorkUnit::Unpacker0, i, 1);
  for (std::size_t i = 0; i < packers_.size(); ++i) add(packers_[i], WorkUnit::Packer0, i, 2);
  return all;
}

} // namespace lanewise::clock
