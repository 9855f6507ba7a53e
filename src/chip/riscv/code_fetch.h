// When the words of code are there: a core's instruction cache, and what asks for lines ahead.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "chip/isa/chip_record.h"
#include "chip/riscv/l1_port.h"

namespace lanewise::riscv {

/// Lines that are not in the cache come from L1, one after the other. The front end goes along the
/// predicted path and asks for a line when the core comes to one `lines_ahead` before it.
class CodeFetch {
 public:
  /// The port to L1 must live as long.
  CodeFetch(const CoreCostParams& costs, unsigned core, L1Port& port);

  /// The cycle in which a core that can take the word at an address in cycle `now` gets it.
  std::uint64_t arrival(std::uint32_t address, std::uint64_t now) {
    return address / kLineBytes == line_ ? now : next_line(address / kLineBytes, now);
  }

  /// Code that stands in place of the word that arrived last is one word longer: the cycles until
  /// it is there, at least 1.
  unsigned further_word();

  /// The word that arrived last stands for none: code would be one word shorter.
  void word_less();

  /// The front end has gone a wrong way, and begins anew in cycle `now`.
  void restart(std::uint64_t now);

  /// Whether a line has been asked for when the front end was at `from` and went straight on.
  bool is_ahead(std::uint32_t from, std::uint32_t to) const {
    return to / kLineBytes - from / kLineBytes <= costs_.lines_ahead;
  }

  static constexpr std::uint32_t kLineBytes = 16;

 private:
  static constexpr unsigned kMostAhead = 4;
  static constexpr std::uint32_t kNoLine = ~0U;

  std::uint64_t next_line(std::uint32_t line, std::uint64_t now);
  bool is_cached(std::uint32_t line); ///< puts it there if not

  const CoreCostParams& costs_;
  L1Port& port_;
  double interval_;
  std::vector<std::uint32_t> lines_;                ///< by set, the one used last first
  std::array<std::uint64_t, kMostAhead> entered_{}; ///< when the core came to the last lines
  unsigned last_ = 0;                               ///< of entered_
  std::uint32_t line_ = kNoLine;                    ///< that the core is in
  double next_fetch_ = 0;                           ///< not before
  bool was_missed_ = false;                         ///< the line that the core is in
  double further_ = 0; ///< part of a cycle that further words have left over
};

} // namespace lanewise::riscv
