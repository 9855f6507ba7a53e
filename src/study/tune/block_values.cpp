#include "study/tune/block_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "chip/isa/effects.h"
#include "chip/isa/fields.h"
#include "chip/machine/control.h"
#include "chip/machine/dst.h"
#include "chip/machine/executor.h"
#include "chip/timing/access.h"
#include "run/execution/row_access.h"
#include "study/tune/follow.h"
#include "study/tune/modes.h"

#include "chip/machine/dst_convert.h"

namespace lanewise::tune {

namespace {

using isa::Op;
using Description = std::vector<std::uint32_t>;

/// What a description is of.
enum class Made : std::uint32_t {
  Constant,
  AtFirst,  ///< what a part of the state was at the beginning
  Computed, ///< by an instruction
  Merged    ///< of two values, by the lanes that are enabled
};

/// Of descriptions: places in which nothing is read, and parts of results that are no LRegs.
constexpr std::uint32_t kNotRead = 0xFFFFFFFF;
enum class ResultPart : std::uint32_t {
  Field = 0,
  Fixed = 64,
  Flags = 128,
  Random,
  Configuration,
  Latch,
  Stack,
  Cell
};

constexpr ValueId kFalse = 0, kTrue = 1;

class BlockFollower {
 public:
  BlockFollower(ValueTable& table, const MachineState& start, StateSet configured)
      : arch_(start.config.arch()), table_(table), state_(start), first_counter_(start.rwc.dst) {
    for (unsigned i = 0; i < kLRegs; ++i) end_.lregs[i] = at_first(i);
    for (unsigned i = kWritableLRegs; i < kMacroLReg; ++i) {
      const auto constant = constant_of_machine(i);
      if (constant && (configured >> i & 1U) == 0) end_.lregs[i] = table_.constant(*constant);
    }
    flags() = start_flags(start.vector.flags, kFlagsAtFirst);
    use() = start_flags(start.vector.use_flags, kUseAtFirst);
    random() = at_first(kRandomAtFirst);
    configuration() = at_first(kConfigurationAtFirst);
    latch() = at_first(kLatchAtFirst);
    start_ = {flags(), use(), start.vector.switches};
  }

  Expected<void> follow(const MicroOp& op) {
    if (op.op == Op::SFPLOADMACRO)
      return refuse("it has macros of its own, and is no sequence of equal rows",
                    "tune its version without them", op.line);
    if (!timing::is_vector(arch_, op)) return follow_other(op);
    if (!first_offset_) first_offset_ = state_.config.dst_settings().offset;
    if (op.op == Op::SFPNOP || op.kernel == no_effect) return {};
    BlockStep step{.word = op.word, .line = op.line, .op = op.op};
    if (auto done = compute(op, step); !done) return done;
    block_.steps.push_back(std::move(step));
    return {};
  }

  /// Another tile must find the state that the first one has found.
  Expected<FollowedBlock> take() {
    if (start_.flags != flags() || start_.use != use() || start_.switches != state_.vector.switches)
      return refuse("it leaves other lanes enabled than it has found", "end it with SFPENCC", 0);
    block_.end = std::move(end_);
    block_.dst_counter = (state_.rwc.dst - first_counter_) & kDstAddressMask;
    return std::move(block_);
  }

 private:
  // Parts of the state behind the LRegs, as they were at first.
  static constexpr std::uint32_t kFlagsAtFirst = 100, kUseAtFirst = 101, kRandomAtFirst = 102,
                                 kConfigurationAtFirst = 103, kLatchAtFirst = 104,
                                 kStackAtFirst = 105, kCellAtFirst = 106;

  ValueId& flags() { return end_.others[0]; }
  ValueId& use() { return end_.others[1]; }
  ValueId& random() { return end_.others[2]; }
  ValueId& configuration() { return end_.others[3]; }
  ValueId& latch() { return end_.others[4]; }

  ValueId at_first(std::uint32_t part, std::uint32_t place = 0) {
    return table_.number({static_cast<std::uint32_t>(Made::AtFirst), part, place});
  }
  ValueId start_flags(std::uint32_t lanes, std::uint32_t part) {
    if (lanes != 0 && lanes != kAllLanes) return at_first(part);
    return table_.constant(lanes == 0 ? kFalse : kTrue);
  }
  bool is_true(ValueId value) const { return is_bits(value, kTrue); }
  bool is_false(ValueId value) const { return is_bits(value, kFalse); }
  bool is_bits(ValueId value, std::uint32_t bits) const {
    const std::uint32_t* constant = table_.find_constant(value);
    return constant != nullptr && *constant == bits;
  }
  bool are_all_enabled() { return is_true(flags()) || is_false(use()); }

  std::optional<std::uint32_t> constant_of_machine(unsigned lreg) const {
    const std::uint32_t* lanes = state_.vector.lreg[lreg];
    const bool same =
        std::all_of(lanes, lanes + kLanes, [&](std::uint32_t bits) { return bits == lanes[0]; });
    return same ? std::optional(lanes[0]) : std::nullopt;
  }
  /// Whether a register is a constant, and the machine's, too.
  bool is_machines(unsigned lreg) const {
    const std::uint32_t* constant = table_.find_constant(end_.lregs[lreg]);
    return constant != nullptr && constant_of_machine(lreg) == *constant;
  }

  // ------------------------------------------------------------------ other units
  /// Counters may move, and words of the configuration be set: the machine has both.
  Expected<void> follow_other(const MicroOp& op) {
    constexpr unsigned kHarmless = isa::part::kCounters | isa::part::kConfig | isa::part::kBanks;
    const unsigned written = isa::parts_written(op.op);
    const bool moves_counters = op.op == Op::SETRWC || op.op == Op::INCRWC;
    if ((written & ~kHarmless) != 0 || (!moves_counters && (written & isa::part::kBanks) != 0))
      return refuse(fmt::format("{} is between the Vector Unit's instructions",
                                isa::find_row(arch_, op.op)->mnemonic),
                    "tune the Vector Unit's part alone", op.line);
    execute(state_, std::span(&op, 1));
    return {};
  }

  // ------------------------------------------------------------------ values
  /// What an instruction is, apart from its registers and addresses, and what it reads.
  Description description(const MicroOp& op, const WordRegisters& registers,
                          const BlockStep& step) {
    const isa::Effects effects(arch_, op.word);
    std::uint32_t word = without_registers(op.word, registers);
    if (!step.cells.empty()) word = static_cast<std::uint32_t>(op.op);
    Description text{static_cast<std::uint32_t>(Made::Computed), word, configuration()};
    for (const RegisterField& each : registers.fields)
      text.push_back(each.is_read ? end_.lregs[each.field->extract(op.word)] : kNotRead);
    for (unsigned i = 0; i < kMacroLReg; ++i) {
      if ((registers.fixed_reads >> i & 1U) != 0) text.insert(text.end(), {i, end_.lregs[i]});
    }
    if ((step.reads & state_part::kRandom) != 0) text.push_back(random());
    if ((effects.parts_read() & isa::part::kLatch) != 0) text.push_back(latch());
    add_aliases(op, registers, text);
    return text;
  }

  /// Fields that name one register, where they are written: which one comes last.
  static void add_aliases(const MicroOp& op, const WordRegisters& registers, Description& text) {
    for (std::size_t i = 0; i < registers.fields.size(); ++i) {
      const RegisterField& one = registers.fields[i];
      const unsigned lreg = one.field->extract(op.word);
      if (one.is_written) text.push_back(lreg < kWritableLRegs ? 1 : 0);
      for (std::size_t j = 0; j < i; ++j) {
        const RegisterField& other = registers.fields[j];
        if (one.is_written && other.is_written)
          text.push_back(other.field->extract(op.word) == lreg ? 1 : 0);
      }
    }
  }

  ValueId result(const Description& text, ResultPart part, std::uint32_t which = 0) {
    Description all = text;
    all.push_back(static_cast<std::uint32_t>(part) + which);
    return table_.number(all);
  }

  ValueId merged(ValueId value, ValueId before, bool in_all_lanes) {
    if (in_all_lanes || value == before) return value;
    return table_.number({static_cast<std::uint32_t>(Made::Merged), value, before, flags(), use()});
  }

  void assign(ValueId& place, ValueId value, BlockStep& step) {
    step.changes_something = step.changes_something || place != value;
    place = value;
  }

  // ------------------------------------------------------------------ instructions
  Expected<void> compute(const MicroOp& op, BlockStep& step) {
    const isa::Effects effects(arch_, op.word);
    const bool tracks = tracks_index(op);
    const WordRegisters registers = registers_of(arch_, op.word, tracks);
    const bool in_all_lanes = are_all_enabled() || effects.lane_scope() == isa::LaneScope::All;
    step.reads = isa::lregs_read(arch_, op.word, tracks) | state_part::kConfiguration;
    if (effects.lane_scope() != isa::LaneScope::All) step.reads |= state_part::kFlags;
    step.writes = isa::lregs_written(arch_, op.word, tracks);
    if (effects.depends_on_random_numbers() || effects.steps_random_numbers())
      step.reads |= state_part::kRandom;
    if (auto found = find_cells(op, step); !found) return found;
    Description text = description(op, registers, step);
    add_cells(op, step, text);
    const bool is_special = op.op == Op::SFPMOV && (op.mod & mod::kMoveSpecial) != 0;
    const bool has_constants = !is_special && reads_constants(step) && are_all_enabled();
    if (auto fits = check_configuration(op, step, has_constants); !fits) return fits;
    note_entry(step);
    execute(state_, std::span(&op, 1));
    if (step.is_store) {
      store(text, step, in_all_lanes);
    } else {
      write_registers(op, registers, text, step, in_all_lanes, has_constants);
    }
    write_others(op, effects, text, step);
    overwritten_ |= step.kills;
    return {};
  }

  /// Whether index registers move as well (VU C33).
  bool tracks_index(const MicroOp& op) const {
    const LaneSwitches& switches = state_.vector.switches;
    return (op.op == Op::SFPSWAP ? switches.dest_index : switches.capture_index) != 0;
  }

  Expected<void> find_cells(const MicroOp& op, BlockStep& step) {
    if (!execution::is_access(op)) return {};
    const execution::RowAccess access = execution::access_of(state_, op);
    if (access.mode == DstMode::Int32All)
      return refuse("it accesses lanes of Dst that are disabled", "access them with flags",
                    op.line);
    step.is_store = access.is_store;
    const timing::DstPlace place = timing::dst_place_of(state_, op);
    const auto row = static_cast<std::uint32_t>(place.row);
    const unsigned column = place.odd ? 2 : 0;
    step.address = (row + column - *first_offset_ - first_counter_) & kDstAddressMask;
    step.cells.push_back({access.physical_row, access.is_odd});
    const bool wide = access.is_store ? store_is_32bit(access.mode) : is_32bit(access.mode);
    if (wide) step.cells.push_back({access.physical_row + kDstLowHalf, access.is_odd});
    return {};
  }

  ValueId cell_at_first(CellPlace place) {
    return at_first(kCellAtFirst, place.row * 2 + (place.is_odd ? 1 : 0));
  }
  ValueId cell(CellPlace place) {
    const auto found = end_.cells.find(place);
    return found == end_.cells.end() ? cell_at_first(place) : found->second;
  }

  void add_cells(const MicroOp& op, const BlockStep& step, Description& text) {
    if (step.cells.empty()) return;
    text.push_back(static_cast<std::uint32_t>(execution::access_of(state_, op).mode));
    if (step.is_store) return;
    for (const CellPlace place : step.cells) text.push_back(cell(place));
  }

  void store(const Description& text, BlockStep& step, bool in_all_lanes) {
    step.overwrites_cells = in_all_lanes;
    std::uint32_t which = 0;
    for (const CellPlace place : step.cells) {
      ValueId& stored = end_.cells.try_emplace(place, cell_at_first(place)).first->second;
      assign(stored, merged(result(text, ResultPart::Cell, which++), stored, in_all_lanes), step);
    }
  }

  bool reads_constants(const BlockStep& step) const {
    if (!step.cells.empty() || (step.reads & state_part::kRandom) != 0) return false;
    for (unsigned i = 0; i < kMacroLReg; ++i) {
      if ((step.reads >> i & 1U) != 0 && !is_machines(i)) return false;
    }
    return true;
  }

  /// The machine must have the configuration that the program has, since addresses and modes
  /// depend on it.
  Expected<void> check_configuration(const MicroOp& op, const BlockStep& step,
                                     bool has_constants) const {
    if (op.op != Op::SFPCONFIG || has_constants) return {};
    return refuse("its configuration depends on what it computes", "configure it with constants",
                  step.line);
  }

  void note_entry(const BlockStep& step) { block_.entry_reads |= step.reads & ~overwritten_; }

  void write_registers(const MicroOp& op, const WordRegisters& registers, const Description& text,
                       BlockStep& step, bool in_all_lanes, bool has_constants) {
    std::uint32_t which = 0;
    std::array<std::pair<unsigned, ValueId>, kLRegs> found{};
    std::size_t count = 0;
    for (const RegisterField& each : registers.fields) {
      const unsigned lreg = each.field->extract(op.word);
      if (!each.is_written || (step.writes >> lreg & 1U) == 0) continue;
      const ValueId value = computed(op, registers, text, which++, lreg, has_constants);
      found[count++] = {lreg, merged(value, end_.lregs[lreg], in_all_lanes)};
      if (in_all_lanes && !each.is_read) step.kills |= 1U << lreg;
    }
    // Which of these are written may depend on values.
    for (unsigned i = 0; i < kMacroLReg; ++i) {
      if ((registers.fixed_writes >> i & 1U) == 0) continue;
      Description with_before = text;
      with_before.push_back(end_.lregs[i]);
      const ValueId value = has_constants && op.op == Op::SFPCONFIG
                                ? table_.constant(*constant_of_machine(i))
                                : result(with_before, ResultPart::Fixed, i);
      found[count++] = {i, merged(value, end_.lregs[i], in_all_lanes)};
    }
    for (std::size_t i = 0; i < count; ++i)
      assign(end_.lregs[found[i].first], found[i].second, step);
  }

  ValueId computed(const MicroOp& op, const WordRegisters& registers, const Description& text,
                   std::uint32_t which, unsigned lreg, bool has_constants) {
    if (op.op == Op::SFPMOV && (op.mod & (mod::kMoveNegate | mod::kMoveSpecial)) == 0) {
      const auto source = std::ranges::find_if(registers.fields, &RegisterField::is_read);
      if (source != registers.fields.end()) return end_.lregs[source->field->extract(op.word)];
    }
    const auto constant = constant_of_machine(lreg);
    if (has_constants && constant && op.op != Op::SFPSHFT2) return table_.constant(*constant);
    return result(text, ResultPart::Field, which);
  }

  void write_others(const MicroOp& op, const isa::Effects& effects, Description text,
                    BlockStep& step) {
    if (effects.lane_change() != isa::LaneChange::None ||
        effects.stack_use() != isa::StackUse::None)
      change_lanes(op, effects, text, step);
    if (effects.steps_random_numbers()) {
      step.writes |= state_part::kRandom;
      assign(
          random(),
          table_.number({static_cast<std::uint32_t>(ResultPart::Random), random(), flags(), use()}),
          step);
    }
    text.insert(text.end(), {flags(), use()});
    if ((effects.parts_written() & isa::part::kLatch) != 0) {
      step.reads |= state_part::kShuffleLatch;
      step.writes |= state_part::kShuffleLatch;
      assign(latch(), result(text, ResultPart::Latch), step);
    }
    const bool configures = (op.op == Op::SFPCONFIG && (step.writes & state_part::kLRegs) == 0) ||
                            op.kernel == template_write;
    if (!configures) return;
    step.writes |= state_part::kConfiguration;
    text.push_back(op.word);
    assign(configuration(), result(text, ResultPart::Configuration), step);
  }

  // ------------------------------------------------------------------ flags
  void change_lanes(const MicroOp& op, const isa::Effects& effects, const Description& text,
                    BlockStep& step) {
    step.reads |= state_part::kFlags | state_part::kFlagStack;
    step.writes |= state_part::kFlags;
    if (op.op == Op::SFPENCC) return enable(op, step);
    if (effects.stack_use() != isa::StackUse::None) step.writes |= state_part::kFlagStack;
    if (op.op == Op::SFPPUSHC && effects.stack_use() == isa::StackUse::Push) {
      end_.stack.push_back({flags(), use()});
      step.changes_something = true;
      return;
    }
    if (op.op == Op::SFPPOPC && effects.stack_use() == isa::StackUse::Pop && !end_.stack.empty()) {
      flags() = end_.stack.back()[0];
      use() = end_.stack.back()[1];
      end_.stack.pop_back();
      step.changes_something = true;
      return;
    }
    change_all(text, step);
  }

  /// Flags and the whole stack may become anything that depends on what they were.
  void change_all(const Description& text, BlockStep& step) {
    Description all = text;
    all.insert(all.end(), {flags(), use()});
    if (end_.stack.empty()) all.push_back(at_first(kStackAtFirst));
    for (const auto& entry : end_.stack) all.insert(all.end(), {entry[0], entry[1]});
    std::uint32_t which = 0;
    assign(flags(), result(all, ResultPart::Flags, which++), step);
    if ((step.writes & state_part::kFlagStack) == 0) return;
    constexpr std::uint32_t kApart = 1000; // from the other parts of results
    assign(use(), result(all, ResultPart::Flags, kApart), step);
    for (auto& entry : end_.stack) {
      for (ValueId& each : entry)
        assign(each, result(all, ResultPart::Stack, kApart + ++which), step);
    }
  }

  void enable(const MicroOp& op, BlockStep& step) {
    using isa::kMode;
    constexpr std::uint32_t kUse = 1, kFlags = 2; // Imm2
    const auto immediate = static_cast<std::uint32_t>(op.immediate);
    if ((op.mod & kMode<Op::SFPENCC, "EI_R1">) != 0) {
      assign(use(), table_.constant((immediate & kUse) != 0 ? kTrue : kFalse), step);
    } else if ((op.mod & kMode<Op::SFPENCC, "EC_R1">) != 0) {
      assign(use(), complement(use()), step);
    }
    const bool is_given = (op.mod & kMode<Op::SFPENCC, "EU_RI">) != 0;
    const bool is_set = !is_given || (immediate & kFlags) != 0;
    assign(flags(), table_.constant(is_set ? kTrue : kFalse), step);
  }

  ValueId complement(ValueId value) {
    if (is_true(value)) return table_.constant(kFalse);
    if (is_false(value)) return table_.constant(kTrue);
    return table_.number({static_cast<std::uint32_t>(ResultPart::Flags), value});
  }

  Arch arch_;
  ValueTable& table_;
  MachineState state_;
  std::uint32_t first_counter_;
  std::optional<std::uint32_t> first_offset_; ///< of Dst, where the first instruction finds it
  BlockEnd end_;
  FollowedBlock block_;
  StateSet overwritten_ = 0;
  struct {
    ValueId flags, use;
    LaneSwitches switches;
  } start_{};
};

/// Registers of constants that the program sets.
StateSet configured_registers(Arch arch, std::span<const MicroOp> ops) {
  StateSet all = 0;
  for (const MicroOp& op : ops)
    if (op.op == Op::SFPCONFIG) all |= isa::lregs_written(arch, op.word, false);
  return all;
}

} // namespace

ValueId ValueTable::number(const Description& description) {
  return numbers_.try_emplace(description, static_cast<ValueId>(numbers_.size())).first->second;
}

ValueId ValueTable::constant(std::uint32_t bits) {
  const ValueId value = number({static_cast<std::uint32_t>(Made::Constant), bits});
  constants_.emplace(value, bits);
  return value;
}

const std::uint32_t* ValueTable::find_constant(ValueId value) const {
  const auto found = constants_.find(value);
  return found == constants_.end() ? nullptr : &found->second;
}

Expected<FollowedBlock> follow_block(ValueTable& table, const MachineState& start,
                                     std::span<const MicroOp> ops) {
  BlockFollower follower(table, start, configured_registers(start.config.arch(), ops));
  for (const MicroOp& op : ops) {
    if (auto done = follower.follow(op); !done) return Unexpected(done.error());
  }
  return follower.take();
}

std::string find_difference(const BlockEnd& expected, const BlockEnd& found, StateSet kept) {
  for (unsigned i = 0; i < kMacroLReg; ++i) {
    const bool counts = i >= kWritableLRegs || (kept >> i & 1U) != 0;
    if (counts && expected.lregs[i] != found.lregs[i])
      return fmt::format("LReg[{}] is another value at the end", i);
  }
  constexpr std::array kOthers{"the enabled lanes are", "the use of flags is",
                               "the state of random numbers is", "the configuration is",
                               "what SFPSHFT2 keeps is"};
  for (std::size_t i = 0; i < kOthers.size(); ++i)
    if (expected.others[i] != found.others[i])
      return fmt::format("{} another one at the end", kOthers[i]);
  if (expected.stack != found.stack) return "the flag stack is another one at the end";
  std::set<CellPlace> places;
  for (const auto* cells : {&expected.cells, &found.cells})
    for (const auto& [place, value] : *cells) places.insert(place);
  for (const CellPlace place : places) {
    const auto one = expected.cells.find(place), other = found.cells.find(place);
    if (one == expected.cells.end() || other == found.cells.end() || one->second != other->second)
      return fmt::format("row {} of Dst has another value in its {} columns", place.row,
                         place.is_odd ? "odd" : "even");
  }
  return {};
}

} // namespace lanewise::tune
