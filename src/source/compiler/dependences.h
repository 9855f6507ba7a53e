// Which instruction of a stretch must come before which, and how far apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "source/compiler/code.h"
#include "source/compiler/lists.h"

namespace lanewise::compiler {

/// An instruction that must come later, at least `distance` cycles.
struct Dependence {
  std::size_t later = 0; ///< counted from the beginning of the stretch
  unsigned distance = 1;
};

/// Looks for them in one stretch of the code after another.
class DependenceFinder {
 public:
  explicit DependenceFinder(const Code& code);

  /// For each instruction of [first, last), of which at most the last is a fence
  /// (source/compiler/regions.h), those that must come after it as far as operands go; where the
  /// last is one, it comes after all. A result of two cycles is not read, nor its register written
  /// again, in the next cycle (VU 5.2); accesses that may meet in Dst keep their order, as do
  /// numbers that are drawn from the PRNG.
  Lists<Dependence> find(std::size_t first, std::size_t last);

 private:
  static constexpr std::uint32_t kNobody = 0xFFFFFFFF;

  /// The last write of a register in a stretch, and what has read it since.
  struct History {
    std::uint32_t writer = kNobody;
    std::uint32_t last_reader = kNobody; ///< in readers_
  };
  struct Reader {
    std::uint32_t instr;
    std::uint32_t before; ///< in readers_
  };
  struct Draw {
    std::size_t instr;
    bool looks;
  };
  struct Pair {
    std::size_t before;
    Dependence dependence;
  };

  const Instr& at(std::size_t i) const { return code_.instrs[first_ + i]; }
  History& history_of(Reg reg);
  void order(std::size_t before, std::size_t after, unsigned distance);
  void follow_registers(std::size_t i);
  void follow_dst(std::size_t i);
  void follow_random_numbers(std::size_t i);

  const Code& code_;
  std::vector<History> registers_; ///< LReg[0..15], then the virtual registers
  std::size_t first_ = 0;
  // Of the stretch:
  std::vector<Pair> found_;
  std::vector<std::size_t> used_; ///< in registers_
  std::vector<unsigned> latencies_;
  std::vector<Reader> readers_;
  std::vector<std::size_t> accesses_; ///< loads and stores so far
  std::vector<Draw> draws_;           ///< from the PRNG so far
};

/// Cycles for which the instruction has the Vector Unit to itself: SFPSWAP has two (VU 5.2).
unsigned cycles_of(Arch arch, const Instr& instr);

} // namespace lanewise::compiler
