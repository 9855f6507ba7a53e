// When loads and stores of a core can go, and when their values are there: its load/store unit and
// its port to L1 (ISA BabyRISCV, memory ordering; ISA L1).
#pragma once

#include <array>
#include <cstdint>

#include "chip/isa/arch.h"
#include "chip/riscv/l1_port.h"

namespace lanewise::riscv {

/// Loads and stores of a core, in the order of its program. A cycle that is asked for may be asked
/// for again; what is done is done once.
class MemoryClock {
 public:
  /// The port to L1 must live as long.
  MemoryClock(Arch arch, L1Port& port);

  /// The cycle in which a load or a store can go that is ready to in cycle `now`.
  std::uint64_t load_from(std::uint32_t address, unsigned bytes, std::uint64_t now) const;
  std::uint64_t store_from(std::uint64_t now) const;
  /// The same for what waits until loads have come and stores are gone: fences and atomics.
  std::uint64_t quiet_from(std::uint64_t now) const;

  /// It goes in cycle `now`: the cycle in which the value can be used.
  std::uint64_t load(std::uint32_t address, std::uint64_t now);
  std::uint64_t atomic(std::uint64_t now);
  void store(std::uint32_t address, unsigned bytes, std::uint64_t now);
  void flush_cache() { lines_.fill({}); }

  void set_cache(bool is_on) { cache_on_ = is_on; }
  /// `wait`: cycles in which a store into L1 can still be joined by the next one; 0: never.
  void set_merging(unsigned wait) { merge_wait_ = wait; }

 private:
  static constexpr unsigned kMostEntries = 4;
  static constexpr std::uint32_t kLineBytes = 16;

  struct Line {
    std::uint32_t number = ~0U;
    std::uint64_t ready = 0, used = 0;
  };
  struct Store {
    std::uint32_t first = 0, last = 0; ///< addresses
    std::uint32_t start = 0;           ///< of the store that joined last
    std::uint64_t left = 0;            ///< the queue; of the open one, when it leaves if none joins
  };

  bool is_l1(std::uint32_t address) const { return address < l1_bytes_; }
  unsigned latency(std::uint32_t address) const;
  bool joins(std::uint32_t address, std::uint64_t now) const;
  std::uint64_t leaving(std::uint64_t wish) const;
  void close(std::uint64_t now);
  Line* cached(std::uint32_t address);
  const Line* cached(std::uint32_t address) const;
  void fill(std::uint32_t address, std::uint64_t ready, std::uint64_t now);

  Arch arch_;
  const CoreCostParams& costs_;
  std::uint32_t l1_bytes_;
  std::uint32_t own_first_, own_bytes_; ///< of the core's own RAM
  L1Port& port_;
  bool cache_on_ = false;
  unsigned merge_wait_ = 0;

  std::array<std::uint64_t, kMostEntries> loads_{}; ///< when a place for another load is free
  unsigned next_load_ = 0;
  std::uint64_t loaded_ = 0; ///< all loads so far have come

  std::array<Store, kMostEntries> stores_{}; ///< the last ones, in a ring
  unsigned next_store_ = 0;
  bool open_ = false;      ///< the last one waits for another that joins it
  std::uint64_t left_ = 0; ///< of the last one that is closed

  std::array<Line, kMostEntries> lines_{};
};

} // namespace lanewise::riscv
