#include "chip/tile/script_mend.h"

#include <optional>
#include <utility>

#include "chip/isa/block_mask.h"
#include "chip/isa/encoding.h"
#include "chip/riscv/address_map.h"
#include "chip/tile/race_mend.h"

namespace lanewise::tile {

namespace {

using isa::Op;
using isa::Unit;
using ActionKind = CoreAction::Kind;

/// One goes before the other.
struct Before {
  Touch producer, consumer;
};

/// Bits of a STALLWAIT's condition mask.
std::uint32_t conditions(Arch arch, std::initializer_list<WaitFor> all) {
  const auto& known = arch_params(arch).tile.wait_conditions;
  std::uint32_t mask = 0;
  for (unsigned bit = 0; bit < known.size(); ++bit)
    for (const WaitFor each : all)
      if (known[bit] == each) mask |= 1U << bit;
  return mask;
}

std::uint32_t stallwait(Arch arch, std::uint32_t blocks, std::initializer_list<WaitFor> all) {
  return *isa::encode(arch, Op::STALLWAIT,
                      {{"BlockMask", blocks}, {"ConditionMask", conditions(arch, all)}});
}

std::optional<Unit> unit_of(Arch arch, const Touch& touch) {
  if (touch.agent.is_core) return std::nullopt;
  const isa::Decoded decoded = isa::decode(arch, touch.word.word);
  return decoded.row == nullptr ? std::nullopt : std::optional(decoded.row->unit);
}

/// What tells that a unit has done what a thread has given it.
std::optional<WaitFor> done_by(Arch arch, const Touch& touch) {
  const auto unit = unit_of(arch, touch);
  if (!unit) return std::nullopt;
  switch (*unit) {
    case Unit::Packer: return WaitFor::Packer;
    case Unit::Matrix: return WaitFor::MatrixUnit;
    case Unit::Vector: return WaitFor::VectorUnit;
    case Unit::Unpacker:
      return isa::decode(arch, touch.word.word)["WhichUnpacker"] == 0 ? WaitFor::Unpacker0
                                                                      : WaitFor::Unpacker1;
    default: return std::nullopt;
  }
}

/// Proposals for one race.
class Proposals {
 public:
  Proposals(const RaceProgram& program, const RaceReference& reference)
      : program_(program), reference_(reference), arch_(program.start.arch()) {}

  void add(const Race& race, const Before& order) {
    add_bank_wait(race.place, order.consumer);
    add_core_wait(order);
    add_semaphore(order);
  }

  std::vector<MendedProgram> take() { return std::move(all_); }

 private:
  /// Where the core does, or pushes, what a touch is of; nothing if that is not known.
  std::optional<CoreScript::Place> place_of(const Touch& touch) const {
    const auto& places = touch.agent.is_core ? reference_.done[touch.agent.thread]
                                             : reference_.pushed_by[touch.agent.thread];
    if (touch.ordinal >= places.size()) return std::nullopt;
    return places[touch.ordinal];
  }

  struct Insertion {
    unsigned thread;
    CoreScript::Place at;
    bool behind;
    std::vector<std::uint32_t> words;
    bool core_waits = false;
  };

  void propose(const std::vector<Insertion>& insertions) {
    MendedProgram mended{.mends = {}, .program = program_};
    for (const Insertion& each : insertions) {
      // Of two that change one script, the second finds its places in the first one's.
      CoreScript& script = mended.program.script[each.thread];
      const std::uint32_t line = script.action(each.at).line;
      std::vector<CoreAction> added;
      if (each.core_waits)
        added.push_back(
            {.kind = ActionKind::Load, .address = idle_address(), .value = 0, .line = line});
      for (const std::uint32_t word : each.words)
        added.push_back({.kind = ActionKind::Push, .value = word, .line = line});
      script = script.with(script.same_as(each.at), added, each.behind);
      mended.mends.push_back({.thread = each.thread,
                              .line = line,
                              .behind = each.behind,
                              .words = each.words,
                              .core_waits = each.core_waits});
    }
    all_.push_back(std::move(mended));
  }

  std::uint32_t idle_address() const { return riscv::range_of(arch_, riscv::Region::TtSync).first; }

  /// Moves into SrcA and SrcB, and clears of a bank, do not wait for it by themselves (core.md 13).
  void add_bank_wait(const PlaceId& place, const Touch& consumer) {
    const bool is_a = place.place == SharedPlace::SrcA;
    if (!is_a && place.place != SharedPlace::SrcB) return;
    const auto unit = unit_of(arch_, consumer);
    const auto at = place_of(consumer);
    if (!unit || !at) return;
    if (*unit == Unit::Matrix) {
      const WaitFor filled = is_a ? WaitFor::SrcAFilled : WaitFor::SrcBFilled;
      const std::uint32_t word =
          stallwait(arch_, isa::block::kMatrix, {WaitFor::MatrixUnit, filled});
      propose({{consumer.agent.thread, *at, false, {word}}});
      // Moves of a whole sequence wait for both, where it hands both back.
      const std::uint32_t both =
          stallwait(arch_, isa::block::kMatrix,
                    {WaitFor::MatrixUnit, WaitFor::SrcAFilled, WaitFor::SrcBFilled});
      propose({{consumer.agent.thread, *at, false, {both}}});
    } else if (*unit == Unit::Unpacker) {
      const WaitFor free = is_a ? WaitFor::SrcAToFill : WaitFor::SrcBToFill;
      propose(
          {{consumer.agent.thread, *at, false, {stallwait(arch_, isa::block::kUnpack, {free})}}});
    }
  }

  /// A core that changes what its own thread still uses waits until that is done.
  void add_core_wait(const Before& order) {
    if (!order.consumer.agent.is_core || order.producer.agent.is_core ||
        order.producer.agent.thread != order.consumer.agent.thread)
      return;
    if (const auto at = place_of(order.consumer))
      propose({{order.consumer.agent.thread, *at, false, {}, true}});
  }

  void add_semaphore(const Before& order) {
    if (order.consumer.agent.is_core || order.producer.agent.thread == order.consumer.agent.thread)
      return;
    const auto from = place_of(order.producer), to = place_of(order.consumer);
    if (!from || !to) return;
    const auto free = free_semaphore();
    if (!free) return;
    std::vector<std::uint32_t> posts;
    if (const auto unit = done_by(arch_, order.producer))
      posts.push_back(stallwait(arch_, isa::block::kSync, {*unit}));
    posts.push_back(semaphore_word(arch_, Op::SEMPOST, 1U << *free));
    propose({{order.producer.agent.thread, *from, true, posts},
             {order.consumer.agent.thread,
              *to,
              false,
              {wait_word(arch_, 1U << *free, order.consumer.word),
               semaphore_word(arch_, Op::SEMGET, 1U << *free)}}});
  }

  /// One that nobody names: no word and no load or store of a core.
  std::optional<unsigned> free_semaphore() const {
    std::uint32_t used = 0;
    const auto range = riscv::range_of(arch_, riscv::Region::Semaphores);
    for (const CoreScript& script : program_.script) {
      for (CoreScript::Place place = 0; place < script.size(); ++place) {
        const CoreAction& action = script.action(place);
        if (action.kind == ActionKind::Push || action.kind == ActionKind::ConfigureMop) {
          used |= semaphores_of_word(arch_, action.value);
        } else if (range.holds(action.address)) {
          used |= 1U << (action.address - range.first) / sizeof(std::uint32_t) % kSemaphores;
        }
      }
    }
    for (unsigned number = 0; number < kSemaphores; ++number)
      if ((used >> number & 1U) == 0) return number;
    return std::nullopt;
  }

  const RaceProgram& program_;
  const RaceReference& reference_;
  Arch arch_;
  std::vector<MendedProgram> all_;
};

} // namespace

std::vector<MendedProgram> script_mends(const RaceProgram& program, const Race& race,
                                        const RaceReference& reference) {
  Proposals proposals(program, reference);
  proposals.add(race, {race.first, race.second});
  proposals.add(race, {race.second, race.first});
  return proposals.take();
}

} // namespace lanewise::tile
