// Cycles of data movement that were measured on silicon: series of one program in several sizes
// (noc_latencies.yaml of tt-metal).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "chip/isa/arch.h"
#include "study/traffic/cards.h"

namespace lanewise::traffic {

/// Who moves data where. "From" reads, "to" writes; in the order of the numbers in that file.
enum class Pattern : std::uint8_t {
  OneFromOne,
  OneToOne,
  OneFromAll,
  OneToAll,
  AllToAll,
  AllFromAll,
  OneToRow,
  RowToRow,
  OneToColumn,
  ColumnToColumn
};
inline constexpr std::size_t kPatterns = 10;

enum class Mechanism : std::uint8_t { Unicast, Multicast, MulticastLinked };
inline constexpr std::size_t kMechanisms = 3;

enum class Memory : std::uint8_t { L1, DramInterleaved, DramSharded };
inline constexpr std::size_t kMemories = 3;

/// "ONE_FROM_ONE", "MULTICAST_LINKED", "DRAM_SHARDED": names of NocPattern, NocMechanism and
/// MemoryType there.
std::string_view pattern_name(Pattern pattern);
std::string_view mechanism_name(Mechanism mechanism);
std::string_view memory_name(Memory memory);

/// Whether a program of that pattern reads.
constexpr bool reads(Pattern pattern) {
  return pattern == Pattern::OneFromOne || pattern == Pattern::OneFromAll ||
         pattern == Pattern::AllFromAll;
}

inline constexpr std::array<std::uint32_t, 11> kSizes{64,   128,  256,   512,   1024, 2048,
                                                      4096, 8192, 16384, 32768, 65536};

struct Series {
  Arch arch = kCards.front().arch; ///< the one that the estimator starts from
  Pattern pattern = Pattern::OneToOne;
  Mechanism mechanism = Mechanism::Unicast;
  Memory memory = Memory::L1;
  std::uint32_t transactions = 1; ///< of each core that asks, to all others together
  std::uint32_t others = 1;       ///< cores at the other end; 0: one, or banks
  bool is_same_axis = false, is_stateful = false, is_loopback = false;
  std::vector<double> cycles = {}; ///< by size; what repeats the last measurement is left out
  std::uint32_t line = 0;
};

/// Takes off what repeats the value before it at the end: series are as long as the longest.
void leave_padding_out(std::vector<double>& cycles);

} // namespace lanewise::traffic
