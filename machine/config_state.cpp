#include "machine/config_state.h"

namespace lanewise {

using isa::ConfigField;
using isa::ConfigPlace;
using isa::ConfigScope;

static_assert(kBlackhole.shared_config_words <= 224 && kWormhole.shared_config_words <= 224);
static_assert(kBlackhole.thread_config_words <= 68 && kWormhole.thread_config_words <= 68);

void ConfigState::set(ConfigField field, std::uint32_t value, unsigned thread) {
  const ConfigPlace& place = isa::config_place(field);
  if (!place.exists(arch_)) return;
  const std::uint32_t bits = (value << place.low) & place.mask();
  const unsigned word = place.word_of(arch_);
  const auto replaced = [&](std::uint32_t old) { return (old & ~place.mask()) | bits; };
  switch (place.scope) {
    case ConfigScope::Thread:
      thread_[thread][word] = static_cast<std::uint16_t>(replaced(thread_[thread][word]));
      break;
    case ConfigScope::Shared:
      for (auto& bank : shared_) bank[word] = replaced(bank[word]);
      break;
    case ConfigScope::Debug: debug_feature_disable_ = replaced(debug_feature_disable_); break;
  }
}

bool ConfigState::write_shared(unsigned word, std::uint32_t value, std::uint32_t mask,
                               unsigned thread) {
  if (word >= arch_params(arch_).shared_config_words) return false;
  const bool one_copy = word >= arch_params(arch_).global_config_base;
  const unsigned state_id = thread_[thread][0] & 1U;
  for (unsigned bank = 0; bank < 2; ++bank) {
    if (one_copy || bank == state_id)
      shared_[bank][word] = (shared_[bank][word] & ~mask) | (value & mask);
  }
  return true;
}

bool ConfigState::write_thread(unsigned word, std::uint16_t value, unsigned thread) {
  if (word >= arch_params(arch_).thread_config_words) return false;
  thread_[thread][word] = value;
  return true;
}

void ConfigState::set_addr_mod(unsigned section, const AddrModSection& value, unsigned thread) {
  const ArchParams& chip = arch_params(arch_);
  const AddrModWords packed = pack_addr_mod(value);
  auto& words = thread_[thread];
  words[chip.addr_mod_ab_word + chip.addr_mod_ab_stride * section] = packed.ab;
  words[chip.addr_mod_dst_word + section] = packed.dst;
  words[chip.addr_mod_bias_word + section] = packed.bias;
}

} // namespace lanewise
