#include "study/tune/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
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
#include "study/tune/block_order.h"
#include "study/tune/block_registers.h"
#include "study/tune/block_runs.h"
#include "study/tune/follow.h"
#include "study/tune/words.h"

namespace lanewise::tune {

namespace {

/// A longer block does not fit into the memory of the core's code.
constexpr std::uint64_t kMostWords = 1024;

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

MachineState behind_setup(const TileProgram& tile) {
  MachineState state = tile.start;
  for (const std::uint32_t word : tile.setup) {
    const auto op = decode_micro_op(state.config.arch(), word, 0);
    if (op) execute(state, std::span(&*op, 1));
  }
  return state;
}

/// Whether the tile itself sets the section that would move the counter in runs.
bool sets_moving_section(Arch arch, const TileProgram& tile) {
  const isa::Field& which = isa::find_row(arch, isa::Op::SETC16)->fields()[0];
  const std::vector<std::uint32_t> own = moving_section_words(arch, 0);
  return std::ranges::any_of(tile.setup, [&](std::uint32_t word) {
    return std::ranges::any_of(
        own, [&](std::uint32_t each) { return which.extract(each) == which.extract(word); });
  });
}

/// Whether runs may move the counter: the field behind which the section is must be of the sections
/// that LLK has for the Vector Unit, and another one must stay as it is.
bool may_move(const Plain& plain, const TileProgram& tile, unsigned still) {
  return still != moving_field(plain.arch) && !sets_moving_section(plain.arch, tile) &&
         (!arch_params(plain.arch).front_end.addr_mod_has_base ||
          behind_setup(tile).config.get(isa::ConfigField::ADDR_MOD_SET_Base) != 0);
}

class BlockWriter {
 public:
  BlockWriter(const Plain& plain, const TileProgram& tile, const FollowedBlock& block,
              unsigned still)
      : arch_(plain.arch),
        as_kernel_(plain.as_kernel),
        tile_(tile),
        block_(block),
        still_(still),
        moves_(may_move(plain, tile, still)) {}

  /// `replays`: what repeats, and has room in the replay slots, is recorded, so that the core need
  /// not push it again; else all that repeats is a loop.
  Tuned write(std::span<const BlockStep> steps, const BlockOrder& order, bool replays) {
    tuned_ = Tuned();
    tuned_.arch = arch_;
    steps_ = steps;
    slots_ = order.slots;
    find_parts(replays);
    if (as_kernel_) tuned_.entry = entry_words(arch_, true, true);
    for (const std::uint32_t word : tile_.init) add(word, WordPart::Init);
    if (stride_ != 0) add_moving_section();
    if (records_once_) record_parts();
    for (const std::uint32_t word : tile_.setup) add(word, WordPart::Tile);
    tuned_.predicted_cycles = order.cycles + tile_.setup.size();
    std::size_t next = 0;
    for (const Part& part : parts_) {
      add_slots(next, part.run.first, WordPart::Tile, {});
      add_part(part);
      next = part.run.end();
    }
    add_slots(next, slots_.size(), WordPart::Tile, {});
    tuned_.dst_counter = counter_;
    StateSet used = 0;
    for (const BlockStep& step : steps)
      used |= (step.reads | step.writes) & state_part::kValueLRegs;
    tuned_.registers = static_cast<unsigned>(std::popcount(used));
    contract();
    return std::move(tuned_);
  }

 private:
  /// What repeats, as it is written down.
  struct Part {
    BlockRun run;
    std::uint32_t counter = 0; ///< how far the counter has moved in front of it
    bool is_replayed = false;
    unsigned first_slot = 0; ///< of the replay buffer
  };

  /// Parts are recorded once if there is room for all of them, else in each tile, which takes a
  /// cycle each (timing T1).
  void find_parts(bool replays) {
    parts_.clear();
    counter_ = stride_ = slots_taken_ = 0;
    unsigned all_slots = 0;
    for (const BlockRun& run : find_runs(arch_, steps_, slots_, moves_)) {
      const bool is_replayed = replays && run.length <= kReplaySlots;
      parts_.push_back({.run = run, .counter = counter_, .is_replayed = is_replayed});
      counter_ = (counter_ + run.stride * static_cast<std::uint32_t>(run.times)) & kDstAddressMask;
      stride_ = std::max(stride_, run.stride);
      if (is_replayed) all_slots += static_cast<unsigned>(run.length);
    }
    counter_ = 0;
    records_once_ = all_slots != 0 && all_slots <= kReplaySlots;
    for (Part& part : parts_) {
      if (!part.is_replayed) continue;
      const auto length = static_cast<unsigned>(part.run.length);
      part.first_slot = records_once_ ? slots_taken_ : 0;
      slots_taken_ = std::max(slots_taken_, part.first_slot + length);
    }
  }

  void add(std::uint32_t word, WordPart part, std::string comment = "") {
    tuned_.words.push_back({.word = word, .part = part, .comment = std::move(comment)});
  }

  void add_moving_section() {
    for (const std::uint32_t word : moving_section_words(arch_, stride_))
      add(word, WordPart::Init,
          fmt::format("ADDR_MOD_{}: Dst moves by {}", moving_section(arch_), stride_));
    add(nop_word(arch_), WordPart::Init);
  }

  void record_parts() {
    for (const Part& part : parts_) {
      if (!part.is_replayed) continue;
      counter_ = part.counter;
      add(replay_word(arch_, part.first_slot, static_cast<unsigned>(part.run.length), true),
          WordPart::Init, "records a part that repeats");
      add_body(part, WordPart::Body);
    }
    counter_ = 0;
  }

  void add_part(const Part& part) {
    const BlockRun& run = part.run;
    const auto length = static_cast<unsigned>(run.length);
    if (!part.is_replayed) {
      tuned_.loops.push_back({tuned_.words.size(), run.length, run.times});
      for (std::size_t i = 0; i < run.times; ++i) add_body(part, WordPart::Tile);
    } else if (records_once_) {
      add_replays(part, run.times);
    } else {
      add(replay_word(arch_, part.first_slot, length, true, true), WordPart::Tile,
          "records a part that repeats");
      ++tuned_.predicted_cycles;
      add_body(part, WordPart::Tile);
      add_replays(part, run.times - 1);
    }
    counter_ = (counter_ + run.stride * static_cast<std::uint32_t>(run.times)) & kDstAddressMask;
  }

  void add_replays(const Part& part, std::size_t times) {
    if (times > 1) tuned_.loops.push_back({tuned_.words.size(), 1, times});
    const std::uint32_t word =
        replay_word(arch_, part.first_slot, static_cast<unsigned>(part.run.length), false);
    for (std::size_t i = 0; i < times; ++i) add(word, WordPart::Tile);
  }

  /// The words of a part once. Its last access moves the counter.
  void add_body(const Part& part, WordPart kind) {
    const std::size_t begin = part.run.first, end = begin + part.run.length;
    std::optional<std::size_t> mover;
    for (std::size_t i = begin; i < end && part.run.stride != 0; ++i)
      if (slots_[i] != kEmptySlot && !steps_[slots_[i]].cells.empty()) mover = i;
    add_slots(begin, end, kind, mover);
  }

  void add_slots(std::size_t begin, std::size_t end, WordPart kind,
                 std::optional<std::size_t> mover) {
    for (std::size_t i = begin; i < end; ++i)
      add(slots_[i] == kEmptySlot ? nop_word(arch_) : word_of(steps_[slots_[i]], i == mover), kind);
  }

  /// Loads and stores name their places by what the counter is short of.
  std::uint32_t word_of(const BlockStep& step, bool is_mover) const {
    if (step.cells.empty()) return step.word;
    return with_place(arch_, step.word, is_mover ? moving_field(arch_) : still_,
                      (step.address - counter_) & kDstAddressMask);
  }

  void contract() {
    const auto say = [&](std::string sentence) {
      tuned_.contract.sentences.push_back(std::move(sentence));
    };
    say(
        fmt::format("A block: {} words of a tile, which the core pushes; the plain kernel's are "
                    "{}.",
                    pushed_words(tuned_), tile_.pushed));
    if (slots_taken_ != 0)
      say(fmt::format("Replay slots 0 to {} hold what repeats, {}.", slots_taken_ - 1,
                      records_once_ ? "from the init part on" : "recorded in each tile"));
    if (stride_ != 0)
      say(fmt::format("ADDR_MOD_{} moves Dst by {}.", moving_section(arch_), stride_));
    say(fmt::format(
        "The Dst counter is 0 at its beginning, as LLK leaves it, and {}; the plain "
        "kernel moves it by {}.",
        counter_ == 0 ? "stays" : fmt::format("moves by {}", counter_), block_.dst_counter));
    if (!tile_.init.empty())
      say(fmt::format("What runs once is what the plain kernel has{}.",
                      stride_ == 0 ? "" : ", and that section"));
    if (arch_params(arch_).front_end.addr_mod_has_base && !tile_.setup.empty())
      say("ADDR_MOD_SET_Base is 1 from its beginning on, as LLK sets it for the Vector Unit.");
  }

  Arch arch_;
  bool as_kernel_; ///< flags are in use from the beginning
  const TileProgram& tile_;
  const FollowedBlock& block_;
  unsigned still_; ///< the AddrMod field that moves nothing
  bool moves_;     ///< runs may move the counter
  std::span<const BlockStep> steps_;
  std::span<const std::uint32_t> slots_;
  std::uint32_t counter_ = 0; ///< how far it has moved
  std::uint32_t stride_ = 0;  ///< of the section that moves it
  std::vector<Part> parts_;
  unsigned slots_taken_ = 0; ///< of the replay buffer
  bool records_once_ = false;
  Tuned tuned_;
};

} // namespace

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
  const auto addr_mod = still_addr_mod(behind_setup(*tile));
  if (!addr_mod) return refuse("every ADDR_MOD section moves a counter", "leave one at 0", 0);
  BlockWriter writer(plain, *tile, *block, *addr_mod);
  std::vector<std::pair<std::vector<BlockStep>, BlockOrder>> orders;
  for (const std::vector<BlockStep>& steps :
       {useful, with_other_registers(plain.arch, useful, kept)})
    orders.emplace_back(steps, order_block(plain.arch, steps));
  std::size_t shortest = 0; // of those that are too long
  // Those with replays come last, and so are taken first, as long as they are faster than the plain
  // program: what the core pushes in a loop costs more than the clock counts (timing T5).
  for (const bool replays : {false, true}) {
    std::vector<Tuned> all;
    for (const auto& [steps, order] : orders) {
      Tuned tuned = writer.write(steps, order, replays);
      const std::size_t words = code_words(tuned);
      shortest = all.empty() && shortest == 0 ? words : std::min(shortest, words);
      if (words <= kMostWords) all.push_back(std::move(tuned));
    }
    std::ranges::stable_sort(all, std::greater<>(), &Tuned::predicted_cycles);
    std::ranges::move(all, std::back_inserter(result.candidates));
  }
  if (result.candidates.empty())
    result.failure = fmt::format(
        "as a block it has {} words, which do not fit beside the rest of a kernel", shortest);
  return result;
}

} // namespace lanewise::tune
