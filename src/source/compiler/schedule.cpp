#include "source/compiler/schedule.h"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "source/compiler/dependences.h"
#include "source/compiler/intervals.h"
#include "source/compiler/regions.h"

namespace lanewise::compiler {

namespace {

using Order = std::vector<std::size_t>;

/// Instructions of a stretch; what is longer is cut, since the work grows with its square.
constexpr std::size_t kLongest = 1024;
/// Instructions before its end of which there may be more than one order.
constexpr std::size_t kFewestFree = 2;

/// A virtual register of an instruction.
struct Operand {
  unsigned reg;
  bool is_written = false;
};

/// Of each instruction of a stretch: its virtual registers, each once.
class Operands {
 public:
  Operands(const Code& code, std::size_t first, std::size_t last) {
    ends_.reserve(last - first);
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t begin = all_.size();
      const auto add = [&](Reg reg, bool is_written) {
        if (!reg.is_virtual()) return;
        const auto of_this = std::span(all_).subspan(begin);
        const auto known = std::ranges::find(of_this, reg.number(), &Operand::reg);
        if (known == of_this.end()) return all_.push_back({reg.number(), is_written});
        known->is_written |= is_written;
      };
      for_each_use(code.instrs[i], [&](Reg reg) { add(reg, false); });
      for_each_def(code.instrs[i], [&](Reg reg) { add(reg, true); });
      ends_.push_back(all_.size());
    }
  }

  std::span<const Operand> all() const { return all_; }
  /// `i`: of the stretch.
  std::span<const Operand> of(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(all_).subspan(begin, ends_[i] - begin);
  }

 private:
  std::vector<Operand> all_;
  std::vector<std::size_t> ends_;
};

/// Of a virtual register, as a stretch goes by.
struct Life {
  unsigned left = 0; ///< instructions of the stretch with it that are still to come
  bool is_alive = false;
};

/// Registers that are alive, as a stretch goes by.
class Liveness {
 public:
  /// `lives`: room for one of each virtual register. `alive`: how many there are before the
  /// stretch.
  Liveness(const Operands& operands, const Intervals& intervals, std::size_t first,
           std::size_t last, std::vector<Life>& lives, unsigned alive)
      : operands_(operands), intervals_(intervals), last_(last), lives_(lives), alive_(alive) {
    for (const Operand& each : operands.all())
      lives_[each.reg] = {.left = 0, .is_alive = intervals.of[each.reg].first < read_time(first)};
    for (const Operand& each : operands.all()) ++lives_[each.reg].left;
  }

  /// How many are alive when instruction i of the stretch has written its results.
  unsigned after(std::size_t i) const {
    unsigned born = 0, dead = 0;
    for (const auto& [reg, is_written] : operands_.of(i)) {
      born += lives_[reg].is_alive ? 0 : 1;
      dead += lives_[reg].left == 1 && !is_written && !lives_on(reg);
    }
    return alive_ + born - dead;
  }

  void pass(std::size_t i) {
    for (const auto& [reg, is_written] : operands_.of(i)) {
      Life& life = lives_[reg];
      alive_ += life.is_alive ? 0 : 1;
      life.is_alive = true;
      if (--life.left != 0 || lives_on(reg)) continue;
      --alive_;
      life.is_alive = false;
    }
  }

 private:
  bool lives_on(unsigned v) const { return intervals_.of[v].last >= read_time(last_); }

  const Operands& operands_;
  const Intervals& intervals_;
  std::size_t last_;
  std::vector<Life>& lives_;
  unsigned alive_;
};

/// One stretch of the code. The fence behind it belongs to it, as its end.
class Stretch {
 public:
  Stretch(const Code& code, const Intervals& intervals, std::size_t first, std::size_t last,
          std::vector<Life>& lives, unsigned alive, DependenceFinder& dependences)
      : code_(code),
        intervals_(intervals),
        first_(first),
        last_(last),
        lives_(lives),
        alive_(alive),
        operands_(code, first, last),
        later_(dependences.find(first, last)) {}

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
    const unsigned needed = alive.after(i);
    const unsigned too_many = needed > lregs ? needed - lregs : 0;
    const unsigned waits = clock.ready[i] > clock.now ? clock.ready[i] - clock.now : 0;
    return {too_many, waits, ~way_[i], i};
  }

  Order list(unsigned lregs) const {
    std::vector<unsigned> missing(size());
    for (std::size_t i = 0; i < size(); ++i)
      for (const Dependence& each : later_[i]) ++missing[each.later];
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < size(); ++i)
      if (missing[i] == 0) open.push_back(i);
    Clock clock{.ready = std::vector<unsigned>(size()), .now = 0};
    Liveness alive(operands_, intervals_, first_, last_, lives_, alive_);
    Order order;
    order.reserve(size());
    while (!open.empty()) {
      const auto best = std::ranges::min_element(
          open, {}, [&](std::size_t i) { return rank(i, clock, alive, lregs); });
      const std::size_t next = *best;
      open.erase(best);
      issue(next, clock);
      alive.pass(next);
      order.push_back(next);
      for (const Dependence& each : later_[next])
        if (--missing[each.later] == 0) open.push_back(each.later);
    }
    return order;
  }

  const Code& code_;
  const Intervals& intervals_;
  std::size_t first_, last_;
  std::vector<Life>& lives_;
  unsigned alive_; ///< registers, before the stretch
  Operands operands_;
  Lists<Dependence> later_;
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
  std::vector<Life> lives(code.origins.size());
  DependenceFinder dependences(code);
  std::size_t first = 0;
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const bool ends = i + 1 == code.instrs.size() || i + 1 - first == kLongest;
    if (!ends && !is_fence(code.arch, code.instrs[i])) continue;
    first = skip_loads(code, intervals, first, i);
    const std::size_t begin = std::exchange(first, i + 1);
    if (i - begin < kFewestFree) continue;
    Stretch stretch(code, intervals, begin, i + 1, lives, alive[begin], dependences);
    if (const auto order = stretch.shorter(lregs)) rearrange(code, begin, *order);
  }
}

} // namespace lanewise::compiler
