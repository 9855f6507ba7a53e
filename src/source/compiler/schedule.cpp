#include "source/compiler/schedule.h"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "source/compiler/dependences.h"
#include "source/compiler/intervals.h"
#include "source/compiler/regions.h"

namespace lanewise::compiler {

namespace {

using Order = std::vector<std::size_t>;

/// Instructions of a stretch; what is longer is cut, since the work grows with its square.
constexpr std::size_t kLongest = 1024;

/// Registers that are alive, as a stretch goes by.
class Liveness {
 public:
  /// `alive`: how many there are before the stretch.
  Liveness(const Code& code, const Intervals& intervals, std::size_t first, std::size_t last,
           unsigned alive)
      : intervals_(intervals), last_(last), alive_(alive) {
    for (std::size_t i = first; i < last; ++i) {
      for_each_virtual(code.instrs[i], [&](unsigned v) {
        State& state = states_[v];
        ++state.left;
        state.is_alive = intervals.of[v].first < read_time(first);
      });
    }
  }

  /// How many are alive when the instruction has written its results.
  unsigned after(const Instr& instr) const {
    unsigned born = 0, dead = 0;
    for_each_virtual(instr, [&](unsigned v) { born += states_.at(v).is_alive ? 0 : 1; });
    for_each_virtual(instr, [&](unsigned v) { dead += is_read_last(v) && !writes(instr, v); });
    return alive_ + born - dead;
  }

  void pass(const Instr& instr) {
    for_each_virtual(instr, [&](unsigned v) {
      State& state = states_.at(v);
      alive_ += state.is_alive ? 0 : 1;
      state.is_alive = true;
      --state.left;
    });
    for_each_virtual(instr, [&](unsigned v) {
      State& state = states_.at(v);
      if (state.left != 0 || lives_on(v)) return;
      alive_ -= state.is_alive ? 1 : 0;
      state.is_alive = false;
    });
  }

 private:
  /// Each virtual register of the instruction once.
  template <class Visit>
  static void for_each_virtual(const Instr& instr, Visit visit) {
    std::array<unsigned, kMostOperands> seen{};
    std::size_t count = 0;
    const auto once = [&](Reg reg) {
      const auto end = seen.begin() + static_cast<std::ptrdiff_t>(count);
      if (!reg.is_virtual() || std::find(seen.begin(), end, reg.number()) != end) return;
      seen[count++] = reg.number();
      visit(reg.number());
    };
    for_each_use(instr, once);
    for_each_def(instr, once);
  }

  static bool writes(const Instr& instr, unsigned v) {
    bool found = false;
    for_each_def(instr, [&](Reg reg) { found |= reg == Reg::virt(v); });
    return found;
  }

  bool lives_on(unsigned v) const { return intervals_.of[v].last >= read_time(last_); }
  bool is_read_last(unsigned v) const { return states_.at(v).left == 1 && !lives_on(v); }

  static constexpr std::size_t kMostOperands = 16;

  struct State {
    unsigned left = 0; ///< instructions of the stretch with it that are still to come
    bool is_alive = false;
  };

  const Intervals& intervals_;
  std::size_t last_;
  std::unordered_map<unsigned, State> states_; ///< of each register of the stretch
  unsigned alive_;
};

/// One stretch of the code. The fence behind it belongs to it, as its end.
class Stretch {
 public:
  Stretch(const Code& code, const Intervals& intervals, std::size_t first, std::size_t last,
          unsigned alive)
      : code_(code),
        intervals_(intervals),
        first_(first),
        last_(last),
        alive_(alive),
        later_(find_dependences(code, first, last)) {
    if (!is_fence(code.arch, code.instrs[last - 1])) return;
    for (std::size_t i = 0; i + 1 < size(); ++i) later_[i].push_back({size() - 1, 1});
  }

  /// The order to take, if one is shorter than the source's.
  std::optional<Order> shorter(unsigned lregs) {
    measure_ways();
    Order source(size());
    for (std::size_t i = 0; i < size(); ++i) source[i] = i;
    const unsigned reserved = reserved_lregs();
    Order found = list(lregs > reserved ? lregs - reserved : 0);
    if (length(found) >= length(source)) return std::nullopt;
    return found;
  }

 private:
  std::size_t size() const { return last_ - first_; }
  const Instr& at(std::size_t i) const { return code_.instrs[first_ + i]; }

  /// LRegs that hold something for raw words or l_reg.
  unsigned reserved_lregs() const {
    const Interval here{read_time(first_), write_time(last_ - 1)};
    unsigned count = 0;
    for (const Reservation& each : intervals_.reservations) count += each.life.overlaps(here);
    return count;
  }

  /// Of each instruction: cycles from it to the end of the stretch.
  void measure_ways() {
    way_.assign(size(), 0);
    for (std::size_t i = size(); i-- > 0;) {
      way_[i] = cycles_of(code_.arch, at(i));
      for (const Dependence& each : later_[i])
        way_[i] = std::max(way_[i], each.distance + way_[each.later]);
    }
  }

  /// When each instruction could be issued, with those in `order` before it.
  struct Clock {
    std::vector<unsigned> ready; ///< of each instruction
    unsigned now = 0;            ///< the next cycle that is free
  };

  void issue(std::size_t i, Clock& clock) const {
    const unsigned cycle = std::max(clock.now, clock.ready[i]);
    for (const Dependence& each : later_[i])
      clock.ready[each.later] = std::max(clock.ready[each.later], cycle + each.distance);
    clock.now = cycle + cycles_of(code_.arch, at(i));
  }

  /// Cycles of the stretch.
  unsigned length(const Order& order) const {
    Clock clock{.ready = std::vector<unsigned>(size()), .now = 0};
    for (const std::size_t i : order) issue(i, clock);
    return clock.now;
  }

  /// Registers first, then waiting, then the longest way, then the order of the source.
  using Rank = std::tuple<unsigned, unsigned, unsigned, std::size_t>;

  Rank rank(std::size_t i, const Clock& clock, const Liveness& alive, unsigned lregs) const {
    const unsigned needed = alive.after(at(i));
    const unsigned too_many = needed > lregs ? needed - lregs : 0;
    const unsigned waits = clock.ready[i] > clock.now ? clock.ready[i] - clock.now : 0;
    return {too_many, waits, ~way_[i], i};
  }

  Order list(unsigned lregs) const {
    std::vector<unsigned> missing(size());
    for (const auto& dependences : later_)
      for (const Dependence& each : dependences) ++missing[each.later];
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < size(); ++i)
      if (missing[i] == 0) open.push_back(i);
    Clock clock{.ready = std::vector<unsigned>(size()), .now = 0};
    Liveness alive(code_, intervals_, first_, last_, alive_);
    Order order;
    order.reserve(size());
    while (!open.empty()) {
      const auto best = std::ranges::min_element(
          open, {}, [&](std::size_t i) { return rank(i, clock, alive, lregs); });
      const std::size_t next = *best;
      open.erase(best);
      issue(next, clock);
      alive.pass(at(next));
      order.push_back(next);
      for (const Dependence& each : later_[next])
        if (--missing[each.later] == 0) open.push_back(each.later);
    }
    return order;
  }

  const Code& code_;
  const Intervals& intervals_;
  std::size_t first_, last_;
  unsigned alive_; ///< registers, before the stretch
  std::vector<std::vector<Dependence>> later_;
  std::vector<unsigned> way_;
};

void rearrange(Code& code, std::size_t first, const Order& order) {
  std::vector<Instr> instrs;
  instrs.reserve(order.size());
  for (const std::size_t i : order) instrs.push_back(std::move(code.instrs[first + i]));
  std::move(instrs.begin(), instrs.end(), code.instrs.begin() + static_cast<std::ptrdiff_t>(first));
}

/// Before each instruction, and behind the last: how many virtual registers are alive.
std::vector<unsigned> count_alive(const Code& code, const Intervals& intervals) {
  std::vector<int> change(code.instrs.size() + 2);
  for (const Interval& life : intervals.of) {
    if (life.is_empty()) continue;
    ++change[life.first / 2 + 1];
    --change[life.last / 2 + 1];
  }
  std::vector<unsigned> alive;
  alive.reserve(change.size());
  int now = 0;
  for (const int each : change) alive.push_back(static_cast<unsigned>(now += each));
  return alive;
}

/// The end of what is loaded for later stretches, too: it stays apart, so that a first row becomes
/// what the next ones are.
std::size_t skip_loads(const Code& code, const Intervals& intervals, std::size_t first,
                       std::size_t last) {
  const auto is_kept = [&](const Instr& instr) {
    return instr.kind == InstrKind::Tensix && instr.op == isa::Op::SFPLOADI &&
           instr.vd.is_virtual() && intervals.of[instr.vd.number()].last > write_time(last);
  };
  while (first < last && is_kept(code.instrs[first])) ++first;
  return first;
}

} // namespace

void schedule(Code& code, unsigned lregs) {
  if (!may_reorder(code)) return;
  const Intervals intervals = find_intervals(code, true);
  const std::vector<unsigned> alive = count_alive(code, intervals);
  std::size_t first = 0;
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const bool ends = i + 1 == code.instrs.size() || i + 1 - first == kLongest;
    if (!ends && !is_fence(code.arch, code.instrs[i])) continue;
    first = skip_loads(code, intervals, first, i);
    const auto order = Stretch(code, intervals, first, i + 1, alive[first]).shorter(lregs);
    if (order) rearrange(code, first, *order);
    first = i + 1;
  }
}

} // namespace lanewise::compiler
