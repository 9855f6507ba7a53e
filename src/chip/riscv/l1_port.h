// A port to L1 that cores have in common: what they read and what they write takes turns at it (ISA
// L1).
#pragma once

#include <array>
#include <deque>
#include <memory>

namespace lanewise::riscv {

/// When something is taken, in cycles and parts of them. Cores are not asked in the order of
/// cycles: one may be ahead of another by what it does without anybody else.
class Turns {
 public:
  /// The first time not before `from` at which it is free for so many cycles.
  double free_from(double from, double cycles) const;

  /// Takes it for so many cycles, not before `from`: since when.
  double take(double from, double cycles);

 private:
  struct Span {
    double first = 0, end = 0;
  };
  static constexpr double kRemembered = 512; ///< cycles: nobody is behind another by more

  std::deque<Span> taken_; ///< in order, apart from each other
};

/// Loads and lines of code take turns at it, and so do stores. That a narrow store keeps reads away
/// for its five cycles, as ISA L1 has it, is not silicon's: initialisations on T0, which has its
/// port for itself, would take 7 to 9 cycles more than they do (CT).
struct L1Port {
  Turns reads, writes;
};

/// The ports of a tile's cores: T1 and T2 have one, T0 has one with BRISC and NCRISC (ISA L1).
class L1Ports {
 public:
  /// Core 0 to 2: T0 to T2; others are BRISC and NCRISC.
  std::shared_ptr<L1Port> of(unsigned core) const { return ports_[core == 1 || core == 2 ? 1 : 0]; }

 private:
  std::array<std::shared_ptr<L1Port>, 2> ports_{std::make_shared<L1Port>(),
                                                std::make_shared<L1Port>()};
};

} // namespace lanewise::riscv
