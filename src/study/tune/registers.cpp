#include "study/tune/registers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace lanewise::tune {

namespace {

/// Cycles in which a register is taken by a value, or by something that is written for nothing.
struct Arc {
  unsigned first, last;
};

/// Operations and macros of a row, and the place for LReg[7]'s register; the search has no larger
/// ones.
constexpr unsigned kMostValues = 96;

/// An arc and the class that it belongs to.
struct Life {
  unsigned group;
  Arc arc;
};

/// Which values go together in one register: values are operations, then macros. The search asks
/// for this at every step, so that nothing is allocated here.
class Sharing {
 public:
  /// `times` are those of the placement, or for operations that have none the least ones.
  Sharing(const Row& row, const Reads& reads, const Placement& placement,
          const std::vector<unsigned>& times)
      : row_(row),
        placement_(placement),
        operations_(static_cast<unsigned>(row.operations.size())),
        values_(operations_ + static_cast<unsigned>(placement.macros.size()) + 1) {
    for (unsigned value = 0; value < values_; ++value)
      of_value_[value] = {0, static_cast<std::uint8_t>(value), false, false, false, false};
    for (const Read& each : reads) {
      unsigned& last = of_value_[each.operand].last_read;
      last = std::max(last, times[each.reader]);
    }
    for (unsigned i = 0; i < operations_; ++i) {
      if (placement.time[i] != kNone) join_operation(i);
    }
    for (unsigned m = 0; m < placement.macros.size(); ++m) {
      if (placement.macros[m].load != kNone) join(placement.macros[m].load, macro(m));
    }
    spread_marks();
    for (unsigned i = 0; i < operations_; ++i) {
      if (placement.time[i] != kNone) add_life(i);
    }
    add_macro_loads();
  }

  unsigned groups() const { return values_; }
  unsigned find(unsigned value) const {
    while (of_value_[value].parent != value) value = of_value_[value].parent;
    return value;
  }
  unsigned macro(unsigned index) const { return operations_ + index; }
  unsigned indirect() const { return values_ - 1; }
  /// The same register for every row: a template or LReg[7] names it.
  bool is_fixed(unsigned group) const { return of_value_[group].is_fixed_class; }
  /// It is LReg[0], which a store without template reads.
  bool is_first(unsigned group) const { return of_value_[group].is_first_class; }
  std::span<const Life> lives() const { return {lives_.data(), life_count_}; }
  std::span<const Life> hidden() const { return {hidden_.data(), hidden_count_}; }
  bool uses_indirect() const { return uses_indirect_; }

  bool is_hidden(unsigned i) const {
    return placement_.carrier[i] != kNone && row_.operations[i].unit != Unit::Load &&
           row_.operations[i].unit != Unit::Store && form(i).destination == Destination::Hidden;
  }

 private:
  /// Without values of its own: most of the array is never used.
  struct OfValue {
    unsigned last_read;
    std::uint8_t parent; ///< another value of its class
    bool is_fixed, is_first;
    bool is_fixed_class, is_first_class; ///< of the class that it stands for
  };

  const CarriedForm& form(unsigned i) const {
    return row_.operations[i].carried[placement_.form[i]];
  }

  void join(unsigned a, unsigned b) {
    of_value_[find(a)].parent = static_cast<std::uint8_t>(find(b));
  }

  void join_operation(unsigned i) {
    const Operation& operation = row_.operations[i];
    if (operation.unit == Unit::Load) return;
    if (operation.reads_first) {
      OfValue& input = of_value_[operation.operands[0]];
      input.is_first = input.is_fixed = true;
    }
    if (placement_.carrier[i] == kNone) return join_issued(i, operation);
    const unsigned carrier = macro(placement_.carrier[i]);
    const CarriedForm& how = form(i);
    for (unsigned k = 0; k < operation.operands.size(); ++k) {
      const unsigned value = operation.operands[k];
      if (value == kNone || how.from_hidden) continue;
      if (k == how.macro_operand)
        join(value, carrier);
      else
        of_value_[value].is_fixed = true;
      if (how.from_first) of_value_[value].is_first = true;
    }
    if (operation.unit == Unit::Store) return;
    if (how.destination == Destination::Carrier) join(i, carrier);
    if (how.destination != Destination::Indirect) return;
    uses_indirect_ = true;
    join(i, indirect());
    of_value_[i].is_fixed = true;
  }

  void join_issued(unsigned i, const Operation& operation) {
    if (operation.unit == Unit::Store) return;
    const IssuedForm& how = operation.issued[placement_.form[i]];
    if (how.tied != kNone) join(i, operation.operands[how.tied]);
  }

  void spread_marks() {
    for (unsigned value = 0; value < operations_; ++value) {
      if (of_value_[value].is_fixed) of_value_[find(value)].is_fixed_class = true;
      if (of_value_[value].is_first) of_value_[find(value)].is_first_class = true;
    }
  }

  void add(unsigned value, Arc arc) { lives_[life_count_++] = {find(value), arc}; }

  /// From the cycle behind the write: what a two-cycle result takes is not to be read any more.
  /// LReg[16] keeps its value until the result is there: only macros write it, which see cycles.
  void add_life(unsigned i) {
    const Operation& operation = row_.operations[i];
    if (operation.unit == Unit::Store || !operation.has_result) return;
    const unsigned time = placement_.time[i];
    const unsigned last = std::max(time + operation.latency, of_value_[i].last_read);
    if (is_hidden(i)) {
      hidden_[hidden_count_++] = {i, {time + operation.latency, last}};
      return;
    }
    add(i, {time + 1, last});
    if (placement_.carrier[i] != kNone || operation.unit == Unit::Load) return;
    const IssuedForm& how = operation.issued[placement_.form[i]];
    if (how.clobbered != kNone)
      add(operation.operands[how.clobbered], {time + 1, time + operation.latency});
  }

  void add_macro_loads() {
    for (unsigned m = 0; m < placement_.macros.size(); ++m) {
      const Macro& each = placement_.macros[m];
      if (each.load == kNone && each.time != kNone) add(macro(m), {each.time + 1, each.time + 1});
    }
  }

  const Row& row_;
  const Placement& placement_;
  unsigned operations_, values_;
  std::array<OfValue, kMostValues> of_value_; ///< the first values_ of them
  std::array<Life, std::size_t{2} * kMostValues> lives_;
  std::array<Life, kMostValues> hidden_;
  std::size_t life_count_ = 0, hidden_count_ = 0;
  bool uses_indirect_ = false;
};

/// Cycles of all copies of the row, one bit each.
__extension__ using Circle = unsigned __int128;
static_assert(sizeof(Circle) * 8 >= kLongestBody);

unsigned cycles_of(Circle circle) {
  return static_cast<unsigned>(std::popcount(static_cast<std::uint64_t>(circle)) +
                               std::popcount(static_cast<std::uint64_t>(circle >> 64)));
}

/// The first cycles, at least one.
Circle first_cycles(unsigned count) {
  return (Circle{1} << (count - 1) << 1) - 1;
}

/// Adds an arc to what a register has on the circle; false if something is there already.
bool add_arc(Circle& taken, Arc arc, unsigned shift, unsigned length) {
  const unsigned count = arc.last - arc.first + 1;
  if (count > length) return false;
  const unsigned place = (arc.first + shift) % length;
  const unsigned behind = length - place; // cycles up to the end of the circle
  const Circle all = first_cycles(count);
  Circle cycles = all << place;
  if (count > behind) cycles = (cycles | all >> behind) & first_cycles(length);
  if ((taken & cycles) != 0) return false;
  taken |= cycles;
  return true;
}

/// What wants a register: a class, or one copy of it.
struct Request {
  unsigned group, copy; ///< copy kNone: all of them
  Circle taken = 0;
  bool first = false;
};

class Colouring {
 public:
  Colouring(std::vector<Request> requests, unsigned registers)
      : requests_(std::move(requests)), taken_(registers), chosen_(requests_.size(), kNone) {
    std::ranges::stable_sort(requests_, [](const Request& a, const Request& b) {
      if (a.first != b.first) return a.first;
      return cycles_of(a.taken) > cycles_of(b.taken);
    });
  }

  bool run() { return place(0); }
  const std::vector<Request>& requests() const { return requests_; }
  const std::vector<unsigned>& chosen() const { return chosen_; }

 private:
  static constexpr unsigned kMostSteps = 4000;

  bool place(std::size_t index) {
    if (index == requests_.size()) return true;
    if (++steps_ > kMostSteps) return false;
    const Request& request = requests_[index];
    for (unsigned r = 0; r < taken_.size(); ++r) {
      if (request.first && r != 0) return false;
      if ((taken_[r] & request.taken) != 0) continue;
      const bool was_empty = taken_[r] == 0;
      taken_[r] |= request.taken;
      chosen_[index] = r;
      if (place(index + 1)) return true;
      taken_[r] &= ~request.taken;
      if (was_empty) return false; // registers are alike
    }
    return false;
  }

  std::vector<Request> requests_;
  std::vector<Circle> taken_;
  std::vector<unsigned> chosen_;
  unsigned steps_ = 0;
};

/// What wants registers with so many copies of the row; false if a class does not fit by itself.
bool requests_of(const Sharing& sharing, unsigned interval, unsigned copies,
                 std::vector<Request>& requests) {
  const unsigned length = interval * copies;
  std::vector<Circle> taken(static_cast<std::size_t>(sharing.groups()) * copies);
  for (const Life& life : sharing.lives()) {
    for (unsigned copy = 0; copy < copies; ++copy) {
      const unsigned place = sharing.is_fixed(life.group) ? 0 : copy;
      if (!add_arc(taken[std::size_t{life.group} * copies + place], life.arc, copy * interval,
                   length))
        return false;
    }
  }
  for (unsigned group = 0; group < sharing.groups(); ++group) {
    const bool fixed = sharing.is_fixed(group);
    for (unsigned copy = 0; copy < (fixed ? 1 : copies); ++copy) {
      const Circle cycles = taken[std::size_t{group} * copies + copy];
      if (cycles != 0)
        requests.push_back({group, fixed ? kNone : copy, cycles, sharing.is_first(group)});
    }
  }
  return true;
}

bool hidden_fits(const Sharing& sharing, unsigned interval) {
  Circle taken = 0;
  return std::ranges::all_of(
      sharing.hidden(), [&](const Life& life) { return add_arc(taken, life.arc, 0, interval); });
}

void write_registers(const Row& row, const Sharing& sharing, const Colouring& colouring,
                     unsigned copies, Placement& placement) {
  std::vector<std::vector<unsigned>> of_class(sharing.groups());
  for (auto& registers : of_class) registers.assign(copies, kNone);
  unsigned used = 0;
  for (std::size_t i = 0; i < colouring.requests().size(); ++i) {
    const Request& request = colouring.requests()[i];
    used = std::max(used, colouring.chosen()[i] + 1);
    for (unsigned copy = 0; copy < copies; ++copy) {
      if (request.copy == kNone || request.copy == copy)
        of_class[request.group][copy] = colouring.chosen()[i];
    }
  }
  placement.copies = copies;
  placement.registers_used = used;
  placement.registers.clear();
  for (unsigned i = 0; i < row.operations.size(); ++i) {
    const bool has_none = row.operations[i].unit == Unit::Store || !row.operations[i].has_result ||
                          sharing.is_hidden(i);
    placement.registers.push_back(has_none ? std::vector<unsigned>(copies, kNone)
                                           : of_class[sharing.find(i)]);
  }
  for (unsigned m = 0; m < placement.macros.size(); ++m)
    placement.macros[m].registers = of_class[sharing.find(sharing.macro(m))];
  placement.indirect =
      sharing.uses_indirect() ? of_class[sharing.find(sharing.indirect())][0] : kNone;
}

} // namespace

Reads reads_of(const Row& row) {
  Reads reads;
  for (unsigned reader = 0; reader < row.operations.size(); ++reader) {
    for (const unsigned operand : row.operations[reader].operands)
      if (operand != kNone) reads.push_back({reader, operand});
  }
  return reads;
}

bool allocate_registers(const Row& row, const MachineModel& machine, Placement& placement) {
  const Sharing sharing(row, reads_of(row), placement, placement.time);
  if (!hidden_fits(sharing, placement.interval)) return false;
  if (sharing.uses_indirect() && !machine.indirect) return false;
  const unsigned registers = machine.registers - (sharing.uses_indirect() ? 1 : 0);
  for (unsigned copies = 1; copies * placement.interval <= machine.slots; ++copies) {
    std::vector<Request> requests;
    if (!requests_of(sharing, placement.interval, copies, requests)) continue;
    Colouring colouring(std::move(requests), registers);
    if (!colouring.run()) continue;
    write_registers(row, sharing, colouring, copies, placement);
    return true;
  }
  return false;
}

bool registers_may_fit(const Row& row, const Reads& reads, const MachineModel& machine,
                       const Placement& partial, const std::vector<unsigned>& least_times) {
  const Sharing sharing(row, reads, partial, least_times);
  if (!hidden_fits(sharing, partial.interval)) return false;
  const unsigned copies = machine.slots / partial.interval;
  const unsigned registers = machine.registers - (sharing.uses_indirect() ? 1 : 0);
  std::array<Circle, kMostValues> taken;
  std::fill_n(taken.begin(), sharing.groups(), Circle{0});
  unsigned cycles = 0;
  for (const Life& life : sharing.lives()) {
    const unsigned length = partial.interval * (sharing.is_fixed(life.group) ? 1 : copies);
    if (!add_arc(taken[life.group], life.arc, 0, length)) return false;
    cycles += life.arc.last - life.arc.first + 1;
  }
  return cycles <= registers * partial.interval;
}

} // namespace lanewise::tune
