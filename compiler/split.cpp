#include "compiler/split.h"

#include <algorithm>
#include <array>

namespace lanewise::compiler {

namespace {

constexpr std::uint8_t kMovAllLanes = 2;

class Conflicts {
 public:
  explicit Conflicts(const Interval& life) : life_(life) { first_.fill(life.last + 1); }

  /// The LReg is taken during `other`.
  void add(unsigned lreg, const Interval& other) {
    if (!life_.overlaps(other)) return;
    first_[lreg] = std::min(first_[lreg], std::max(life_.first, other.first));
  }

  /// The latest time up to which one LReg is free.
  std::uint32_t latest() const { return *std::max_element(first_.begin(), first_.end()); }

 private:
  const Interval& life_;
  std::array<std::uint32_t, kAllocatable> first_{}; ///< time at which each LReg is taken
};

} // namespace

std::optional<std::size_t> best_split(const Intervals& intervals, const Places& places,
                                      unsigned reg) {
  const Interval& life = intervals.of[reg];
  Conflicts conflicts(life);
  for (unsigned other = 0; other < places.size(); ++other) {
    if (other != reg && places[other] >= 0)
      conflicts.add(static_cast<unsigned>(places[other]), intervals.of[other]);
  }
  for (const Reservation& reservation : intervals.reservations)
    conflicts.add(reservation.lreg, reservation.life);
  for (const auto& [time, set] : intervals.clobbers) {
    for (unsigned lreg = 0; lreg < kAllocatable; ++lreg) {
      if ((set >> lreg & 1U) != 0) conflicts.add(lreg, {time, time});
    }
  }
  const std::size_t at = conflicts.latest() / 2;
  if (at <= life.first / 2 || read_time(at) > life.last) return std::nullopt;
  return at;
}

void split(Code& code, unsigned reg, std::size_t at) {
  const Reg before = Reg::virt(reg);
  const RegOrigin origin = code.origins[reg];
  const Reg after = code.new_reg(origin.site);
  code.origins.back() = origin;
  code.origins.back().is_split = true;
  for (std::size_t i = at; i < code.instrs.size(); ++i) {
    for_each_operand(code.instrs[i], [&](Reg& operand) {
      if (operand == before) operand = after;
    });
  }
  Instr move;
  move.op = isa::Op::SFPMOV;
  move.mod = kMovAllLanes;
  move.vd = after;
  move.vc = before;
  move.site = code.instrs[at].site;
  code.instrs.insert(code.instrs.begin() + static_cast<std::ptrdiff_t>(at), std::move(move));
}

} // namespace lanewise::compiler
