#include "run/oracle/random_kernel.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "chip/machine/vector/vector_state.h"
#include "run/oracle/kernel_writer.h"
#include "run/oracle/random_expression.h"
#include "run/oracle/random_raw.h"

namespace lanewise::oracle {

namespace {

using compiler::Value;
using isa::Op;

class KernelMaker {
 public:
  KernelMaker(Arch arch, std::uint64_t seed, const RandomKernelOptions& options)
      : chip_(arch_params(arch)),
        is_narrow_(has_narrow_lanes(arch)),
        writer_(arch, "random"),
        dice_(seed),
        options_(options),
        expressions_(writer_, dice_, variables_, options),
        words_(writer_, dice_) {}

  compiler::Recording run() {
    if (options_.lregs) read_lregs();
    left_ = options_.statements;
    while (left_ > 0) statement();
    next_line();
    if (options_.raw_words && options_.lregs && !is_narrow_) raw_lregs(); // in every kernel
    store_all();
    return writer_.take();
  }

 private:
  void next_line() { writer_.line(++line_); }

  // ---------------------------------------------------------------- Registers at hand
  unsigned stack_entries() const { return chip_.vector.usable_flag_stack; }

  /// Free LRegs beside the variables and what raw words hold.
  unsigned budget() const {
    return chip_.vector.lregs - held_ - static_cast<unsigned>(variables_.size());
  }

  /// Variables that will not be used any more, so that there is room for `needed` others.
  void make_room(unsigned needed) {
    while (budget() < needed) forget(dice_.below(static_cast<unsigned>(variables_.size())));
  }
  void forget(unsigned index) {
    variables_.erase(variables_.begin() + static_cast<std::ptrdiff_t>(index));
    for (std::size_t& first : scope_begin_) {
      if (first > index) --first;
    }
  }

  void declare(Value value) {
    const std::uint32_t here = writer_.context();
    variables_.push_back({.value = value, .declared = here, .defined_in = here});
  }

  void assign(Variable& variable, Value value) {
    const std::uint32_t here = writer_.context();
    variable.value = writer_.assign(variable.value, value, variable.declared);
    // Two contexts apart have lanes that one of them lacks; what is known is the newer one.
    const bool keeps_more =
        variable.has_value && compiler::is_within(writer_.recording(), here, variable.defined_in);
    if (!keeps_more) variable.defined_in = here;
    variable.has_value = true;
  }

  /// A variable that may be assigned here: every one in scope.
  Variable& any_variable() {
    return variables_[dice_.below(static_cast<unsigned>(variables_.size()))];
  }

  bool is_usable(const Variable& variable) const {
    return variable.has_value && writer_.is_within(variable.defined_in);
  }

  // ---------------------------------------------------------------- Statements
  void statement() {
    if (left_ > 0) --left_;
    next_line();
    const bool full = variables_.size() >= options_.max_live;
    switch (dice_.below(20)) {
      case 0:
      case 1:
      case 2:
        if (!full) return declare(expressions_.vector(budget()));
        [[fallthrough]];
      case 3:
      case 4:
      case 5:
      case 6:
        if (!variables_.empty()) return assignment();
        return declare(expressions_.leaf());
      case 7:
      case 8:
      case 9: return store();
      case 10:
      case 11:
      case 12:
      case 13: return chain();
      case 14: return block();
      case 15: return condition_value();
      case 16: return is_narrow_ ? store() : swap();
      case 17: return is_narrow_ ? store() : programmable_constant();
      case 18: return options_.fixed_registers ? fixed_register_operation() : store();
      default: return raw_statement();
    }
  }

  void assignment() {
    const Value value = expressions_.vector(budget());
    assign(any_variable(), value);
  }

  void store() {
    constexpr unsigned kModes = 10; // 0 .. 9; 10 ignores the predicate
    const Value value = dice_.one_in(2) ? expressions_.leaf() : expressions_.vector(budget());
    if (is_narrow_) return writer_.store(value, expressions_.dst_address(), 2 * dice_.below(2));
    const unsigned mode = dice_.one_in(3) ? 0 : dice_.below(kModes);
    writer_.store(value, expressions_.dst_address(), dice_.one_in(12) ? 12 + dice_.below(4) : mode);
  }

  void condition_value() {
    constexpr unsigned kOwnEntry = 1; // the lanes are narrowed for a while
    if (budget() < ExpressionMaker::kConditionBudget + 1 || depth_ + kOwnEntry >= stack_entries()) {
      return store();
    }
    const Value condition =
        expressions_.condition(budget() - 1, stack_entries() - depth_ - kOwnEntry - 1);
    const Value value = writer_.from_condition(condition);
    if (variables_.size() < options_.max_live) return declare(value);
    assign(any_variable(), value);
  }

  void swap() {
    std::vector<unsigned> usable;
    for (unsigned i = 0; i < variables_.size(); ++i) {
      if (is_usable(variables_[i])) usable.push_back(i);
    }
    if (usable.size() < 2 || budget() < 3) return store();
    const unsigned first = dice_.below(static_cast<unsigned>(usable.size()));
    const unsigned step = 1 + dice_.below(static_cast<unsigned>(usable.size()) - 1);
    Variable& a = variables_[usable[first]];
    Variable& b = variables_[usable[(first + step) % usable.size()]];
    constexpr unsigned kModes = 10;
    const Value both = writer_.two_address(Op::SFPSWAP, dice_.below(kModes), b.value, a.value);
    const Value new_b = writer_.result(both, 0);
    const Value new_a = writer_.result(both, 1);
    assign(a, new_a);
    if (!dice_.one_in(4)) assign(b, new_b); // now and then only one result is wanted
  }

  void programmable_constant() {
    constexpr unsigned kFirst = 12, kCount = 3;
    make_room(2); // the value must come to LReg[0], whatever is there
    writer_.write_const(kFirst + dice_.below(kCount), expressions_.vector(budget() - 1));
  }

  // ---------------------------------------------------------------- Predicates
  void begin_scope() { scope_begin_.push_back(variables_.size()); }
  void end_scope() {
    variables_.resize(scope_begin_.back());
    scope_begin_.pop_back();
  }

  void body() {
    begin_scope();
    if (variables_.size() < options_.max_live && dice_.one_in(6)) {
      variables_.push_back({.value = writer_.undefined(),
                            .declared = writer_.context(),
                            .defined_in = 0,
                            .has_value = false});
    }
    const unsigned statements = 1 + dice_.below(4);
    for (unsigned i = 0; i < statements && left_ > 0; ++i) {
      if (dice_.one_in(10)) narrow();
      statement();
    }
    end_scope();
  }

  bool has_room_for_condition() {
    make_room(ExpressionMaker::kConditionBudget);
    return depth_ < std::min(options_.max_depth, stack_entries() - 1);
  }

  /// Entries of the flag stack that a condition may take after `pushes` more of its own.
  unsigned free_levels(unsigned pushes) const {
    return stack_entries() - std::min(stack_entries(), depth_ + pushes);
  }

  void begin_if() {
    const Value condition = expressions_.condition(budget(), free_levels(1));
    writer_.begin_if(condition);
    ++depth_;
  }

  /// v_if, any number of v_elseif, perhaps v_else.
  void chain() {
    if (!has_room_for_condition()) return store();
    std::uint32_t around = writer_.context(); ///< of the innermost v_if
    unsigned opened = 1;                      ///< flag stack entries
    std::vector<int> ends{1};                 ///< conditions of each EndIf, the outermost first
    begin_if();
    body();
    while (dice_.one_in(3) && has_room_for_condition()) {
      next_line();
      if (dice_.one_in(3)) {
        writer_.else_if(expressions_.condition_for_else(around));
        ++depth_;
        ++ends.back();
      } else { // as sfpi.h has it: the condition is computed in the lanes that are left
        writer_.begin_else();
        around = writer_.context();
        begin_if();
        ends.push_back(1);
      }
      ++opened;
      body();
    }
    if (dice_.one_in(2)) {
      next_line();
      writer_.begin_else();
      body();
    }
    for (; !ends.empty(); ends.pop_back()) writer_.end_if(ends.back());
    depth_ -= opened;
  }

  void block() {
    if (!has_room_for_condition()) return store();
    writer_.begin_block();
    ++depth_;
    if (dice_.one_in(2)) narrow();
    body();
    writer_.end_block();
    --depth_;
  }

  void narrow() {
    constexpr unsigned kOwnEntry = 1; // what cannot be narrowed to goes over a register
    if (depth_ == 0 || depth_ + kOwnEntry >= stack_entries()) return;
    make_room(ExpressionMaker::kConditionBudget + 1);
    writer_.narrow(expressions_.condition(budget() - 1, free_levels(kOwnEntry) - 1));
  }

  // ---------------------------------------------------------------- Fixed registers
  void fixed_register_operation() {
    if (is_narrow_) return narrow_table();
    switch (dice_.below(4)) {
      case 0: return transpose();
      case 1: return table_of_six();
      default: return table_of_three();
    }
  }

  /// LReg[0..3] take the operands, LReg[4..7] are lost: nothing else stays.
  void transpose() {
    constexpr unsigned kRows = 4;
    if (writer_.context() != 0) return store();
    make_room(kWritableLRegs - kRows);
    std::vector<Value> rows;
    for (const Variable& variable : variables_) rows.push_back(variable.value);
    while (rows.size() < kRows) rows.push_back(writer_.load(expressions_.dst_address()));
    variables_.clear();
    const Value all = writer_.instruction(Op::SFPTRANSP, 0, 0,
                                          {{0, rows[0]}, {1, rows[1]}, {2, rows[2]}, {3, rows[3]}});
    std::vector<Value> results;
    for (unsigned i = 0; i < kRows; ++i) results.push_back(writer_.result(all, i));
    for (const Value result : results) {
      if (variables_.size() < options_.max_live) declare(result);
    }
  }

  /// Grayskull's SFPLUT takes all LRegs, and leaves its result where its input was.
  void narrow_table() {
    make_room(chip_.vector.lregs);
    const Value input = expressions_.leaf();
    const Value a = expressions_.leaf(), b = expressions_.leaf(), c = expressions_.leaf();
    constexpr unsigned kOffsets[] = {0, 1, 3}; // none, 0.5, -0.5
    const unsigned mode = kOffsets[dice_.below(3)] | (dice_.one_in(2) ? 4U : 0U);
    use(writer_.instruction(Op::SFPLUT, mode, 0, {{0, a}, {1, b}, {2, c}, {3, input}}));
  }

  void table_of_three() {
    constexpr unsigned kNeeded = 6; // three entries, input, LReg[7], and one for moves
    make_room(kNeeded);
    const Value input = expressions_.leaf();
    const Value a = expressions_.leaf(), b = expressions_.leaf(), c = expressions_.leaf();
    const unsigned retains_sign = dice_.one_in(2) ? 4 : 0;
    const bool packed = dice_.one_in(2);
    constexpr unsigned kPackedTable = 10;
    use(writer_.instruction(packed ? Op::SFPLUTFP32 : Op::SFPLUT,
                            retains_sign | (packed ? kPackedTable : 0), 0,
                            {{0, a}, {1, b}, {2, c}, {3, input}}));
  }

  void table_of_six() {
    make_room(kWritableLRegs);
    std::vector<Value> entries;
    for (unsigned i = 0; i < 7; ++i) entries.push_back(expressions_.leaf());
    constexpr unsigned kModes[] = {0, 2, 3}; // FP32 entries, FP16 ones with either cut
    const unsigned retains_sign = dice_.one_in(2) ? 4 : 0;
    use(writer_.instruction(Op::SFPLUTFP32, kModes[dice_.below(3)] | retains_sign, 0,
                            {{0, entries[0]},
                             {1, entries[1]},
                             {2, entries[2]},
                             {3, entries[3]},
                             {4, entries[4]},
                             {5, entries[5]},
                             {6, entries[6]}}));
  }

  void use(Value value) {
    if (variables_.size() < options_.max_live) return declare(value);
    writer_.store(value, expressions_.dst_address());
  }

  // ---------------------------------------------------------------- Words and registers
  void raw_statement() {
    if (options_.lregs && dice_.one_in(4)) return loaded_lreg();
    if (!options_.raw_words) return store();
    if (is_narrow_) return writer_.advance(chip_.vector.dst_rows_per_access);
    constexpr std::uint32_t kStep = 2;
    switch (dice_.below(8)) {
      case 4: return raw_flags();
      case 5:
      case 6:
      case 7: return options_.lregs ? raw_lregs() : raw_flags();
      case 0: return writer_.raw(Op::SFPNOP, {});
      case 1: {
        const std::uint32_t slot = dice_.below(30);
        writer_.raw(Op::REPLAY,
                    {{"Index", slot}, {"Count", 2}, {"Exec", dice_.below(2)}, {"Load", 1}});
        writer_.raw(Op::INCRWC, {{"DstInc", kStep}});
        writer_.raw(Op::INCRWC, {{"DstInc", 2 * kStep}});
        return writer_.raw(Op::REPLAY, {{"Index", slot}, {"Count", 2}});
      }
      default: return writer_.advance(kStep);
    }
  }

  /// A word that loads an LReg, and SFPI that takes it over. Under a predicate it would load some
  /// lanes only, and the LReg be in use since the word before that loaded the others.
  void loaded_lreg() {
    if (writer_.context() != 0) return store();
    const unsigned most_others = chip_.vector.lregs / 2U;
    make_room(chip_.vector.lregs - most_others);
    const unsigned lreg = dice_.below(chip_.vector.lregs);
    constexpr std::uint32_t kShort = 4;
    writer_.raw(Op::SFPLOADI, {{"VD", lreg}, {"Mod0", kShort}, {"Imm16", dice_.bits() & 0xFFFF}});
    use(writer_.read_lreg(lreg));
  }

  /// Lanes are switched off by a word, what SFPI stores meanwhile reaches the others only.
  void raw_flags() {
    constexpr unsigned kOwnEntry = 1;
    if (depth_ + kOwnEntry >= stack_entries()) return store();
    words_.load(0);
    // Out of any v_if, all lanes can be switched on again without the stack.
    const bool with_stack = writer_.context() != 0 || dice_.one_in(2);
    if (with_stack) words_.push();
    narrowed_by_words(with_stack);
    with_stack ? words_.pop() : words_.all_lanes();
  }

  /// With an entry on the stack, the lanes that it has and that are off can change places.
  void narrowed_by_words(bool has_entry) {
    const unsigned steps = 1 + dice_.below(4);
    words_.narrow();
    for (unsigned i = 0; i < steps; ++i) {
      switch (dice_.below(words_.lregs().empty() ? 3 : 6)) {
        case 0: store(); break;
        case 1: words_.narrow(); break;
        case 2:
          if (has_entry) words_.complement();
          break;
        default: words_.compute(); break;
      }
    }
  }

  /// Words that compute on LRegs of their own, SFPI between them, and what they left.
  void raw_lregs() {
    constexpr unsigned kMostLRegs = 3, kForSfpi = 3, kSteps = 10;
    if (writer_.context() != 0) return raw_flags(); // see loaded_lreg()
    const unsigned count = 1 + dice_.below(kMostLRegs);
    make_room(count + kForSfpi);
    words_.load(count);
    held_ = count;
    for (unsigned left = 1 + dice_.below(kSteps); left > 0; --left) {
      switch (dice_.below(8)) {
        case 0:
          store(); // between words; a variable's own value may go by as well
          break;
        case 1:
          words_.push();
          narrowed_by_words(true);
          words_.pop();
          break;
        case 2: words_.record_and_replay(); break;
        default: words_.compute(); break;
      }
    }
    held_ = 0;
    for (const unsigned lreg : words_.lregs()) {
      if (dice_.one_in(4)) continue; // what is not read again is lost
      if (budget() > 1) use(writer_.read_lreg(lreg));
    }
  }

  void read_lregs() {
    const unsigned count = dice_.below(std::min(options_.max_live, 3U) + 1);
    std::uint32_t taken = 0;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned lreg = dice_.below(chip_.vector.lregs);
      if ((taken >> lreg & 1U) != 0) continue;
      taken |= 1U << lreg;
      declare(writer_.read_lreg(lreg));
    }
  }

  /// What has been computed must matter.
  void store_all() {
    constexpr unsigned kInt32 = 4, kNarrowInt = 2;
    std::int32_t address = 0;
    for (const Variable& variable : variables_) {
      if (!is_usable(variable)) continue;
      writer_.store(variable.value, chip_.vector.dst_rows_per_access * address++,
                    is_narrow_ ? kNarrowInt : kInt32);
    }
    if (!options_.lregs || dice_.one_in(2)) return;
    std::uint32_t written = 0;
    for (const Variable& variable : variables_) {
      const unsigned lreg = dice_.below(chip_.vector.lregs);
      if (!is_usable(variable) || (written >> lreg & 1U) != 0) continue;
      written |= 1U << lreg;
      writer_.write_lreg(lreg, variable.value);
    }
  }

  const ArchParams& chip_;
  bool is_narrow_; ///< Grayskull, which lacks most
  KernelWriter writer_;
  Dice dice_;
  const RandomKernelOptions options_;
  std::vector<Variable> variables_;
  std::vector<std::size_t> scope_begin_; ///< the first variable of each open scope
  ExpressionMaker expressions_;
  RawWordMaker words_;
  unsigned held_ = 0;  ///< LRegs that raw words use at the moment
  unsigned depth_ = 0; ///< entries on the flag stack
  unsigned left_ = 0;  ///< statements
  std::uint32_t line_ = 0;
};

} // namespace

compiler::Recording random_kernel(Arch arch, std::uint64_t seed,
                                  const RandomKernelOptions& options) {
  return KernelMaker(arch, seed, options).run();
}

} // namespace lanewise::oracle
