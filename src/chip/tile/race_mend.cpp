#include "chip/tile/race_mend.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "chip/isa/block_mask.h"
#include "chip/isa/encoding.h"
#include "chip/tile/sync_unit.h"

namespace lanewise::tile {

namespace {

using isa::Op;

constexpr std::uint32_t kWaitWhileZero = 1; // condition of SEMWAIT

/// The bit of a block mask that holds a unit back (core.md 6).
std::uint32_t block_bit(isa::Unit unit) {
  switch (unit) {
    case isa::Unit::Packer: return isa::block::kPack;
    case isa::Unit::Unpacker: return isa::block::kUnpack;
    case isa::Unit::Mover: return isa::block::kMove;
    case isa::Unit::Scalar: return isa::block::kScalar;
    case isa::Unit::Matrix: return isa::block::kMatrix;
    case isa::Unit::Configuration: return isa::block::kConfigure;
    case isa::Unit::Vector: return isa::block::kVector;
    case isa::Unit::Sync: return isa::block::kSync;
    case isa::Unit::FrontEnd:
    case isa::Unit::Miscellaneous: break;
  }
  return isa::block::kMiscellaneous;
}

/// One thread's instruction goes before another's.
struct InOrder {
  Touch producer, consumer;
};

/// Touches of the same kind of place that need the same order: the last one of the producer, the
/// first one of the consumer.
InOrder whole_of(const InOrder& pair, SharedPlace place, const AccessLog& log) {
  InOrder whole = pair;
  for (const auto& [id, touches] : log.touches()) {
    if (id.place != place) continue;
    for (const Touch& touch : touches) {
      const bool is_producers =
          touch.agent == pair.producer.agent && touch.writes == pair.producer.writes;
      if (is_producers && touch.ordinal > whole.producer.ordinal) whole.producer = touch;
      const bool is_consumers =
          touch.agent == pair.consumer.agent && touch.writes == pair.consumer.writes;
      if (is_consumers && touch.ordinal < whole.consumer.ordinal) whole.consumer = touch;
    }
  }
  return whole;
}

/// The words of a program that a line comes from: its own, or the MOP that expands it.
struct ProgramRange {
  std::size_t first = 0, behind = 0;
};

std::optional<ProgramRange> words_of_line(const Program& program, std::uint32_t line) {
  const auto is_it = [line](const ProgramWord& word) { return word.line == line; };
  const auto first = std::ranges::find_if(program.words, is_it);
  if (first != program.words.end()) {
    const auto last = std::find_if(program.words.rbegin(), program.words.rend(), is_it);
    return ProgramRange{static_cast<std::size_t>(first - program.words.begin()),
                        static_cast<std::size_t>(last.base() - program.words.begin())};
  }
  for (const MopSetting& setting : program.mop) {
    if (setting.line != line || setting.before >= program.words.size()) continue;
    return ProgramRange{setting.before, setting.before + 1};
  }
  return std::nullopt;
}

bool is_alone(const Program& program, std::size_t index) {
  return std::ranges::count(program.words, program.words[index].line, &ProgramWord::line) == 1;
}

/// A place in the text behind the last pass of a line, outside of its .repeat.
Mend after_line(const Program& program, unsigned thread, std::size_t behind) {
  while (behind < program.words.size() && !is_alone(program, behind)) ++behind;
  Mend mend{.thread = thread, .line = 0, .behind = false, .words = {}};
  if (behind < program.words.size()) mend.line = program.words[behind].line;
  return mend;
}

/// A place before its first pass.
Mend before_line(const Program& program, unsigned thread, std::size_t first) {
  if (is_alone(program, first))
    return {.thread = thread, .line = program.words[first].line, .behind = false, .words = {}};
  while (first > 0 && !is_alone(program, first - 1)) --first;
  if (first > 0)
    return {.thread = thread, .line = program.words[first - 1].line, .behind = true, .words = {}};
  return {.thread = thread, .line = program.words[0].line, .behind = false, .words = {}};
}

/// Bit i: some instruction of that kind names semaphore i.
std::uint32_t semaphores_of(Arch arch, const Program& program, Op op) {
  std::uint32_t mask = 0;
  const auto look = [&](std::uint32_t word) {
    const isa::Decoded decoded = isa::decode(arch, word);
    if (decoded.row != nullptr && decoded.row->op == op) mask |= decoded["SemaphoreMask"];
  };
  for (const ProgramWord& word : program.words) look(word.word);
  for (const MopSetting& setting : program.mop) look(setting.value);
  return mask;
}

std::uint32_t all_semaphores(Arch arch, const TileProgram& program) {
  std::uint32_t mask = 0;
  for (const Program& each : program.thread) {
    for (const Op op : {Op::SEMINIT, Op::SEMPOST, Op::SEMGET, Op::SEMWAIT})
      mask |= semaphores_of(arch, each, op);
  }
  for (const SemaphoreSetting& setting : program.semaphores) mask |= 1U << setting.number;
  return mask;
}

std::optional<unsigned> free_semaphore(Arch arch, const TileProgram& program) {
  const std::uint32_t used = all_semaphores(arch, program);
  for (unsigned number = 0; number < kSemaphores; ++number)
    if ((used >> number & 1U) == 0) return number;
  return std::nullopt;
}

/// Ways to make the producer go first.
void add_mends(Arch arch, const TileProgram& program, const InOrder& order,
               std::vector<std::vector<Mend>>& mends) {
  const unsigned from = order.producer.agent.thread, to = order.consumer.agent.thread;
  const auto produced = words_of_line(program.thread[from], order.producer.word.line);
  const auto consumed = words_of_line(program.thread[to], order.consumer.word.line);
  if (!produced || !consumed) return;
  const Mend waits = before_line(program.thread[to], to, consumed->first);
  const std::uint32_t unheard = semaphores_of(arch, program.thread[from], Op::SEMPOST) &
                                ~semaphores_of(arch, program.thread[to], Op::SEMWAIT);
  for (unsigned number = 0; number < kSemaphores; ++number) {
    if ((unheard >> number & 1U) == 0) continue;
    Mend mend = waits;
    mend.words = {wait_word(arch, 1U << number, order.consumer.word)};
    mends.push_back({mend});
  }
  const auto free = free_semaphore(arch, program);
  if (!free) return;
  const auto add_pair = [&](Mend posts, Mend waits_for_it) {
    posts.words = {semaphore_word(arch, Op::SEMPOST, 1U << *free)};
    waits_for_it.words = {wait_word(arch, 1U << *free, order.consumer.word),
                          semaphore_word(arch, Op::SEMGET, 1U << *free)};
    mends.push_back({std::move(posts), std::move(waits_for_it)});
  };
  // A line of a replay buffer is executed elsewhere, too: then the whole thread goes first.
  const Mend at_end{.thread = from, .line = 0, .behind = false, .words = {}};
  add_pair(after_line(program.thread[from], from, produced->behind), waits);
  add_pair(at_end, waits);
  add_pair(at_end, before_line(program.thread[to], to, 0));
}

void insert(Program& program, const Mend& mend) {
  std::size_t at = program.words.size();
  if (mend.line != 0) {
    const auto range = words_of_line(program, mend.line);
    if (!range) return;
    at = mend.behind ? range->behind : range->first;
  }
  std::vector<ProgramWord> added;
  for (const std::uint32_t word : mend.words) added.push_back({word, mend.line});
  program.words.insert(program.words.begin() + static_cast<std::ptrdiff_t>(at), added.begin(),
                       added.end());
  for (MopSetting& setting : program.mop)
    if (setting.before > at) setting.before += added.size();
}

} // namespace

std::uint32_t semaphore_word(Arch arch, Op op, std::uint32_t mask) {
  return *isa::encode(arch, op, {{"SemaphoreMask", mask}});
}

std::uint32_t wait_word(Arch arch, std::uint32_t mask, const ProgramWord& held) {
  const isa::Decoded decoded = isa::decode(arch, held.word);
  const std::uint32_t blocks =
      decoded.row == nullptr ? isa::block::kMiscellaneous : block_bit(decoded.row->unit);
  return *isa::encode(arch, Op::SEMWAIT,
                      {{"BlockMask", blocks | isa::block::kSync}, // SEMGET waits as well

                       {"SemaphoreMask", mask},
                       {"ConditionMask", kWaitWhileZero}});
}

std::uint32_t semaphores_of_word(Arch arch, std::uint32_t word) {
  const isa::Decoded decoded = isa::decode(arch, word);
  if (decoded.row == nullptr || decoded.row->unit != isa::Unit::Sync) return 0;
  return decoded["SemaphoreMask"];
}

std::vector<std::vector<Mend>> possible_mends(Arch arch, const TileProgram& program,
                                              const Race& race, const AccessLog& log) {
  const bool second_only_writes = race.second.writes && !race.first.writes;
  const InOrder as_found{race.first, race.second}, turned{race.second, race.first};
  std::vector<std::vector<Mend>> mends;
  for (const InOrder& order :
       second_only_writes ? std::array{turned, as_found} : std::array{as_found, turned})
    add_mends(arch, program, whole_of(order, race.place.place, log), mends);
  return mends;
}

TileProgram with_mends(const TileProgram& program, const std::vector<Mend>& mends) {
  TileProgram mended = program;
  for (const Mend& mend : mends) insert(mended.thread[mend.thread], mend);
  return mended;
}

} // namespace lanewise::tile
