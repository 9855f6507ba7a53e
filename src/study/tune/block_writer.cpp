#include "study/tune/block_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "chip/isa/config.h"
#include "chip/isa/encoding.h"
#include "chip/machine/counters.h"
#include "study/tune/block_words.h"
#include "study/tune/model.h"
#include "study/tune/words.h"

namespace lanewise::tune {

namespace {

/// Whether the tile itself sets the section that would move the counter in runs.
bool sets_moving_section(Arch arch, const TileProgram& tile) {
  const isa::Field& which = isa::find_row(arch, isa::Op::SETC16)->fields()[0];
  const std::vector<std::uint32_t> own = moving_section_words(arch, 0);
  return std::ranges::any_of(tile.setup, [&](std::uint32_t word) {
    return std::ranges::any_of(
        own, [&](std::uint32_t each) { return which.extract(each) == which.extract(word); });
  });
}

class BlockWriter {
 public:
  BlockWriter(const BlockSource& source, const OrderedBlock& block, bool replays)
      : arch_(source.plain.arch),
        source_(source),
        steps_(block.steps),
        slots_(block.order.slots),
        order_cycles_(block.order.cycles),
        runs_(block.runs),
        replays_(replays),
        first_copy_((source.tile.start.rwc.dst_cr - source.tile.start.rwc.dst) & kDstAddressMask),
        copy_(first_copy_) {}

  Tuned run() {
    tuned_.arch = arch_;
    const unsigned all_slots = replayed_slots(runs_);
    records_once_ = all_slots != 0 && all_slots <= kReplaySlots;
    for (const std::uint32_t word : source_.tile.setup) add(word);
    add_parts(0, slots_.size(), runs_);
    tuned_.predicted_cycles = order_cycles_ + source_.tile.setup.size() + added_;
    add_init();
    tuned_.dst_counter = counter_;
    StateSet used = 0;
    for (const BlockStep& step : steps_)
      used |= (step.reads | step.writes) & state_part::kValueLRegs;
    tuned_.registers = static_cast<unsigned>(std::popcount(used));
    contract();
    return std::move(tuned_);
  }

 private:
  void add(std::uint32_t word, std::string comment = "") {
    tuned_.words.push_back({.word = word, .part = WordPart::Tile, .comment = std::move(comment)});
  }

  bool is_replayed(const BlockRun& run) const {
    return replays_ && !run.is_long && run.length <= kReplaySlots;
  }

  unsigned replayed_slots(std::span<const BlockRun> runs) const {
    unsigned all = 0;
    for (const BlockRun& run : runs) {
      if (is_replayed(run)) all += static_cast<unsigned>(run.length);
      all += replayed_slots(run.parts);
    }
    return all;
  }

  // ------------------------------------------------------------------ what runs once
  /// In front of the tile, when it is known what is recorded.
  void add_init() {
    std::vector<TunedWord> once;
    const auto put = [&](std::uint32_t word, WordPart part, std::string comment = "") {
      once.push_back({.word = word, .part = part, .comment = std::move(comment)});
    };
    if (source_.plain.as_kernel) tuned_.entry = entry_words(arch_, true, true);
    for (const std::uint32_t word : source_.tile.init) put(word, WordPart::Init);
    if (stride_ != 0) {
      for (const std::uint32_t word : moving_section_words(arch_, stride_))
        put(word, WordPart::Init,
            fmt::format("ADDR_MOD_{}: Dst moves by {}", moving_section(arch_), stride_));
      put(nop_word(arch_), WordPart::Init);
    }
    for (const Recorded& part : recorded_) {
      put(replay_word(arch_, part.first_slot, static_cast<unsigned>(part.words.size()), true),
          WordPart::Init, "records a part that repeats");
      for (const std::uint32_t word : part.words) put(word, WordPart::Body);
    }
    for (WordLoop& loop : tuned_.loops) loop.first += once.size();
    tuned_.words.insert(tuned_.words.begin(), once.begin(), once.end());
  }

  // ------------------------------------------------------------------ a tile
  void add_parts(std::size_t begin, std::size_t end, std::span<const BlockRun> runs) {
    for (const BlockRun& run : runs) {
      for (const std::uint32_t word : words_between(begin, run.first, std::nullopt)) add(word);
      if (run.is_long)
        add_long(run);
      else
        add_short(run);
      begin = run.end();
    }
    for (const std::uint32_t word : words_between(begin, end, std::nullopt)) add(word);
  }

  /// At the end of each time the counter's copy moves to the next place, and the counter with it.
  void add_long(const BlockRun& run) {
    if (counter_ != copy_) add_advance(0);
    const std::size_t place = tuned_.loops.size(), begin = tuned_.words.size();
    const std::uint64_t added_before = added_;
    tuned_.loops.push_back({.first = begin, .length = 0, .times = run.times});
    add_parts(run.first, run.first + run.length, run.parts);
    std::uint32_t left = copy_distance(run);
    do {
      const std::uint32_t rows = std::min(left, kFarthestAdvance);
      add_advance(rows);
      left -= rows;
    } while (left != 0);
    const std::vector<TunedWord> once(tuned_.words.begin() + static_cast<std::ptrdiff_t>(begin),
                                      tuned_.words.end());
    tuned_.loops[place].length = once.size();
    const std::size_t repeats = run.times - 1;
    for (std::size_t i = 0; i < repeats; ++i)
      tuned_.words.insert(tuned_.words.end(), once.begin(), once.end());
    added_ += (added_ - added_before) * repeats;
    copy_ = (copy_ + run.stride * static_cast<std::uint32_t>(repeats)) & kDstAddressMask;
    counter_ = copy_;
  }

  void add_advance(std::uint32_t rows) {
    add(advance_copy_word(arch_, rows), "the next place of a part");
    ++added_;
    copy_ = (copy_ + rows) & kDstAddressMask;
    counter_ = copy_;
  }

  /// The last access moves the counter. Parts are recorded once if there is room for all of them,
  /// else in each tile, which takes a cycle each (timing T1).
  void add_short(const BlockRun& run) {
    const std::vector<std::uint32_t> words =
        words_between(run.first, run.first + run.length, mover_of(run));
    const auto length = static_cast<unsigned>(run.length);
    if (!is_replayed(run)) {
      tuned_.loops.push_back(
          {.first = tuned_.words.size(), .length = run.length, .times = run.times});
      for (std::size_t i = 0; i < run.times; ++i)
        for (const std::uint32_t word : words) add(word);
    } else if (records_once_) {
      recorded_.push_back({.first_slot = slots_taken_, .words = words});
      add_replays(slots_taken_, length, run.times);
      slots_taken_ += length;
    } else {
      add(replay_word(arch_, 0, length, true, true), "records a part that repeats");
      ++added_;
      for (const std::uint32_t word : words) add(word);
      add_replays(0, length, run.times - 1);
      slots_taken_ = std::max(slots_taken_, length);
    }
    stride_ = std::max(stride_, run.stride);
    counter_ = (counter_ + run.stride * static_cast<std::uint32_t>(run.times)) & kDstAddressMask;
  }

  void add_replays(unsigned first_slot, unsigned length, std::size_t times) {
    if (times > 1)
      tuned_.loops.push_back({.first = tuned_.words.size(), .length = 1, .times = times});
    for (std::size_t i = 0; i < times; ++i) add(replay_word(arch_, first_slot, length, false));
  }

  std::optional<std::size_t> mover_of(const BlockRun& run) const {
    std::optional<std::size_t> mover;
    for (std::size_t i = run.first; i < run.first + run.length && run.stride != 0; ++i)
      if (slots_[i] != kEmptySlot && !steps_[slots_[i]].cells.empty()) mover = i;
    return mover;
  }

  std::vector<std::uint32_t> words_between(std::size_t begin, std::size_t end,
                                           std::optional<std::size_t> mover) const {
    std::vector<std::uint32_t> words;
    for (std::size_t i = begin; i < end; ++i)
      words.push_back(slots_[i] == kEmptySlot ? nop_word(arch_)
                                              : word_of(steps_[slots_[i]], i == mover));
    return words;
  }

  /// Loads and stores name their places by what the counter is short of.
  std::uint32_t word_of(const BlockStep& step, bool is_mover) const {
    if (step.cells.empty()) return step.word;
    return with_place(arch_, step.word, is_mover ? moving_field(arch_) : source_.still_field,
                      (step.address - counter_) & kDstAddressMask);
  }

  void contract() {
    const auto say = [&](std::string sentence) {
      tuned_.contract.sentences.push_back(std::move(sentence));
    };
    say(
        fmt::format("A block: {} words of a tile, which the core pushes; the plain kernel's are "
                    "{}.",
                    pushed_words(tuned_), source_.tile.pushed));
    if (slots_taken_ != 0)
      say(fmt::format("Replay slots 0 to {} hold what repeats, {}.", slots_taken_ - 1,
                      records_once_ ? "from the init part on" : "recorded in each tile"));
    if (stride_ != 0)
      say(fmt::format("ADDR_MOD_{} moves Dst by {}.", moving_section(arch_), stride_));
    say(fmt::format(
        "The Dst counter is 0 at its beginning{}, as LLK leaves it, and {}; the plain "
        "kernel moves it by {}.",
        copy_ == first_copy_ ? "" : fmt::format(", and its copy {}", first_copy_),
        counter_ == 0 ? "stays" : fmt::format("moves by {}", counter_), source_.block.dst_counter));
    if (!source_.tile.init.empty())
      say(fmt::format("What runs once is what the plain kernel has{}.",
                      stride_ == 0 && recorded_.empty() ? "" : ", and what is named here"));
    if (arch_params(arch_).front_end.addr_mod_has_base && !source_.tile.setup.empty())
      say("ADDR_MOD_SET_Base is 1 from its beginning on, as LLK sets it for the Vector Unit.");
  }

  /// What is recorded once.
  struct Recorded {
    unsigned first_slot = 0;
    std::vector<std::uint32_t> words;
  };

  Arch arch_;
  const BlockSource& source_;
  std::span<const BlockStep> steps_;
  std::span<const std::uint32_t> slots_;
  std::uint64_t order_cycles_;
  std::span<const BlockRun> runs_;
  bool replays_, records_once_ = false;
  std::uint32_t first_copy_;         ///< how far the counter's copy is from it at first
  std::uint32_t counter_ = 0, copy_; ///< how far they have moved
  std::uint32_t stride_ = 0;         ///< of the section that moves the counter
  unsigned slots_taken_ = 0;         ///< of the replay buffer
  std::uint64_t added_ = 0;          ///< cycles of a tile that the order does not have
  std::vector<Recorded> recorded_;
  Tuned tuned_;
};

} // namespace

CounterMoves counter_moves(const BlockSource& source) {
  const Arch arch = source.plain.arch;
  // The moving field's section must be the one that is programmed, and not that which stays.
  const bool has_base =
      !arch_params(arch).front_end.addr_mod_has_base ||
      state_behind_setup(source.tile).config.get(isa::ConfigField::ADDR_MOD_SET_Base) != 0;
  return {.has_section = has_base && source.still_field != moving_field(arch) &&
                         !sets_moving_section(arch, source.tile),
          .has_copy = true};
}

Tuned write_block(const BlockSource& source, const OrderedBlock& block, bool replays) {
  return BlockWriter(source, block, replays).run();
}

} // namespace lanewise::tune
