#include "chip/tile/core_hazards.h"

#include <algorithm>
#include <optional>

#include "chip/isa/config.h"
#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"
#include "chip/riscv/address_map.h"
#include "chip/tile/register_use.h"
#include "chip/tile/wait_gate.h"

namespace lanewise::tile {

namespace {

using isa::ConfigField;
using isa::Op;
using riscv::Region;

constexpr Finding kLateStore{
    FaultKind::Hazard,
    "may not see what its core has stored before it to a scalar register or to configuration: the "
    "store goes another way than the instruction",
    "put a STALLWAIT in between that blocks this unit and waits for the core's stores (TRISC_CFG), "
    "or let the core load back what it has stored last",
    "core.md 3; ISA MemoryOrdering"};
constexpr Finding kToldTooEarly{
    FaultKind::Hazard,
    "may not see what another core has stored to configuration before it told this one to go on",
    "let that core load back what it has stored before it writes the mailbox or the semaphore",
    "core.md 3; ISA MemoryOrdering"};
constexpr Finding kEarlyLoad{
    FaultKind::Hazard,
    "writes what its core loads right behind the push: the load may come before the instruction",
    "let the core wait for its thread in between, as tensix_sync() does",
    "core.md 3; ISA TTSync, AutoTTSync"};

constexpr unsigned kWord = 4;
constexpr unsigned kRegisters = 64;

/// Stores behind a push of which the last one leaves no room for it: a core's queue of stores has
/// four entries (ISA MemoryOrdering).
constexpr std::uint64_t kStoresThatDrain = 3;

/// Stores and pushes behind a store with which it is taken to be done. No document has a bound: the
/// core's queue has four places, and about 31 words wait in front of the coprocessor.
constexpr std::uint64_t kStoresThatArrive = 32;

} // namespace

/// Whether the chip lets an instruction wait for its core's stores by itself. Blackhole does until
/// the thread asks for something else (core.md 3; ISA AutoTTSync).
bool CoreHazards::is_tracked(unsigned core, bool is_register) const {
  if (!core_[core].chooses_tracking) return arch_params(tile_.arch()).cores.sync_registers;
  const ConfigField tracks = ConfigField::TENSIX_TRISC_SYNC_TrackTensixInstructions;
  const ConfigField place = is_register ? ConfigField::TENSIX_TRISC_SYNC_TrackGPR
                                        : ConfigField::TENSIX_TRISC_SYNC_TrackGlobalCfg;
  const ConfigState& config = tile_.state().machine.config;
  return config.get(tracks, core) != 0 && config.get(place, core) != 0;
}

void CoreHazards::act(unsigned number, const CoreAction& action) {
  Core& core = core_[number];
  ++core.now;
  if (action.kind == CoreAction::Kind::Push) {
    const Thread& thread = tile_.state().thread[number];
    ++core.stores;
    core.pushed.push_back({thread.executed + thread.queue.size(), core.now, core.stores});
    return;
  }
  if (action.kind == CoreAction::Kind::ConfigureMop) {
    ++core.stores;
    return;
  }
  const bool stores = action.kind == CoreAction::Kind::Store;
  if (stores) ++core.stores;
  const riscv::AddressRange range = riscv::find_region(tile_.arch(), action.address);
  const std::uint32_t index = (action.address - range.first) / kWord;
  std::optional<Place> place;
  if (range.region == Region::Gprs) place = Place{true, index % kRegisters};
  if (range.region == Region::Config) {
    const ConfigParams& chip = arch_params(tile_.arch()).config;
    const unsigned copies = chip.writes_both ? 3 : 2; // of which one is both
    if (index < copies * chip.shared_words) place = Place{false, index % chip.shared_words};
  }
  if (place) return stores ? note_store(number, *place) : note_load(number, *place);
  if (stores && (range.region == Region::Mailboxes || range.region == Region::Semaphores))
    tell_others(core);
  if (!stores && range.region == Region::TtSync) {
    // The way to the coprocessor and back is longer than that of a store before it.
    core.stored.clear();
    core.written.clear();
  }
}

void CoreHazards::note_store(unsigned number, const Place& place) {
  Core& core = core_[number];
  std::erase_if(core.written, [&](const Written& each) { return each.place == place; });
  if (is_tracked(number, place.is_register)) return;
  const auto known = std::ranges::find(core.stored, place, &Stored::place);
  if (known != core.stored.end()) {
    known->last = core.now;
  } else {
    core.stored.push_back({place, core.now, core.now, core.stores});
  }
}

/// Stores to one region are done in their order, and so is a load behind them from the same place.
/// Those to the other region have left the core before, and are taken to be there when its answer
/// has come back.
void CoreHazards::note_load(unsigned number, const Place& place) {
  Core& core = core_[number];
  const auto known = std::ranges::find(core.stored, place, &Stored::place);
  if (known != core.stored.end()) {
    const std::uint64_t until = known->last;
    std::erase_if(core.stored, [&](const Stored& each) { return each.last <= until; });
    return;
  }
  for (const Written& each : core.written) {
    if (each.place == place && core.stores - each.stores < kStoresThatDrain)
      findings_.add(kEarlyLoad, number, each.by);
  }
  for (const ProgramWord& each : tile_.state().thread[number].queue) {
    const isa::Decoded decoded = isa::decode(tile_.arch(), each.word);
    if (decoded.row != nullptr && writes(decoded, place)) findings_.add(kEarlyLoad, number, each);
  }
}

void CoreHazards::tell_others(Core& core) {
  for (Stored& each : core.stored) each.is_told = each.is_told || !each.place.is_register;
}

/// The push that has brought an instruction.
CoreHazards::Pushed CoreHazards::pushed_with(Core& core, std::uint64_t instruction) {
  while (!core.pushed.empty() && core.pushed.front().end <= instruction) core.pushed.pop_front();
  return core.pushed.empty() ? Pushed() : core.pushed.front();
}

bool CoreHazards::writes(const isa::Decoded& decoded, const Place& place) const {
  if (place.is_register) return (written_registers(decoded) >> place.number & 1U) != 0;
  return written_words(tile_.arch(), decoded).holds(place.number);
}

bool CoreHazards::uses(const isa::Decoded& decoded, const Place& place) const {
  if (place.is_register)
    return ((needed_registers(decoded) | written_registers(decoded)) >> place.number & 1U) != 0;
  // What the Matrix Unit does to counters and banks has nothing to do with formats.
  const bool only_counts = decoded.row->unit == isa::Unit::Matrix &&
                           isa::matrix_kind(decoded.row->op) == isa::MatrixKind::None;
  if (only_counts) return false;
  return named_words(tile_.arch(), decoded).holds(place.number) ||
         unit_words(tile_.arch(), decoded.row->unit).contains(place.number);
}

void CoreHazards::observe(const Executed& executed) {
  const isa::Decoded decoded = isa::decode(tile_.arch(), executed.word.word);
  if (decoded.row == nullptr) return;
  const unsigned number = executed.thread;
  Core& core = core_[number];
  const Pushed pushed = pushed_with(core, tile_.state().thread[number].executed - 1);
  if (core.blocked != 0 && is_held(*decoded.row, core.blocked)) {
    std::erase_if(core.stored, [&](const Stored& each) { return each.last < core.awaited; });
    core.blocked = 0;
  }
  const isa::ConfigPlace& tracking =
      isa::config_place(ConfigField::TENSIX_TRISC_SYNC_TrackTensixInstructions);
  if (decoded.row->op == Op::SETC16 && tracking.exists(tile_.arch()) &&
      decoded["CfgIndex"] == tracking.word_of(tile_.arch()))
    core.chooses_tracking = true;
  check_own(number, executed, decoded, pushed);
  check_others(number, executed, decoded);
  note_written(core, executed, decoded, pushed.stores);
  const Op op = decoded.row->op;
  if (op != Op::STALLWAIT && op != Op::SEMWAIT) return;
  constexpr std::uint16_t kMathOnly = 1U << 6;
  core.blocked = static_cast<std::uint16_t>(decoded["BlockMask"]);
  if (core.blocked == 0) core.blocked = kMathOnly;
  const unsigned bit = wait_condition(tile_.arch(), WaitFor::CoreRequest);
  const bool waits = op == Op::STALLWAIT && (decoded["ConditionMask"] >> bit & 1U) != 0;
  core.awaited = waits ? pushed.when : 0;
}

/// Told of the first instruction that uses a place.
void CoreHazards::check_own(unsigned thread, const Executed& executed, const isa::Decoded& decoded,
                            const Pushed& pushed) {
  const auto late = [&](const Stored& each) {
    return each.first < pushed.when && pushed.stores - each.stores <= kStoresThatArrive &&
           uses(decoded, each.place);
  };
  if (std::erase_if(core_[thread].stored, late) != 0)
    findings_.add(kLateStore, thread, executed.word);
}

void CoreHazards::check_others(unsigned thread, const Executed& executed,
                               const isa::Decoded& decoded) {
  const auto late = [&](const Stored& each) { return each.is_told && uses(decoded, each.place); };
  for (unsigned other = 0; other < kThreads; ++other) {
    if (other != thread && std::erase_if(core_[other].stored, late) != 0)
      findings_.add(kToldTooEarly, thread, executed.word);
  }
}

void CoreHazards::note_written(Core& core, const Executed& executed, const isa::Decoded& decoded,
                               std::uint64_t stores) {
  // Of older ones, no load is too early any more.
  std::erase_if(core.written,
                [&](const Written& each) { return core.stores - each.stores >= kStoresThatDrain; });
  const std::uint64_t registers = written_registers(decoded);
  for (std::uint32_t i = 0; i < kRegisters; ++i)
    if ((registers >> i & 1U) != 0) core.written.push_back({{true, i}, executed.word, stores});
  const WordRange words = written_words(tile_.arch(), decoded);
  for (std::uint32_t i = 0; i < words.count; ++i)
    core.written.push_back({{false, words.first + i}, executed.word, stores});
}

} // namespace lanewise::tile
