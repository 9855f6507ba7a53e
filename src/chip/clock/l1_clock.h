// The banks of L1 in time: who reads and writes 16 bytes of which bank in which cycle (ISA L1).
//
// A bank does one access in a cycle. Who comes first has it, and the next one waits; hardware lets
// them take turns instead, so that which of two waits may differ, but not how many cycles both
// need. A unit asks once for all that an instruction moves, so that nothing is done cycle by cycle.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "chip/isa/clock_record.h"
#include "chip/tile/traffic.h"

namespace lanewise::clock {

class L1Clock {
 public:
  explicit L1Clock(Arch arch);

  /// An unpacker reads rows, `bytes` in a cycle at most, from cycle `from` on: the cycles that it
  /// takes.
  std::uint64_t read(unsigned unpacker, const tile::Traffic::Rows& rows, unsigned bytes,
                     std::uint64_t from);

  /// A packer writes rows within `cycles` from cycle `from` on; cycles that it needs more. Where it
  /// adds to what is there, the banks are taken a second time.
  std::uint64_t write(const tile::Traffic::Rows& rows, bool adds, std::uint64_t cycles,
                      std::uint64_t from);

  /// A core reads or writes less than 16 bytes in a cycle.
  void access(std::uint32_t address, bool stores, std::uint64_t cycle);

 private:
  /// What is known of a cycle.
  struct Cycle {
    std::uint64_t number = ~std::uint64_t{0};
    std::uint32_t banks = 0;                ///< that are taken, by bit
    std::uint32_t written_back = 0;         ///< by packers that add: packers do not wait for these
    std::array<std::uint8_t, 2> accesses{}; ///< of each unpacker, as many as it wants
  };
  static constexpr std::size_t kCycles = 1024; ///< that are remembered

  Cycle& at(std::uint64_t cycle);
  std::uint32_t bank_of(std::uint64_t address) const;
  unsigned shared(unsigned unpacker, unsigned wants, unsigned other) const;
  unsigned begin(unsigned unpacker, std::uint64_t now);

  const ClockParams& chip_;
  std::vector<Cycle> cycles_;
  Cycle forgotten_;                 ///< stands for a cycle that is too long ago
  std::array<unsigned, 2> wants_{}; ///< accesses of an unpacker in a cycle
  /// Accesses that it has had and could not have beside the other one: it is late by so many.
  std::array<unsigned, 2> late_{};
};

} // namespace lanewise::clock
