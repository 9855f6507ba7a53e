#include "chip/tile/state_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "chip/isa/config.h"
#include "chip/isa/number_format.h"

namespace lanewise::tile {

namespace {

using isa::ConfigPlace;
using isa::ConfigScope;

constexpr std::array<std::string_view, 9> kKindNames{
    "configuration", "addr_mod", "counter", "gpr", "mop", "replay", "sfpu", "bank", "sync"};

constexpr unsigned kThreadWordBits = 16;
constexpr unsigned kAddrModSections = 8;
constexpr unsigned kFirstProgrammedLReg = 11, kLastProgrammedLReg = 14;

/// What lies in the four words of an unpacker's tile descriptor (core.md 12.8).
struct DescriptorPart {
  std::string_view name;
  unsigned word, low, bits;
};
constexpr std::array<DescriptorPart, 7> kDescriptorParts{{{"InDataFormat", 0, 0, 4},
                                                          {"IsUncompressed", 0, 4, 1},
                                                          {"NoBFPExpSection", 0, 5, 1},
                                                          {"XDim", 0, 16, 16},
                                                          {"YDim", 1, 0, 16},
                                                          {"ZDim", 1, 16, 16},
                                                          {"WDim", 2, 0, 16}}};

bool is_descriptor(isa::ConfigField field) {
  return field == isa::ConfigField::THCON_SEC0_REG0_TileDescriptor ||
         field == isa::ConfigField::THCON_SEC1_REG0_TileDescriptor;
}

/// What the bits of a word are called that no field names.
std::string unnamed(std::string_view whose, unsigned word) {
  return fmt::format("{}word {}, bits without a name", whose, word);
}

class Lister {
 public:
  explicit Lister(const TileState& tile)
      : tile_(tile), config_(tile.machine.config), chip_(arch_params(tile.arch())) {}

  std::vector<StateField> list() {
    list_shared();
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      list_thread_words(thread);
      list_addr_mods(thread);
      list_rwc(thread);
      list_adcs(thread);
      list_gprs(thread);
      list_expander(thread);
    }
    list_vector();
    list_banks();
    list_sync();
    return std::move(fields_);
  }

 private:
  void add(StateKind kind, std::string name, std::uint32_t value, bool is_word = false) {
    fields_.push_back({kind, std::move(name), value, is_word});
  }

  void list_shared() {
    std::vector<std::uint32_t> named(chip_.config.shared_words);
    for (const ConfigPlace& place : isa::kConfigFields) {
      if (!place.exists(config_.arch())) continue;
      if (place.scope == ConfigScope::Debug) {
        const auto field = static_cast<isa::ConfigField>(&place - isa::kConfigFields.data());
        add(StateKind::Configuration, std::string(place.name), config_.get(field));
      }
      if (place.scope != ConfigScope::Shared) continue;
      const unsigned word = place.word_of(config_.arch());
      if (is_descriptor(static_cast<isa::ConfigField>(&place - isa::kConfigFields.data()))) {
        for (const DescriptorPart& part : kDescriptorParts) {
          const std::uint32_t mask = isa::low_ones(part.bits) << part.low;
          named[word + part.word] |= mask;
          list_both_banks(fmt::format("{}.{}", place.name, part.name), word + part.word, mask,
                          part.low);
        }
        continue;
      }
      named[word] |= place.mask(config_.arch());
      list_both_banks(std::string(place.name), word, place.mask(config_.arch()),
                      place.low(config_.arch()));
    }
    for (unsigned word = 0; word < named.size(); ++word)
      if (named[word] != ~0U) list_both_banks(unnamed("", word), word, ~named[word], 0);
  }

  void list_both_banks(std::string name, unsigned word, std::uint32_t mask, unsigned low) {
    add(StateKind::Configuration, name, (config_.shared_word(0, word) & mask) >> low);
    if (word < chip_.config.global_base)
      add(StateKind::Configuration, std::move(name) + ", bank 1",
          (config_.shared_word(1, word) & mask) >> low);
  }

  bool is_addr_mod_word(unsigned word) const {
    for (unsigned section = 0; section < kAddrModSections; ++section) {
      if (word == chip_.config.addr_mod_ab_word + chip_.config.addr_mod_ab_stride * section ||
          word == chip_.config.addr_mod_dst_word + section ||
          word == chip_.config.addr_mod_bias_word + section)
        return true;
    }
    return false;
  }

  void list_thread_words(unsigned thread) {
    std::vector<std::uint32_t> named(chip_.config.thread_words);
    for (std::size_t i = 0; i < isa::kConfigFields.size(); ++i) {
      const ConfigPlace& place = isa::kConfigFields[i];
      if (place.scope != ConfigScope::Thread || !place.exists(config_.arch())) continue;
      named[place.word_of(config_.arch())] |= place.mask(config_.arch());
      add(StateKind::Configuration, fmt::format("T{} {}", thread, place.name),
          config_.get(static_cast<isa::ConfigField>(i), thread));
    }
    for (unsigned word = 0; word < named.size(); ++word) {
      const std::uint32_t rest = ~named[word] & ((1U << kThreadWordBits) - 1);
      if (rest == 0 || is_addr_mod_word(word)) continue;
      add(StateKind::Configuration, unnamed(fmt::format("T{} ", thread), word),
          config_.thread_word(thread, word) & rest);
    }
  }

  AddrModSection section_of(unsigned thread, unsigned section) const {
    const auto word = [&](unsigned at) {
      return static_cast<std::uint16_t>(config_.thread_word(thread, at));
    };
    const auto& places = chip_.config;
    return unpack_addr_mod(
        {.ab = word(places.addr_mod_ab_word + places.addr_mod_ab_stride * section),
         .dst = word(places.addr_mod_dst_word + section),
         .bias = word(places.addr_mod_bias_word + section)});
  }

  void list_addr_mods(unsigned thread) {
    for (unsigned section = 0; section < kAddrModSections; ++section) {
      const AddrModSection s = section_of(thread, section);
      const auto put = [&](std::string_view field, std::uint32_t value) {
        add(StateKind::AddrMod, fmt::format("T{} ADDR_MOD {} {}", thread, section, field), value);
      };
      put("srca.incr", s.srca_increment);
      put("srca.cr", s.srca_cr ? 1 : 0);
      put("srca.clr", s.srca_clear ? 1 : 0);
      put("srcb.incr", s.srcb_increment);
      put("srcb.cr", s.srcb_cr ? 1 : 0);
      put("srcb.clr", s.srcb_clear ? 1 : 0);
      put("dest.incr", s.dst_increment);
      put("dest.cr", s.dst_cr ? 1 : 0);
      put("dest.clr", s.dst_clear ? 1 : 0);
      put("dest.c_to_cr", s.dst_c_to_cr ? 1 : 0);
      put("fidelity.incr", s.fidelity_increment);
      put("fidelity.clr", s.fidelity_clear ? 1 : 0);
      put("bias.incr", s.bias_increment);
      put("bias.clr", s.bias_clear ? 1 : 0);
    }
  }

  void list_rwc(unsigned thread) {
    const Rwc& rwc =
        thread == config_.thread() ? tile_.machine.rwc : tile_.machine.waiting[thread].rwc;
    const auto put = [&](std::string_view counter, std::uint32_t value) {
      add(StateKind::Counter, fmt::format("T{} RWC {}", thread, counter), value);
    };
    put("Dst", rwc.dst);
    put("Dst_Cr", rwc.dst_cr);
    put("SrcA", rwc.srca);
    put("SrcA_Cr", rwc.srca_cr);
    put("SrcB", rwc.srcb);
    put("SrcB_Cr", rwc.srcb_cr);
    put("FidelityPhase", rwc.fidelity);
    put("ExtraAddrModBit", rwc.bias);
    put("SP", rwc.sp);
  }

  void list_adcs(unsigned thread) {
    constexpr std::array<std::string_view, kCountedUnits> kUnits{"unpacker 0", "unpacker 1",
                                                                 "packers"};
    for (unsigned unit = 0; unit < kCountedUnits; ++unit) {
      for (unsigned channel = 0; channel < 2; ++channel) {
        for (unsigned axis = 0; axis < kAxes; ++axis) {
          const AddressCounter& counter =
              tile_.counters.of(thread, unit)[channel][static_cast<Axis>(axis)];
          std::string name =
              fmt::format("T{} ADC {}, channel {} {}", thread, kUnits[unit], channel, "XYZW"[axis]);
          add(StateKind::Counter, name + "_Cr", counter.cr);
          add(StateKind::Counter, std::move(name), counter.value);
        }
      }
    }
  }

  void list_gprs(unsigned thread) {
    const auto& gpr =
        thread == config_.thread() ? tile_.machine.gpr : tile_.machine.waiting[thread].gpr;
    for (unsigned i = 0; i < gpr.size(); ++i)
      add(StateKind::Gpr, fmt::format("T{} GPR {}", thread, i), gpr[i]);
  }

  void list_expander(unsigned thread) {
    constexpr unsigned kLoopCounts = 2; // words 0 and 1 are numbers, or flags
    const Expander& expander = tile_.thread[thread].expander;
    for (unsigned i = 0; i < kMopWords; ++i)
      add(StateKind::Mop, fmt::format("T{} MopCfg {}", thread, i), expander.mop().word(i),
          i >= kLoopCounts);
    add(StateKind::Mop, fmt::format("T{} MOP_CFG mask", thread), expander.mop().mask_high());
    for (unsigned slot = 0; slot < Expander::kSlots; ++slot)
      add(StateKind::Replay, fmt::format("T{} replay {}", thread, slot),
          expander.recorded_word(slot), true);
  }

  void list_vector() {
    const VectorState& vector = tile_.machine.vector;
    for (unsigned column = 0; column < kColumns; ++column)
      add(StateKind::Sfpu, fmt::format("LaneConfig, column {}", column),
          vector.lane_config[column]);
    for (unsigned lreg = kFirstProgrammedLReg; lreg <= kLastProgrammedLReg; ++lreg) {
      for (unsigned lane = 0; lane < kLanes; ++lane)
        add(StateKind::Sfpu, fmt::format("LReg[{}], lane {}", lreg, lane), vector.lreg[lreg][lane]);
    }
    for (unsigned column = 0; column < kColumns; ++column) {
      const LoadMacroConfig& macro = vector.macro;
      for (unsigned i = 0; i < macro.instruction_template.size(); ++i)
        add(StateKind::Sfpu, fmt::format("macro instruction {}, column {}", i, column),
            macro.instruction_template[i][column], true);
      for (unsigned i = 0; i < macro.sequence.size(); ++i)
        add(StateKind::Sfpu, fmt::format("macro sequence {}, column {}", i, column),
            macro.sequence[i][column]);
      add(StateKind::Sfpu, fmt::format("macro misc, column {}", column), macro.misc[column]);
    }
    add(StateKind::Sfpu, "UseLaneFlagsForLaneEnable", vector.use_flags);
    add(StateKind::Sfpu, "LaneFlags", vector.flags);
    add(StateKind::Sfpu, "lanes with an empty flag stack", vector.stack.empty_lanes());
  }

  void list_banks() {
    const std::array files{std::pair{"SrcA", &tile_.machine.srca},
                           std::pair{"SrcB", &tile_.machine.srcb}};
    for (unsigned unit = 0; unit < files.size(); ++unit) {
      const auto& [name, file] = files[unit];
      add(StateKind::Bank, fmt::format("{}, bank of the Matrix Unit", name), file->current);
      add(StateKind::Bank, fmt::format("{}, bank of the unpacker", name), file->filling);
      for (unsigned bank = 0; bank < kSourceBanks; ++bank) {
        add(StateKind::Bank, fmt::format("{} bank {}, the Matrix Unit's", name, bank),
            file->owned_by_matrix_unit[bank] ? 1 : 0);
        add(StateKind::Bank, fmt::format("{} bank {}, implied format", name, bank),
            file->format[bank]);
      }
      for (unsigned thread = 0; thread < kThreads; ++thread) {
        add(StateKind::Bank, fmt::format("T{} unpacker {} SrcRow", thread, unit),
            tile_.unpacker[unit].row[thread]);
        add(StateKind::Bank, fmt::format("T{} unpacker {} context", thread, unit),
            tile_.unpacker[unit].context[thread]);
      }
    }
  }

  void list_sync() {
    for (unsigned i = 0; i < kSemaphores; ++i) {
      add(StateKind::Sync, fmt::format("semaphore {}", i), tile_.sync.semaphore[i].value);
      add(StateKind::Sync, fmt::format("semaphore {} max", i), tile_.sync.semaphore[i].max);
    }
    for (unsigned i = 0; i < kMutexes; ++i)
      add(StateKind::Sync, fmt::format("mutex {} owner", i),
          tile_.sync.mutex[i].owner.value_or(kThreads));
  }

  const TileState& tile_;
  const ConfigState& config_;
  const ArchParams& chip_;
  std::vector<StateField> fields_;
};

} // namespace

std::string_view state_kind_name(StateKind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

std::string state_kind_names() {
  return fmt::format("{}", fmt::join(kKindNames, ", "));
}

std::optional<StateKind> parse_state_kind(std::string_view name) {
  const auto* const found = std::ranges::find(kKindNames, name);
  if (found == kKindNames.end()) return std::nullopt;
  return static_cast<StateKind>(found - kKindNames.begin());
}

std::vector<StateField> state_fields(const TileState& tile) {
  return Lister(tile).list();
}

std::vector<FieldChange> field_changes(const std::vector<StateField>& before,
                                       const std::vector<StateField>& after) {
  std::vector<FieldChange> changes;
  for (std::size_t i = 0; i < before.size() && i < after.size(); ++i) {
    if (before[i].value == after[i].value) continue;
    changes.push_back({.kind = after[i].kind,
                       .name = after[i].name,
                       .before = before[i].value,
                       .after = after[i].value,
                       .is_word = after[i].is_word});
  }
  return changes;
}

} // namespace lanewise::tile
