#include "study/tune/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace lanewise::tune {

namespace {

/// Looks at a placement row by row, as many rows as can meet: no table of the search is used.
class Examiner {
 public:
  Examiner(const Row& row, const MachineModel& machine, const Placement& placement)
      : row_(row), machine_(machine), at_(placement) {}

  std::string find() {
    const unsigned last = *std::ranges::max_element(at_.time);
    rows_ = 2 * (last / at_.interval + at_.copies + 2);
    for (unsigned i = 0; i < row_.operations.size(); ++i) check_operation(i);
    for (unsigned k = 0; k < rows_; ++k) place_row(k);
    check_units();
    check_registers();
    if (at_.copies * at_.interval > machine_.slots) fail("more slots than the replay buffer has");
    if (at_.macros.size() > machine_.macros) fail("more macros than sequences");
    if (templates() > machine_.templates) fail("more templates than there are");
    return mistake_;
  }

 private:
  void fail(std::string what) {
    if (mistake_.empty()) mistake_ = std::move(what);
  }

  bool is_carried(unsigned i) const {
    return at_.carrier[i] != kNone && row_.operations[i].unit != Unit::Load;
  }
  const CarriedForm& carried(unsigned i) const { return row_.operations[i].carried[at_.form[i]]; }
  bool is_hidden(unsigned i) const {
    return computes(row_.operations[i]) && is_carried(i) &&
           carried(i).destination == Destination::Hidden;
  }

  void check_operation(unsigned i) {
    const Operation& operation = row_.operations[i];
    for (const unsigned operand : operation.operands) {
      if (operand != kNone && at_.time[i] < at_.time[operand] + row_.operations[operand].latency)
        fail(fmt::format("operation {} reads {} too early", i, operand));
    }
    if (operation.unit == Unit::Load && at_.carrier[i] != kNone &&
        at_.registers[i] != at_.macros[at_.carrier[i]].registers)
      fail(fmt::format("the load of macro {} is not in its register", at_.carrier[i]));
    if (operation.follows && (i == 0 || is_carried(i) || at_.time[i] != at_.time[i - 1] + 1))
      fail(fmt::format("operation {} does not follow the one before it", i));
    if (operation.reads_first && std::ranges::any_of(at_.registers[operation.operands[0]],
                                                     [](unsigned r) { return r != 0; }))
      fail(fmt::format("operation {} has not its operand in the first register", i));
    if (!is_carried(i)) return check_issued(i);
    const unsigned start = at_.macros[at_.carrier[i]].time;
    if (at_.time[i] <= start || at_.time[i] > start + machine_.longest_delay)
      fail(fmt::format("operation {} is out of its macro's reach", i));
    check_carried_registers(i);
  }

  void check_issued(unsigned i) {
    const Operation& operation = row_.operations[i];
    if (!computes(operation)) return;
    const unsigned tied = operation.issued[at_.form[i]].tied;
    if (tied != kNone && at_.registers[i] != at_.registers[operation.operands[tied]])
      fail(fmt::format("operation {} has not the register of its operand", i));
  }

  void check_carried_registers(unsigned i) {
    const Operation& operation = row_.operations[i];
    const Macro& macro = at_.macros[at_.carrier[i]];
    for (unsigned k = 0; k < operation.operands.size(); ++k) {
      const unsigned operand = operation.operands[k];
      if (operand == kNone) continue;
      if (carried(i).from_hidden) {
        if (!is_hidden(operand))
          fail(fmt::format("operation {} stores what is not in LReg[16]", i));
      } else if (k == carried(i).macro_operand) {
        if (at_.registers[operand] != macro.registers)
          fail(fmt::format("operation {} has not its operand in the macro's register", i));
      } else if (!is_fixed(operand)) {
        fail(fmt::format("operation {} has an operand that moves from row to row", i));
      }
    }
    if (computes(operation) && carried(i).destination == Destination::Carrier &&
        at_.registers[i] != macro.registers)
      fail(fmt::format("operation {} does not write the macro's register", i));
    if (computes(operation) && carried(i).destination == Destination::Indirect &&
        (!is_fixed(i) || at_.registers[i][0] != at_.indirect))
      fail(fmt::format("operation {} does not write where LReg[7] says", i));
  }

  bool is_fixed(unsigned i) const {
    return std::ranges::all_of(at_.registers[i],
                               [&](unsigned r) { return r == at_.registers[i][0]; });
  }

  unsigned templates() const {
    unsigned count = 0;
    std::set<unsigned> keys;
    for (unsigned i = 0; i < row_.operations.size(); ++i) {
      if (!computes(row_.operations[i]) || !is_carried(i)) continue;
      const unsigned key = row_.operations[i].template_key;
      count += key == kNone || keys.insert(key).second ? 1 : 0;
    }
    return count;
  }

  struct Start {
    unsigned operation;
    bool hidden;
  };

  void place_row(unsigned k) {
    const unsigned offset = k * at_.interval;
    for (unsigned i = 0; i < row_.operations.size(); ++i) {
      const Operation& operation = row_.operations[i];
      const unsigned time = offset + at_.time[i];
      const unsigned busy = operation.unit == Unit::Load ? 1 : operation.busy;
      if (!is_carried(i)) issue(time, busy);
      if (operation.unit != Unit::Load) units_[{operation.unit, time}].push_back({i, is_hidden(i)});
    }
    for (const Macro& macro : at_.macros) {
      if (macro.load == kNone) issue(offset + macro.time, 1);
    }
  }

  void issue(unsigned time, unsigned busy) {
    for (unsigned c = 0; c < busy; ++c) {
      if (!issued_.insert(time + c).second)
        fail(fmt::format("two instructions in cycle {}", time + c));
    }
  }

  bool works(Unit unit, unsigned time) const { return units_.contains({unit, time}); }

  void check_units() {
    for (const auto& [place, starts] : units_) {
      const auto [unit, time] = place;
      if (starts.size() > 1)
        fail(fmt::format("{} has two operations in cycle {}", unit_name(unit), time));
      if (row_.operations[starts.front().operation].alone) check_alone(time);
      if (unit == Unit::Simple) check_simple(starts.front(), time);
    }
  }

  void check_alone(unsigned time) {
    unsigned working = 0;
    for (const Unit unit : {Unit::Simple, Unit::Mad, Unit::Round, Unit::Store})
      working += works(unit, time) ? 1 : 0;
    if (working > 1) fail(fmt::format("an operation is not alone in cycle {}", time));
  }

  void check_simple(Start start, unsigned time) {
    const Operation& operation = row_.operations[start.operation];
    if (operation.blocks_mad && works(Unit::Mad, time))
      fail(fmt::format("MAD works in cycle {} of a swap", time));
    if (operation.busy == 2 && (works(Unit::Simple, time + 1) || works(Unit::Round, time + 1)))
      fail(fmt::format("a swap is not alone in cycle {}", time + 1));
    const auto round = units_.find({Unit::Round, time});
    if (round != units_.end() && round->second.front().hidden == start.hidden)
      fail(fmt::format("Simple and Round both write in cycle {}", time));
  }

  /// A register in a cycle: whose value it holds, from the cycle behind the write on.
  void check_registers() {
    for (unsigned k = 0; k < rows_; ++k) {
      for (unsigned i = 0; i < row_.operations.size(); ++i) hold(k, i);
      for (unsigned m = 0; m < at_.macros.size(); ++m) {
        const Macro& macro = at_.macros[m];
        const unsigned written = k * at_.interval + macro.time + 1;
        if (macro.load == kNone)
          take(macro.registers[k % at_.copies], written, written, {k, kNone - m});
      }
    }
  }

  void hold(unsigned k, unsigned i) {
    const Operation& operation = row_.operations[i];
    if (operation.unit == Unit::Store || !operation.has_result) return;
    unsigned last = at_.time[i] + operation.latency;
    for (unsigned r = 0; r < row_.operations.size(); ++r) {
      if (std::ranges::find(row_.operations[r].operands, i) != row_.operations[r].operands.end())
        last = std::max(last, at_.time[r]);
    }
    const unsigned offset = k * at_.interval;
    constexpr unsigned kHiddenRegister = 16;
    if (is_hidden(i))
      return take(kHiddenRegister, offset + at_.time[i] + operation.latency, offset + last, {k, i});
    take(at_.registers[i][k % at_.copies], offset + at_.time[i] + 1, offset + last, {k, i});
    if (is_carried(i) || !computes(operation)) return;
    const unsigned clobbered = operation.issued[at_.form[i]].clobbered;
    if (clobbered != kNone)
      take(at_.registers[operation.operands[clobbered]][k % at_.copies], offset + at_.time[i] + 1,
           offset + at_.time[i] + operation.latency, {k, kNone / 2 - i});
  }

  using Holder = std::pair<unsigned, unsigned>; ///< row, value
  void take(unsigned lreg, unsigned first, unsigned last, Holder holder) {
    if (lreg == kNone) return fail("a value has no register");
    for (unsigned cycle = first; cycle <= last; ++cycle) {
      const auto [place, is_new] = held_.try_emplace({lreg, cycle}, holder);
      if (!is_new && place->second != holder)
        fail(fmt::format("LReg[{}] has two values in cycle {}", lreg, cycle));
    }
  }

  const Row& row_;
  const MachineModel& machine_;
  const Placement& at_;
  unsigned rows_ = 0;
  std::string mistake_;
  std::set<unsigned> issued_;
  std::map<std::pair<Unit, unsigned>, std::vector<Start>> units_;
  std::map<std::pair<unsigned, unsigned>, Holder> held_;
};

} // namespace

bool computes(const Operation& operation) {
  return operation.unit != Unit::Load && operation.unit != Unit::Store;
}

std::string unit_name(Unit unit) {
  switch (unit) {
    case Unit::Load: return "Load";
    case Unit::Simple: return "Simple";
    case Unit::Mad: return "MAD";
    case Unit::Round: return "Round";
    case Unit::Store: return "Store";
    case Unit::Immediate: return "Load of immediates";
  }
  return {};
}

unsigned last_issue(const Row& row, const Placement& placement) {
  unsigned last = 0;
  for (unsigned i = 0; i < row.operations.size(); ++i) {
    if (row.operations[i].unit == Unit::Load || placement.carrier[i] == kNone)
      last = std::max(last, placement.time[i]);
  }
  for (const Macro& macro : placement.macros) last = std::max(last, macro.time);
  return last;
}

std::string find_mistake(const Row& row, const MachineModel& machine, const Placement& placement) {
  return Examiner(row, machine, placement).find();
}

} // namespace lanewise::tune
