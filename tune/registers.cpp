#include "tune/registers.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

namespace lanewise::tune {

namespace {

/// Cycles in which a register is taken by a value, or by something that is written for nothing.
struct Arc {
  unsigned first, last;
};

/// Values that share a register, one after the other.
struct Class {
  std::vector<Arc> arcs;
  bool fixed = false; ///< the same register for every row: a template or LReg[7] names it
  bool first = false; ///< it is LReg[0], which a store without template reads
  bool indirect = false;
};

/// Which values go together: values are operations, then macros.
class Sharing {
 public:
  Sharing(const Row& row, const Placement& placement)
      : row_(row),
        placement_(placement),
        operations_(static_cast<unsigned>(row.operations.size())),
        parent_(operations_ + placement.macros.size() + 1) {
    std::iota(parent_.begin(), parent_.end(), 0U);
    classes_.resize(parent_.size());
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

  unsigned find(unsigned value) const {
    while (parent_[value] != value) value = parent_[value];
    return value;
  }
  unsigned macro(unsigned index) const { return operations_ + index; }
  unsigned indirect() const {
    return static_cast<unsigned>(operations_ + placement_.macros.size());
  }
  const std::vector<Class>& classes() const { return classes_; }
  const std::vector<Arc>& hidden() const { return hidden_; }
  bool uses_indirect() const { return uses_indirect_; }

  bool is_hidden(unsigned i) const {
    return placement_.carrier[i] != kNone && row_.operations[i].unit != Unit::Load &&
           row_.operations[i].unit != Unit::Store && form(i).destination == Destination::Hidden;
  }

 private:
  const CarriedForm& form(unsigned i) const {
    return row_.operations[i].carried[placement_.form[i]];
  }

  void join(unsigned a, unsigned b) { parent_[find(a)] = find(b); }

  void join_operation(unsigned i) {
    const Operation& operation = row_.operations[i];
    if (operation.unit == Unit::Load) return;
    if (placement_.carrier[i] == kNone) return join_issued(i, operation);
    const unsigned carrier = macro(placement_.carrier[i]);
    const CarriedForm& how = form(i);
    for (unsigned k = 0; k < operation.operands.size(); ++k) {
      const unsigned value = operation.operands[k];
      if (value == kNone || how.from_hidden) continue;
      if (k == how.macro_operand)
        join(value, carrier);
      else
        fixed_.push_back(value);
    }
    if (how.from_first) first_.push_back(operation.operands[0]);
    if (operation.unit == Unit::Store) return;
    if (how.destination == Destination::Carrier) join(i, carrier);
    if (how.destination != Destination::Indirect) return;
    uses_indirect_ = true;
    join(i, indirect());
    fixed_.push_back(i);
  }

  void join_issued(unsigned i, const Operation& operation) {
    if (operation.unit == Unit::Store) return;
    const IssuedForm& how = operation.issued[placement_.form[i]];
    if (how.tied != kNone) join(i, operation.operands[how.tied]);
  }

  void spread_marks() {
    for (const unsigned value : fixed_) classes_[find(value)].fixed = true;
    for (const unsigned value : first_) {
      classes_[find(value)].fixed = true;
      classes_[find(value)].first = true;
    }
  }

  unsigned last_read(unsigned i) const {
    unsigned last = placement_.time[i] + row_.operations[i].latency;
    for (unsigned r = 0; r < operations_; ++r) {
      if (placement_.time[r] == kNone) continue;
      if (std::ranges::find(row_.operations[r].operands, i) != row_.operations[r].operands.end())
        last = std::max(last, placement_.time[r]);
    }
    return last;
  }

  /// From the cycle behind the write: what a two-cycle result takes is not to be read any more.
  void add_life(unsigned i) {
    const Operation& operation = row_.operations[i];
    if (operation.unit == Unit::Store) return;
    const unsigned time = placement_.time[i];
    if (is_hidden(i)) {
      hidden_.push_back({time + operation.latency, last_read(i)});
      return;
    }
    classes_[find(i)].arcs.push_back({time + 1, last_read(i)});
    if (placement_.carrier[i] != kNone || operation.unit == Unit::Load) return;
    const IssuedForm& how = operation.issued[placement_.form[i]];
    if (how.clobbered != kNone)
      classes_[find(operation.operands[how.clobbered])].arcs.push_back(
          {time + 1, time + operation.latency});
  }

  void add_macro_loads() {
    for (unsigned m = 0; m < placement_.macros.size(); ++m) {
      const Macro& each = placement_.macros[m];
      if (each.load == kNone && each.time != kNone)
        classes_[find(macro(m))].arcs.push_back({each.time + 1, each.time + 1});
    }
  }

  const Row& row_;
  const Placement& placement_;
  unsigned operations_;
  std::vector<unsigned> parent_, fixed_, first_;
  std::vector<Class> classes_;
  std::vector<Arc> hidden_;
  bool uses_indirect_ = false;
};

/// Cycles of all copies of the row, one bit each.
using Circle = std::uint32_t;

/// The circle of one copy's arcs; nothing in `fits` if they meet each other.
Circle circle_of(const std::vector<Arc>& arcs, unsigned shift, unsigned length, bool& fits) {
  Circle taken = 0;
  for (const Arc& arc : arcs) {
    if (arc.last - arc.first >= length) fits = false;
    for (unsigned cycle = arc.first; fits && cycle <= arc.last; ++cycle) {
      const Circle bit = Circle{1} << ((cycle + shift) % length);
      if ((taken & bit) != 0) fits = false;
      taken |= bit;
    }
  }
  return taken;
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
      return std::popcount(a.taken) > std::popcount(b.taken);
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
  for (unsigned group = 0; group < sharing.classes().size(); ++group) {
    const Class& each = sharing.classes()[group];
    if (each.arcs.empty()) continue;
    Request all{.group = group, .copy = kNone, .first = each.first};
    for (unsigned copy = 0; copy < copies; ++copy) {
      bool fits = true;
      const Circle taken = circle_of(each.arcs, copy * interval, length, fits);
      if (!fits || (each.fixed && (all.taken & taken) != 0)) return false;
      all.taken |= taken;
      if (!each.fixed) requests.push_back({group, copy, taken, false});
    }
    if (each.fixed) requests.push_back(all);
  }
  return true;
}

bool hidden_fits(const Sharing& sharing, unsigned interval) {
  bool fits = true;
  circle_of(sharing.hidden(), 0, interval, fits);
  return fits;
}

void write_registers(const Row& row, const Sharing& sharing, const Colouring& colouring,
                     unsigned copies, Placement& placement) {
  std::vector<std::vector<unsigned>> of_class(sharing.classes().size());
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
    const bool has_none = row.operations[i].unit == Unit::Store || sharing.is_hidden(i);
    placement.registers.push_back(has_none ? std::vector<unsigned>(copies, kNone)
                                           : of_class[sharing.find(i)]);
  }
  for (unsigned m = 0; m < placement.macros.size(); ++m)
    placement.macros[m].registers = of_class[sharing.find(sharing.macro(m))];
  placement.indirect =
      sharing.uses_indirect() ? of_class[sharing.find(sharing.indirect())][0] : kNone;
}

} // namespace

bool allocate_registers(const Row& row, const MachineModel& machine, Placement& placement) {
  const Sharing sharing(row, placement);
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

bool shared_registers_fit(const Row& row, const MachineModel& machine, const Placement& partial) {
  const Sharing sharing(row, partial);
  if (!hidden_fits(sharing, partial.interval)) return false;
  const unsigned copies = machine.slots / partial.interval;
  for (const Class& each : sharing.classes()) {
    bool fits = true;
    circle_of(each.arcs, 0, partial.interval * (each.fixed ? 1 : copies), fits);
    if (!fits) return false;
  }
  return true;
}

} // namespace lanewise::tune
