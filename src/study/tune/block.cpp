#include "study/tune/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "base/source_line.h"
#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"
#include "chip/machine/executor.h"
#include "chip/timing/access.h"
#include "run/execution/tile_runner.h"
#include "study/tune/block_registers.h"
#include "study/tune/block_writer.h"
#include "study/tune/follow.h"

namespace lanewise::tune {

namespace {

/// Half of what a core's code may take: tt-llk's linker scripts leave 16 KiB to each, and a pushed
/// word is an instruction of four bytes.
constexpr std::uint64_t kMostWords = 16 * 1024 / 4 / 2;

ProgramPart part_of(const Program& program, const Supply& supply) {
  return part_of_line(program.words[supply.word].line);
}

/// Counters and configuration, which no tile influences.
bool sets_configuration(const MachineState& state, const MicroOp& op) {
  if ((isa::parts_written(op.op) & isa::part::kConfig) == 0) return false;
  MachineState after = state;
  execute(after, std::span(&op, 1));
  return !(after.config == state.config);
}

class TileSplitter {
 public:
  TileSplitter(const Plain& plain, const execution::TimedProgram& timed)
      : plain_(plain), timed_(timed), tile_{.start = timed.start} {}

  Expected<TileProgram> run() {
    if (!plain_.program.config.empty())
      return refuse("it begins with a configuration of its own (.cfg)", "set it where it is used",
                    plain_.program.config.front().line);
    const std::vector<ProgramWord>& words = plain_.program.words;
    const bool has_mops = !plain_.program.mop.empty();
    for (const ProgramWord& each : words) {
      const bool is_init = part_of_line(each.line) == ProgramPart::Init;
      if (is_init && has_mops &&
          isa::opcode_of(each.word) == isa::find_row(plain_.arch, isa::Op::MOP)->opcode)
        return refuse("what runs once is brought by a MOP", "push it word by word", each.line);
      if (is_init) tile_.init.push_back(each.word);
      if (part_of_line(each.line) == ProgramPart::Tile) ++tile_.pushed;
    }
    MachineState state = timed_.start;
    bool has_begun = false; // the tile
    for (std::size_t i = 0; i < timed_.program.ops.size(); ++i) {
      const MicroOp& op = timed_.program.ops[i];
      const ProgramPart part = part_of(plain_.program, timed_.program.supply[i]);
      if (part == ProgramPart::Init && has_begun)
        return refuse("what runs once comes behind a part of the tile",
                      "call its init function first", op.line);
      if (part != ProgramPart::Init && !has_begun) {
        has_begun = true;
        tile_.start = state;
      }
      if (has_begun) add(op, part, state);
      execute(state, std::span(&op, 1));
    }
    if (!keeps_configuration())
      return refuse("it leaves another configuration than it has found", "set it once", 0);
    return std::move(tile_);
  }

 private:
  void add(const MicroOp& op, ProgramPart part, const MachineState& state) {
    const bool is_vector = timing::is_vector(plain_.arch, op);
    if (is_vector && !first_) first_ = last_ = state;
    if (!is_vector && sets_configuration(state, op)) {
      if (!first_) tile_.setup.push_back(op.word);
      // What the library sets around its functions it sets for each of them.
      if (first_ && part != ProgramPart::Around) execute(*last_, std::span(&op, 1));
    }
    tile_.ops.push_back(op);
  }

  /// Another tile must find the same, but for the place in Dst, which the library sets for each.
  bool keeps_configuration() {
    if (!first_) return true;
    for (MachineState* state : {&*first_, &*last_})
      state->config.set(isa::ConfigField::DEST_TARGET_REG_CFG_MATH_Offset, 0);
    return first_->config == last_->config;
  }

  const Plain& plain_;
  const execution::TimedProgram& timed_;
  TileProgram tile_;
  /// In front of the first instruction of the Vector Unit, and with what the tile sets behind it.
  std::optional<MachineState> first_, last_;
};

/// The value of an AddrMod field with which accesses move no counter.
std::optional<unsigned> still_addr_mod(const MachineState& state) {
  const unsigned bits = arch_params(state.config.arch()).front_end.addr_mod_bits;
  for (unsigned field = 1U << bits; field-- > 0;) {
    const AddrModWords words = state.config.addr_mod_words(field, state.rwc);
    if ((words.ab | words.dst | words.bias) == 0) return field;
  }
  return std::nullopt;
}

/// A program with what repeats in it. Long parts cost cycles: they are for what is too long without
/// them.
Tuned short_enough(const BlockSource& source, OrderedBlock& block, bool replays) {
  Tuned tuned;
  for (const bool has_copy : {false, true}) {
    CounterMoves moves = counter_moves(source);
    moves.has_copy = has_copy;
    block.runs = find_runs(source.plain.arch, block.steps, block.order.slots, moves);
    tuned = write_block(source, block, replays);
    if (code_words(tuned) <= kMostWords) break;
  }
  return tuned;
}

/// The orders as programs, the best last; those that are too long are left out. The fewest words of
/// one's code.
std::size_t add_candidates(const BlockSource& source, std::span<OrderedBlock> orders,
                           std::vector<Tuned>& candidates) {
  std::size_t shortest = SIZE_MAX;
  // Those with replays come last, and so are taken first, as long as they are faster than the plain
  // program: what the core pushes in a loop costs more than the clock counts (timing T5).
  for (const bool replays : {false, true}) {
    std::vector<Tuned> all;
    for (OrderedBlock& each : orders) {
      Tuned tuned = short_enough(source, each, replays);
      const std::size_t words = code_words(tuned);
      shortest = std::min(shortest, words);
      if (words <= kMostWords) all.push_back(std::move(tuned));
    }
    std::ranges::stable_sort(all, std::greater<>(), &Tuned::predicted_cycles);
    std::ranges::move(all, std::back_inserter(candidates));
  }
  return shortest;
}

} // namespace

MachineState state_behind_setup(const TileProgram& tile) {
  MachineState state = tile.start;
  for (const std::uint32_t word : tile.setup) {
    const auto op = decode_micro_op(state.config.arch(), word, 0);
    if (op) execute(state, std::span(&*op, 1));
  }
  return state;
}

Expected<TileProgram> tile_program(const Plain& plain, formats::Format format) {
  const auto timed = execution::schedule_on_tile(plain.arch, plain.program,
                                                 {.format = format, .as_kernel = plain.as_kernel});
  if (!timed) return Unexpected(timed.error());
  return TileSplitter(plain, *timed).run();
}

Expected<BlockResult> tune_block(const Plain& plain, formats::Format format) {
  const auto tile = tile_program(plain, format);
  if (!tile) return Unexpected(tile.error());
  ValueTable table;
  const auto block = follow_block(table, tile->start, tile->ops);
  if (!block) return Unexpected(block.error());
  if (std::ranges::none_of(block->steps, &BlockStep::is_store))
    return refuse("the kernel stores nothing in Dst", "there is nothing to tune", 0);
  const StateSet kept = block->entry_reads & state_part::kValueLRegs;
  const std::vector<BlockStep> useful = without_useless_steps(block->steps, kept);
  BlockResult result{.candidates = {},
                     .bound = issue_cycles(plain.arch, useful) + tile->setup.size(),
                     .instructions = useful.size()};
  const auto addr_mod = still_addr_mod(state_behind_setup(*tile));
  if (!addr_mod) return refuse("every ADDR_MOD section moves a counter", "leave one at 0", 0);
  const BlockSource source{
      .plain = plain, .tile = *tile, .block = *block, .still_field = *addr_mod};
  std::vector<OrderedBlock> orders;
  for (const std::vector<BlockStep>& steps :
       {useful, with_other_registers(plain.arch, useful, kept)})
    orders.push_back({.steps = steps, .order = order_block(plain.arch, steps), .runs = {}});
  const std::size_t shortest = add_candidates(source, orders, result.candidates);
  if (result.candidates.empty())
    result.failure = fmt::format(
        "as a block it has {} words, which do not fit beside the rest of a kernel", shortest);
  return result;
}

} // namespace lanewise::tune
