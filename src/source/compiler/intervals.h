// When each virtual register, and each LReg that is not the compiler's own, holds something.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "source/compiler/code.h"

namespace lanewise::compiler {

/// Points in time: instruction i reads at 2i and writes at 2i + 1. Both ends belong to the
/// interval.
struct Interval {
  std::uint32_t first = 0xFFFFFFFF;
  std::uint32_t last = 0;

  bool is_empty() const { return first > last; }
  void include(std::uint32_t time) {
    if (time < first) first = time;
    if (time > last) last = time;
  }
  bool overlaps(const Interval& other) const { return first <= other.last && other.first <= last; }
};

constexpr std::uint32_t read_time(std::size_t instr) {
  return static_cast<std::uint32_t>(2 * instr);
}
constexpr std::uint32_t write_time(std::size_t instr) {
  return static_cast<std::uint32_t>(2 * instr + 1);
}

/// A stretch in which LReg `lreg` holds what raw words or l_reg have put there.
struct Reservation {
  unsigned lreg = 0;
  Interval life;
  /// Virtual registers that hold the same content and may share the LReg, as long as they do not
  /// change: targets of ReadLReg, sources of WriteLReg.
  std::vector<unsigned> sharers;
};

struct Intervals {
  std::vector<Interval> of; ///< of each virtual register; empty if it does not occur
  /// The times at which each that shares a reservation is written, in order.
  std::map<unsigned, std::vector<std::uint32_t>> writes;
  std::vector<Reservation> reservations;
  /// Moments at which an instruction changes LRegs 0..7 beside those it names.
  std::vector<std::pair<std::uint32_t, isa::LRegSet>> clobbers;
};

Intervals find_intervals(const Code& code, bool keep_raw);

/// Whether virtual register v has the very content of the LReg and does not change while that is
/// reserved.
bool shares(const Code& code, const Intervals& intervals, unsigned v,
            const Reservation& reservation);

} // namespace lanewise::compiler
