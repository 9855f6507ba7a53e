// The units behind the Wait Gate in time: who takes them from whom, what is under way in them for
// which thread, and the pipelines of unpackers and packers (core.md 8, 13, 14, 17).
//
// An instruction issues in one cycle, and its values are there at once (chip/tile/tile.h). What
// takes time is kept here: cycles from which others see it, and cycles until which a unit is busy
// with it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "chip/clock/l1_clock.h"
#include "chip/clock/ring.h"
#include "chip/clock/spans.h"
#include "chip/clock/word_memo.h"
#include "chip/isa/clock_record.h"
#include "chip/machine/config_state.h"
#include "chip/tile/traffic.h"

namespace lanewise::clock {

/// What an unpacker was asked for by one instruction.
struct UnpackWork {
  std::uint64_t fetch_cycles = 0; ///< at its fastest, of L1
  std::uint64_t data = 0;
  std::uint64_t narrowed = 0;    ///< of these, to half as many bits
  std::uint64_t bank_from = 0;   ///< the cycle from which the bank is the unpackers'
  tile::Traffic::Rows rows = {}; ///< of L1
  unsigned bytes_per_cycle = 0;  ///< that it fetches at most
};

/// What a packer was asked for by one instruction.
struct PackWork {
  std::uint64_t read_bits = 0, packed_bits = 0;
  std::uint64_t writes = 0, accumulated = 0; ///< of 16 bytes to L1
  std::uint64_t ends = 0;                    ///< 1 if it ends a tile
  std::uint64_t last_write = 0;              ///< the address of the last of its writes
};

/// The difference of two counts of traffic.
UnpackWork work_of(const tile::Traffic::OfUnpacker& before, const tile::Traffic::OfUnpacker& after);
PackWork work_of(const tile::Traffic::OfPacker& before, const tile::Traffic::OfPacker& after);

/// A unit that works on one instruction after another and takes some before it has done the first.
class Pipeline {
 public:
  /// The first cycle in which it takes another one.
  std::uint64_t takes_from(std::size_t depth) const {
    return starts_.size() < depth ? 0 : starts_[starts_.size() - depth];
  }

  /// Takes one that can begin in that cycle and works on it for so long, beside cycles in which it
  /// waits for others. The cycle in which it begins.
  std::uint64_t take(std::uint64_t earliest, std::uint64_t cycles, std::uint64_t waits = 0);

  /// The cycle in which one begins that can in `earliest`.
  std::uint64_t begin(std::uint64_t earliest) const { return std::max(earliest, free_); }
  /// Cycles that it has worked.
  std::uint64_t worked() const { return worked_; }

  /// Cycles from the first up to the second.
  using Stretch = std::pair<std::uint64_t, std::uint64_t>;

  /// From now on remembers when it has worked, waits included.
  void keep_stretches() { keeps_stretches_ = true; }
  /// By cycle; those without a gap between them are one.
  const std::vector<Stretch>& stretches() const { return stretches_; }

 private:
  static constexpr std::size_t kRemembered = 32; ///< more than any queue is deep

  Ring<std::uint64_t> starts_;
  std::uint64_t free_ = 0, worked_ = 0;
  bool keeps_stretches_ = false;
  std::vector<Stretch> stretches_;
};

class Units {
 public:
  explicit Units(Arch arch);

  // ------------------------------------------------------------ Taken units
  /// The first cycle in which the unit of a word takes an instruction.
  std::uint64_t free_from(const KnownWord& known) const {
    const isa::Unit unit = known.decoded.row->unit;
    return is_shared(unit) ? free_[at(unit)] : 0;
  }
  /// The word enters its unit in that cycle.
  void occupy(const KnownWord& known, std::uint64_t cycle) {
    free_[at(known.decoded.row->unit)] = cycle + known.occupies;
  }

  // ------------------------------------------------------------ Under way
  /// The cycle from which a thread has nothing any more in what a bit of STALLWAIT names.
  std::uint64_t idle_from(unsigned thread, WaitFor unit) const;
  /// A thread's instruction is in a unit until then.
  void work_until(unsigned thread, WaitFor unit, std::uint64_t cycle) {
    std::uint64_t& until = idle_[thread][at(unit)];
    until = std::max(until, cycle);
  }
  /// The cycle from which nothing of a thread is under way.
  std::uint64_t all_idle_from(unsigned thread) const;

  // ------------------------------------------------------------ Unpackers and packers
  std::uint64_t unpacker_takes_from(unsigned unpacker) const {
    return writes_[unpacker].takes_from(chip_.unpack_queue);
  }
  /// A UNPACR that issues in that cycle. The cycle from which its data, and its bank, are there.
  std::uint64_t unpack(unsigned thread, unsigned unpacker, const UnpackWork& work,
                       std::uint64_t cycle);
  /// A UNPACR_NOP that issues in that cycle, and waits for the Matrix Unit until another one. The
  /// cycle from which its bank is there.
  std::uint64_t clear(unsigned thread, unsigned unpacker, std::uint64_t awaited,
                      std::uint64_t cycle);
  std::uint64_t packer_takes_from(unsigned packer) const {
    return (packers_[packer].takes_from(chip_.pack_queue) + 1) / 2;
  }
  /// The cycle from which it is done with what it has taken.
  std::uint64_t packer_free_from(unsigned packer) const {
    return (packers_[packer].begin(0) + 1) / 2;
  }
  /// A PACR that issues in that cycle.
  void pack(unsigned thread, unsigned packer, const PackWork& work, std::uint64_t cycle);

  /// A core loads from L1 or stores into it.
  void touch_l1(std::uint32_t address, bool stores, std::uint64_t cycle) {
    l1_.access(address, stores, cycle);
  }

  /// Cycles in which they have worked.
  std::uint64_t unpacker_worked(unsigned number) const { return fetches_[number].worked(); }
  std::uint64_t packer_worked(unsigned number) const {
    return std::max(packers_[number].worked(), adds_[number].worked()) / 2;
  }

  void keep_stretches();
  /// When unpackers and packers have worked, by unit.
  std::vector<UnitSpan> spans() const;

 private:
  static constexpr std::size_t at(isa::Unit unit) { return static_cast<std::size_t>(unit); }
  static constexpr std::size_t at(WaitFor unit) { return static_cast<std::size_t>(unit); }
  /// Whether instructions of all threads take turns in a unit. Unpackers and packers have pipelines
  /// of their own, and what the front end executes has none.
  static constexpr bool is_shared(isa::Unit unit) {
    return unit != isa::Unit::FrontEnd && unit != isa::Unit::Packer;
  }
  std::uint64_t pack_halves(const PackWork& work) const;

  const ClockParams& chip_;
  L1Clock l1_;
  std::array<std::uint64_t, 10> free_{};                       ///< by isa::Unit
  std::array<std::array<std::uint64_t, 14>, kThreads> idle_{}; ///< by WaitFor
  std::array<Pipeline, 2> fetches_, writes_;                   ///< the two halves of each unpacker
  /// In half cycles, since a write that adds takes one and a half: what each packer reads from Dst
  /// and converts, and the writes behind it that add to what is in L1.
  std::array<Pipeline, 4> packers_, adds_;
};

} // namespace lanewise::clock
