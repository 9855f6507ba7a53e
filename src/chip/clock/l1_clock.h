// The banks of L1 in time: who reads and writes 16 bytes of which bank in which cycle (ISA L1).
//
// A bank does one access in a cycle. Of two that want it, the one that asks first has it, and the
// other one is next, as hardware lets them take turns: what had been promised to the first then
// comes a cycle later, which it notices with its next instruction. A unit asks once for all that an
// instruction moves, so that nothing is done cycle by cycle.
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

  /// Cycles that reading takes, and those of them that banks take which others have.
  struct Read {
    std::uint64_t cycles = 0, waits = 0;
  };

  /// An unpacker reads rows, `bytes` in a cycle at most, from cycle `from` on.
  Read read(unsigned unpacker, const tile::Traffic::Rows& rows, unsigned bytes, std::uint64_t from);

  /// A packer writes rows within `cycles` from cycle `from` on; cycles that it needs more. Where it
  /// adds to what is there, the banks are taken a second time.
  std::uint64_t write(const tile::Traffic::Rows& rows, bool adds, std::uint64_t cycles,
                      std::uint64_t from);

  /// A core reads or writes less than 16 bytes in a cycle.
  void access(std::uint32_t address, bool stores, std::uint64_t cycle);

 private:
  static constexpr std::size_t kClients = 3, kPackers = 2; ///< unpackers 0 and 1, packers

  /// What is known of a cycle.
  struct Cycle {
    std::uint64_t number = ~std::uint64_t{0};
    std::array<std::uint32_t, kClients> taken{}; ///< banks, by bit
    std::uint32_t kept = 0;                      ///< by narrow accesses: nobody's turn
    std::uint32_t written_back = 0; ///< by packers that add, which do not wait for these themselves
    std::array<std::uint8_t, 2> accesses{}; ///< of each unpacker, as many as it wants
  };
  static constexpr std::size_t kCycles = 1024; ///< that are remembered

  Cycle& at(std::uint64_t cycle);
  std::uint32_t bank_of(std::uint64_t address) const;
  unsigned shared(unsigned unpacker, unsigned wants, unsigned other) const;
  unsigned begin(unsigned unpacker, std::uint64_t now);
  bool take(std::size_t client, std::uint32_t bank, std::uint64_t now, bool is_its_turn);

  const ClockParams& chip_;
  std::vector<Cycle> cycles_;
  Cycle forgotten_;                 ///< stands for a cycle that is too long ago
  std::array<unsigned, 2> wants_{}; ///< accesses of an unpacker in a cycle
  /// Accesses that it has had and could not have beside the other one: it is late by so many.
  std::array<unsigned, 2> late_{};
  std::array<std::uint64_t, kClients> pushed_back_{};    ///< cycles, by another one's turn
  std::array<std::uint64_t, kClients> pushed_back_at_{}; ///< the last of them
};

} // namespace lanewise::clock
