#include "study/tune/block_registers.h"

#include <algorithm>
#include <array>
#include <optional>

namespace lanewise::tune {

namespace {

/// What a register holds from an instruction that overwrites it to the last one that reads it.
struct Value {
  unsigned lreg = 0;                 ///< as the author has it
  std::uint32_t first = 0, last = 0; ///< steps
  bool is_fixed = false;             ///< it must stay in this register
};

/// Where a step names a value.
struct Naming {
  std::uint32_t step = 0;
  const isa::Field* field = nullptr;
  std::size_t value = 0;
};

class Renamer {
 public:
  Renamer(Arch arch, std::span<const BlockStep> steps, StateSet kept)
      : steps_(steps.begin(), steps.end()) {
    for (unsigned i = 0; i < kWritableLRegs; ++i) {
      current_[i] = values_.size();
      values_.push_back({.lreg = i, .first = 0, .last = 0, .is_fixed = true});
    }
    for (std::uint32_t i = 0; i < steps_.size(); ++i) find_values(arch, i);
    for (unsigned i = 0; i < kWritableLRegs; ++i)
      if ((kept >> i & 1U) != 0) fix(current_[i], static_cast<std::uint32_t>(steps_.size()));
  }

  std::vector<BlockStep> run() {
    if (!assign()) return steps_;
    std::vector<BlockStep> renamed = steps_;
    for (BlockStep& step : renamed) {
      step.reads &= ~state_part::kValueLRegs;
      step.writes &= ~state_part::kValueLRegs;
      step.kills &= ~state_part::kValueLRegs;
    }
    for (const Naming& each : namings_)
      renamed[each.step].word =
          with_register(renamed[each.step].word, *each.field, registers_[each.value]);
    for (std::size_t i = 0; i < renamed.size(); ++i) {
      renamed[i].reads |= moved(steps_[i].reads, before_[i]);
      renamed[i].writes |= moved(steps_[i].writes, after_[i]);
      renamed[i].kills |= moved(steps_[i].kills, after_[i]);
    }
    return renamed;
  }

 private:
  using Current = std::array<std::size_t, kWritableLRegs>; ///< the value in each register

  void fix(std::size_t value, std::uint32_t step) {
    values_[value].is_fixed = true;
    values_[value].last = std::max(values_[value].last, step);
  }

  void find_values(Arch arch, std::uint32_t i) {
    const BlockStep& step = steps_[i];
    WordRegisters registers = registers_of(arch, step.word, false);
    StateSet fixed = registers.fixed_reads | registers.fixed_writes;
    // What the fields do not explain are index registers.
    StateSet named = fixed;
    for (const RegisterField& each : registers.fields)
      named |= 1U << each.field->extract(step.word);
    if (((step.reads | step.writes) & state_part::kValueLRegs & ~named) != 0)
      fixed = state_part::kValueLRegs;
    before_.push_back(current_);
    for (const RegisterField& each : registers.fields)
      if (each.is_read) name(i, *each.field, false);
    touch_fixed(i, fixed & (step.reads | step.writes));
    for (unsigned lreg = 0; lreg < kWritableLRegs; ++lreg) {
      if ((step.writes >> lreg & 1U) == 0) continue;
      if ((step.kills >> lreg & 1U) != 0 && (fixed >> lreg & 1U) == 0) {
        current_[lreg] = values_.size();
        values_.push_back({.lreg = lreg, .first = i, .last = i});
      }
      values_[current_[lreg]].last = std::max(values_[current_[lreg]].last, i);
    }
    for (const RegisterField& each : registers.fields)
      if (each.is_written && !each.is_read) name(i, *each.field, true);
    touch_fixed(i, fixed & (step.reads | step.writes));
    after_.push_back(current_);
  }

  void touch_fixed(std::uint32_t step, StateSet registers) {
    for (unsigned lreg = 0; lreg < kWritableLRegs; ++lreg)
      if ((registers >> lreg & 1U) != 0) fix(current_[lreg], step);
  }

  void name(std::uint32_t step, const isa::Field& field, bool is_result) {
    const unsigned lreg = field.extract(steps_[step].word);
    if (lreg >= kWritableLRegs) return;
    Value& value = values_[current_[lreg]];
    value.last = std::max(value.last, step);
    // A result that nothing says to be written keeps its register.
    if (is_result && (steps_[step].writes >> lreg & 1U) == 0) value.is_fixed = true;
    namings_.push_back({step, &field, current_[lreg]});
  }

  /// Values in the order in which they begin; those that are fixed come first of all.
  bool assign() {
    registers_.assign(values_.size(), kWritableLRegs);
    std::array<std::vector<const Value*>, kWritableLRegs> taken;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (!values_[i].is_fixed) continue;
      registers_[i] = values_[i].lreg;
      taken[values_[i].lreg].push_back(&values_[i]);
    }
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i].is_fixed) continue;
      const auto best = longest_free(values_[i], taken);
      if (!best) return false;
      registers_[i] = *best;
      taken[*best].push_back(&values_[i]);
    }
    return true;
  }

  /// A value may begin with the instruction that is the last one to read another.
  static bool are_apart(const Value& one, const Value& other) {
    return one.last <= other.first || other.last <= one.first;
  }

  static std::optional<unsigned> longest_free(
      const Value& value, const std::array<std::vector<const Value*>, kWritableLRegs>& taken) {
    std::optional<unsigned> best;
    std::int64_t best_end = 0;
    for (unsigned lreg = 0; lreg < kWritableLRegs; ++lreg) {
      std::int64_t end = -1; // of the value before it
      bool fits = true;
      for (const Value* other : taken[lreg]) {
        fits = fits && are_apart(value, *other);
        if (other->last <= value.first) end = std::max<std::int64_t>(end, other->last);
      }
      if (!fits || (best && end >= best_end)) continue;
      best = lreg;
      best_end = end;
    }
    return best;
  }

  StateSet moved(StateSet set, const Current& current) const {
    StateSet result = set & ~state_part::kValueLRegs;
    for (unsigned lreg = 0; lreg < kWritableLRegs; ++lreg)
      if ((set >> lreg & 1U) != 0) result |= 1U << registers_[current[lreg]];
    return result;
  }

  std::vector<BlockStep> steps_;
  std::vector<Value> values_;
  std::vector<unsigned> registers_; ///< of each value
  Current current_{};
  std::vector<Current> before_, after_; ///< each step
  std::vector<Naming> namings_;
};

} // namespace

std::vector<BlockStep> with_other_registers(Arch arch, std::span<const BlockStep> steps,
                                            StateSet kept) {
  return Renamer(arch, steps, kept).run();
}

} // namespace lanewise::tune
