// What a core reaches by loads and stores: L1 and memory-mapped registers (core.md 2, 7, 9, 16).
#include "chip/tile/registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "chip/isa/config.h"
#include "chip/isa/encoding.h"
#include "chip/machine/config_effects.h"
#include "chip/riscv/address_map.h"
#include "chip/tile/config_words.h"
#include "chip/tile/dst_window.h"
#include "chip/tile/instruction.h"
#include "chip/tile/tile.h"

namespace lanewise::tile {

namespace {

using isa::ConfigField;
using isa::Op;
using riscv::AddressRange;
using riscv::Region;

constexpr unsigned kWord = 4;

// Debug registers, by their offsets, that keep what is stored and do nothing here: clock gates and
// resets of cores, which are started otherwise, and the performance counters' switches.
constexpr std::array<std::uint32_t, 4> kKept{0x1B0, 0x1B4, 0x240, 0x248};
constexpr std::uint32_t kWallClockLow = 0x1F0, kWallClockHigh = 0x1F4, kWallClockLatched = 0x1F8;
constexpr std::uint32_t kConfigRead = 0x58, kConfigData = 0x78;
// TDMA-RISC: clock gates, and a status that says that nothing is under way.
constexpr std::uint32_t kTdmaStatus = 0x14, kTdmaIdle = 8, kTdmaGateFirst = 0x24,
                        kTdmaGateLast = 0x28;

Unexpected refused(std::string message, std::string remedy) {
  return Unexpected(Fault{
      .kind = FaultKind::Unsupported, .message = std::move(message), .remedy = std::move(remedy)});
}

Unexpected not_here(std::string_view what, std::uint32_t address, unsigned bytes,
                    const AddressRange& range) {
  return refused(fmt::format("{} {} bytes at 0x{:08x}: {}", what, bytes, address, range.text),
                 "docs/tile.md lists the registers that are there");
}

constexpr unsigned core_number(unsigned core) {
  return core == kBrisc ? 0 : core + 1; // of mailboxes: B comes first
}

constexpr unsigned kMailboxStride = 0x1000;

constexpr unsigned noc_number(Region region) {
  return region == Region::Noc1 ? 1 : 0;
}

/// What a core beside those of the threads reaches here of all that these reach (ISA BabyRISCV,
/// memory map); NCRISC has no mailboxes.
bool reaches(unsigned core, Region region) {
  if (core < kThreads) return true;
  if (region == Region::Mailboxes) return core == kBrisc;
  return region == Region::Noc0 || region == Region::Noc1 || region == Region::NocOverlay ||
         region == Region::Debug;
}

constexpr std::uint32_t upper_half(std::uint64_t value) {
  return static_cast<std::uint32_t>(value >> 32);
}

} // namespace

// ---------------------------------------------------------------- Loads

Expected<std::optional<std::uint32_t>> Tile::load(unsigned core, std::uint32_t address,
                                                  unsigned bytes, std::uint32_t line) {
  auto value = read(core, address, bytes);
  if (!value || !*value) return value;
  const CoreAction action{.kind = CoreAction::Kind::Load,
                          .bytes = static_cast<std::uint8_t>(bytes),
                          .address = address,
                          .value = **value,
                          .line = line};
  if (state_.log != nullptr) touch_by_core(core, action);
  core_did(core, action);
  return value;
}

Expected<std::optional<std::uint32_t>> Tile::read(unsigned core, std::uint32_t address,
                                                  unsigned bytes) {
  if (state_.l1.holds(address, bytes)) {
    if (time != nullptr) time->touched_l1(address, false);
    return state_.l1.load(address, bytes);
  }
  const AddressRange range = riscv::find_region(arch(), address);
  const std::uint32_t offset = address - range.first;
  if (!reaches(core, range.region)) return not_here("loads", address, bytes, range);
  if (range.region == Region::Dst) return load_dst(state_, core, offset, bytes);
  if (bytes != kWord) return not_here("loads", address, bytes, range);
  switch (range.region) {
    case Region::Gprs:
      if (must_wait_for_thread(core)) return std::nullopt;
      return state_.machine.gpr_of(core)[offset / kWord % 64];
    case Region::TtSync:
      // +4: everything that was pushed is done; +8: the MOP expander is, which it is at once.
      if (offset == 0 && !is_idle(core)) return core_waits(core, WaitCause::ThreadIdle);
      return 0U;
    case Region::Semaphores: return state_.sync.semaphore[offset / kWord % kSemaphores].value;
    case Region::Mailboxes: return load_mailbox(core, offset);
    case Region::Config:
      if (must_wait_for_thread(core)) return std::nullopt;
      return load_config_word(state_.machine.config, offset / kWord);
    case Region::Debug: return load_debug(core, offset);
    case Region::Tdma:
      if (offset == kTdmaStatus) return kTdmaIdle;
      return not_here("loads", address, bytes, range);
    case Region::NocOverlay:
      if (state_.overlay.has(arch(), offset)) return state_.overlay.load(offset);
      break;
    case Region::Noc0:
    case Region::Noc1:
      if (noc != nullptr) return noc->load(core, noc_number(range.region), offset);
      break;
    case Region::L1:
    case Region::LocalRam:
    case Region::Pic:
    case Region::PcSnapshot:
    case Region::OtherRam:
    case Region::MopConfig:
    case Region::Dst:
    case Region::Instructions:
    case Region::Instructions1:
    case Region::Instructions2:
    case Region::PcBuf:
    case Region::Unmapped: break;
  }
  return not_here("loads", address, bytes, range);
}

std::nullopt_t Tile::core_waits(unsigned core, WaitCause cause, std::uint32_t what) {
  core_wait_[core] = {.cause = cause, .what = what, .at = {}, .because_of = {}};
  return std::nullopt;
}

/// Whether nothing that the core has pushed is left to be done.
bool Tile::is_idle(unsigned core) const {
  return time == nullptr ? state_.thread[core].queue.empty() : time->is_done(core);
}

/// Blackhole's cores wait by themselves before they touch registers and configuration that
/// instructions may use (core.md 3); Wormhole's programs see to it.
bool Tile::must_wait_for_thread(unsigned core) {
  if (!arch_params(arch()).cores.sync_registers) return false;
  if (time != nullptr ? time->is_done_with_registers(core) : is_idle(core)) return false;
  core_waits(core, WaitCause::ThreadIdle);
  return true;
}

Expected<std::optional<std::uint32_t>> Tile::load_mailbox(unsigned core, std::uint32_t offset) {
  const unsigned writer = offset / kMailboxStride % kMailboxCores;
  const unsigned reader = core_number(core);
  auto& box = state_.sync.mailbox[writer][reader];
  const bool has_message = !box.empty() && (time == nullptr || time->has_message(writer, reader));
  if (offset % kMailboxStride == kWord) return has_message ? 1U : 0U;
  if (!has_message) return core_waits(core, WaitCause::EmptyMailbox, writer);
  const std::uint32_t value = box.front();
  box.pop_front();
  if (time != nullptr) time->took_message(writer, reader);
  return value;
}

Expected<std::optional<std::uint32_t>> Tile::load_debug(unsigned core, std::uint32_t offset) {
  if (offset == kWallClockLow || offset == kWallClockHigh) {
    WallClock::Executed executed{};
    for (unsigned thread = 0; thread < kThreads; ++thread)
      executed[thread] = state_.thread[thread].executed;
    const std::optional<std::uint64_t> cycle =
        time == nullptr ? std::nullopt : std::optional(time->cycle());
    if (offset == kWallClockHigh) return upper_half(registers_.clock.next(executed, cycle));
    return static_cast<std::uint32_t>(registers_.clock.read(core, executed, cycle).value);
  }
  if (offset == kWallClockLatched) return upper_half(registers_.clock.last().value);
  if (offset == kConfigData)
    return load_config_word(state_.machine.config, registers_.kept[kConfigRead]);
  const ConfigField feature = ConfigField::RISCV_DEBUG_REG_DBG_FEATURE_DISABLE;
  if (offset == isa::config_place(feature).word_of(arch()))
    return state_.machine.config.get(feature);
  if (std::ranges::find(kKept, offset) != kKept.end()) return registers_.kept[offset];
  return refused(fmt::format("loads debug register 0x{:03x}", offset),
                 "docs/tile.md lists the registers that are there");
}

// ---------------------------------------------------------------- Stores

Expected<bool> Tile::store(unsigned core, std::uint32_t address, unsigned bytes,
                           std::uint32_t value, std::uint32_t line) {
  const AddressRange range = riscv::find_region(arch(), address);
  // These two are actions of their own.
  if (core < kThreads && bytes == kWord && range.region == Region::Instructions)
    return push(core, {value, line});
  if (core < kThreads && bytes == kWord && range.region == Region::MopConfig) {
    configure_mop(core, (address - range.first) / kWord, value, line);
    return true;
  }
  const CoreAction action{.kind = CoreAction::Kind::Store,
                          .bytes = static_cast<std::uint8_t>(bytes),
                          .address = address,
                          .value = value,
                          .line = line};
  auto done = write(core, address, bytes, value, line);
  if (!done || !*done) return done;
  if (state_.log != nullptr) touch_by_core(core, action);
  core_did(core, action);
  return done;
}

/// L1 and shared configuration; what a store writes there counts as written, changed or not.
void Tile::touch_by_core(unsigned core, const CoreAction& action) {
  const bool writes = action.kind == CoreAction::Kind::Store;
  state_.log->begin({.thread = core, .is_core = true}, state_.thread[core].actions,
                    {.word = 0, .line = action.line});
  if (state_.l1.holds(action.address, action.bytes)) {
    state_.log->touch_l1(action.address, action.bytes, writes);
    return;
  }
  const AddressRange range = riscv::find_region(arch(), action.address);
  if (range.region != Region::Config) return;
  const ConfigParams& chip = arch_params(arch()).config;
  const std::uint32_t word = (action.address - range.first) / kWord;
  const unsigned copies = chip.writes_both ? 3 : 2; // of which one is both
  if (word < copies * chip.shared_words)
    state_.log->touch({SharedPlace::Config, word % chip.shared_words}, writes);
}

Expected<bool> Tile::write(unsigned core, std::uint32_t address, unsigned bytes,
                           std::uint32_t value, std::uint32_t line) {
  if (state_.l1.holds(address, bytes)) {
    if (time != nullptr) time->touched_l1(address, true);
    state_.l1.store(address, bytes, value);
    return true;
  }
  const AddressRange range = riscv::find_region(arch(), address);
  const std::uint32_t offset = address - range.first;
  if (!reaches(core, range.region)) return not_here("stores", address, bytes, range);
  if (range.region == Region::Dst)
    return store_dst(state_, core, offset, bytes, value).map([] { return true; });
  if (bytes != kWord) return not_here("stores", address, bytes, range);
  switch (range.region) {
    case Region::Gprs:
      if (must_wait_for_thread(core)) return false;
      state_.machine.gpr_of(core)[offset / kWord % 64] = value;
      if (time != nullptr) time->stored_register(core);
      return true;
    case Region::TtSync: return true; // only the load behind it waits
    case Region::Semaphores: return store_semaphore(core, offset / kWord, value, line);
    case Region::Mailboxes: return store_mailbox(core, offset, value);
    case Region::Config:
      if (must_wait_for_thread(core)) return false;
      if (time != nullptr) time->stored_register(core);
      return store_config_word(state_.machine, offset / kWord, value, line);
    case Region::Debug: return store_debug(offset, value, line);
    case Region::Tdma:
      if (offset >= kTdmaGateFirst && offset <= kTdmaGateLast) return true;
      return not_here("stores", address, bytes, range);
    case Region::NocOverlay:
      if (!state_.overlay.has(arch(), offset)) break;
      state_.overlay.store(offset, value);
      return true;
    case Region::Noc0:
    case Region::Noc1:
      if (noc == nullptr) break;
      return noc->store(core, noc_number(range.region), offset, value, line).map([] {
        return true;
      });
    case Region::L1:
    case Region::LocalRam:
    case Region::Pic:
    case Region::PcSnapshot:
    case Region::OtherRam:
    case Region::MopConfig:
    case Region::Dst:
    case Region::Instructions:
    case Region::Instructions1:
    case Region::Instructions2:
    case Region::PcBuf:
    case Region::Unmapped: break;
  }
  return not_here("stores", address, bytes, range);
}

/// A store to a semaphore is a SEMGET if bit 0 is set, else a SEMPOST.
bool Tile::store_semaphore(unsigned core, std::uint32_t number, std::uint32_t value,
                           std::uint32_t line) {
  const Op op = (value & 1) != 0 ? Op::SEMGET : Op::SEMPOST;
  const std::uint32_t word =
      *isa::encode(arch(), op, {{"SemaphoreMask", 1U << number % kSemaphores}});
  execute_sync(state_,
               {.thread = core, .word = {word, line}, .decoded = isa::decode(arch(), word)});
  forget_met_waits(state_);
  return true;
}

bool Tile::store_mailbox(unsigned core, std::uint32_t offset, std::uint32_t value) {
  const unsigned reader = offset / kMailboxStride % kMailboxCores;
  auto& box = state_.sync.mailbox[core_number(core)][reader];
  if (box.size() >= kMailboxEntries) {
    core_waits(core, WaitCause::FullMailbox, reader);
    return false;
  }
  box.push_back(value);
  if (time != nullptr) time->wrote_message(core_number(core), reader);
  return true;
}

Expected<bool> Tile::store_debug(std::uint32_t offset, std::uint32_t value, std::uint32_t line) {
  const ConfigField feature = ConfigField::RISCV_DEBUG_REG_DBG_FEATURE_DISABLE;
  if (offset == isa::config_place(feature).word_of(arch())) {
    state_.machine.config.set(feature, value);
    after_config_write(state_.machine, isa::ConfigScope::Debug, offset, 0, line);
    return true;
  }
  if (offset == kConfigRead || std::ranges::find(kKept, offset) != kKept.end()) {
    registers_.kept[offset] = value;
    return true;
  }
  return refused(fmt::format("stores to debug register 0x{:03x}", offset),
                 "docs/tile.md lists the registers that are there");
}

} // namespace lanewise::tile
