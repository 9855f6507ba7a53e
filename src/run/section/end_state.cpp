#include "run/section/end_state.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "chip/isa/config.h"

namespace lanewise::section {
namespace {

class Entries {
 public:
  void add(const std::string& name, std::uint32_t value) {
    if (value != 0) all_.push_back({name, value});
  }
  EndState take() { return std::move(all_); }

 private:
  EndState all_;
};

/// "ADDR_MOD_AB_SEC1" where it is a word of an ADDR_MOD section, else by its number.
std::string thread_word_name(Arch arch, unsigned word) {
  const auto& chip = arch_params(arch).config;
  constexpr unsigned kSections = 8;
  for (unsigned section = 0; section < kSections; ++section) {
    if (word == chip.addr_mod_ab_word + chip.addr_mod_ab_stride * section)
      return fmt::format("ADDR_MOD_AB_SEC{}", section);
    if (word == chip.addr_mod_dst_word + section) return fmt::format("ADDR_MOD_DST_SEC{}", section);
    if (word == chip.addr_mod_bias_word + section)
      return fmt::format("ADDR_MOD_BIAS_SEC{}", section);
  }
  return fmt::format("thread word {}", word);
}

/// The fields of a word, and one entry for the bits that no field has.
void add_word(Entries& entries, Arch arch, isa::ConfigScope scope, unsigned word,
              std::uint32_t value, const std::string& whose) {
  if (value == 0) return;
  std::uint32_t rest = value;
  for (const isa::ConfigPlace& place : isa::kConfigFields) {
    if (place.scope != scope || !place.exists(arch) || place.word_of(arch) != word) continue;
    entries.add(std::string(place.name) + whose, (value & place.mask(arch)) >> place.low(arch));
    rest &= ~place.mask(arch);
  }
  if (scope == isa::ConfigScope::Thread) {
    entries.add(thread_word_name(arch, word) + whose, rest);
  } else {
    entries.add(fmt::format("shared word {}{}", word, whose), rest);
  }
}

void add_thread_words(Entries& entries, const ConfigState& config, unsigned thread) {
  const auto& chip = arch_params(config.arch()).config;
  for (unsigned word = 0; word < chip.thread_words; ++word)
    add_word(entries, config.arch(), isa::ConfigScope::Thread, word,
             config.thread_word(thread, word), fmt::format(", T{}", thread));
}

void add_shared_words(Entries& entries, const ConfigState& config) {
  const auto& chip = arch_params(config.arch()).config;
  for (unsigned bank = 0; bank < 2; ++bank) {
    for (unsigned word = 0; word < chip.shared_words; ++word) {
      // Words that there is one of are the same in both.
      if (bank == 1 && word >= chip.global_base) break;
      add_word(entries, config.arch(), isa::ConfigScope::Shared, word,
               config.shared_word(bank, word), bank == 0 ? "" : ", bank 1");
    }
  }
  entries.add("RISCV_DEBUG_REG_DBG_FEATURE_DISABLE",
              config.get(isa::ConfigField::RISCV_DEBUG_REG_DBG_FEATURE_DISABLE));
}

void add_rwc(Entries& entries, const Rwc& rwc, unsigned thread) {
  const auto add = [&](std::string_view name, std::uint32_t value) {
    entries.add(fmt::format("T{} RWC {}", thread, name), value);
  };
  add("Dst", rwc.dst);
  add("Dst CR", rwc.dst_cr);
  add("SrcA", rwc.srca);
  add("SrcA CR", rwc.srca_cr);
  add("SrcB", rwc.srcb);
  add("SrcB CR", rwc.srcb_cr);
  add("fidelity", rwc.fidelity);
  add("bias", rwc.bias);
  add("stack pointer", rwc.sp);
}

void add_address_counters(Entries& entries, const tile::AddressCounters& counters) {
  constexpr std::array<std::string_view, tile::kCountedUnits> kUnits{"unpacker 0", "unpacker 1",
                                                                     "packers"};
  constexpr std::string_view kAxisNames = "XYZW";
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    for (unsigned unit = 0; unit < tile::kCountedUnits; ++unit) {
      for (unsigned channel = 0; channel < 2; ++channel) {
        for (unsigned axis = 0; axis < tile::kAxes; ++axis) {
          const tile::AddressCounter& each =
              counters.of(thread, unit)[channel][static_cast<tile::Axis>(axis)];
          const std::string name =
              fmt::format("T{} {} channel {} {}", thread, kUnits[unit], channel, kAxisNames[axis]);
          entries.add(name, each.value);
          entries.add(name + " CR", each.cr);
        }
      }
    }
  }
}

const Rwc& rwc_of(const MachineState& machine, unsigned thread) {
  return thread == machine.config.thread() ? machine.rwc : machine.waiting[thread].rwc;
}

} // namespace

EndState end_state(const tile::TileState& tile) {
  Entries entries;
  add_shared_words(entries, tile.machine.config);
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    add_thread_words(entries, tile.machine.config, thread);
    add_rwc(entries, rwc_of(tile.machine, thread), thread);
  }
  add_address_counters(entries, tile.counters);
  for (unsigned i = 0; i < tile::kSemaphores; ++i)
    entries.add(fmt::format("semaphore {}", i), tile.sync.semaphore[i].value);
  return entries.take();
}

EndState end_state(const MachineState& machine) {
  Entries entries;
  add_shared_words(entries, machine.config);
  add_thread_words(entries, machine.config, kMathThread);
  add_rwc(entries, rwc_of(machine, kMathThread), kMathThread);
  return entries.take();
}

} // namespace lanewise::section
