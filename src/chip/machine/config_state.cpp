#include "chip/machine/config_state.h"

#include <algorithm>

#include "chip/isa/number_format.h"

namespace lanewise {

using isa::ConfigField;
using isa::ConfigPlace;
using isa::ConfigScope;

void ConfigState::set(ConfigField field, std::uint32_t value, unsigned thread) {
  const ConfigPlace& place = isa::config_place(field);
  if (!place.exists(arch_)) return;
  const std::uint32_t bits = (value << place.low(arch_)) & place.mask(arch_);
  const unsigned word = place.word_of(arch_);
  const auto replaced = [&](std::uint32_t old) { return (old & ~place.mask(arch_)) | bits; };
  switch (place.scope) {
    case ConfigScope::Thread:
      thread_[thread][word] = static_cast<std::uint16_t>(replaced(thread_[thread][word]));
      break;
    case ConfigScope::Shared:
      for (auto& bank : shared_) bank[word] = replaced(bank[word]);
      break;
    case ConfigScope::Debug: debug_feature_disable_ = replaced(debug_feature_disable_); break;
  }
  derive();
}

bool ConfigState::write_shared(unsigned word, std::uint32_t value, std::uint32_t mask,
                               unsigned thread) {
  return write_bank(bank_of(thread), word, value, mask);
}

bool ConfigState::write_bank(unsigned bank, unsigned word, std::uint32_t value,
                             std::uint32_t mask) {
  if (word >= arch_params(arch_).config.shared_words) return false;
  const bool one_copy = word >= arch_params(arch_).config.global_base;
  for (unsigned each = 0; each < 2; ++each) {
    if (one_copy || each == bank)
      shared_[each][word] = (shared_[each][word] & ~mask) | (value & mask);
  }
  derive();
  return true;
}

void ConfigState::clear_bank(unsigned bank) {
  std::fill_n(shared_[bank].begin(), arch_params(arch_).config.global_base, 0);
  derive();
}

bool ConfigState::write_thread(unsigned word, std::uint16_t value, unsigned thread) {
  if (word >= arch_params(arch_).config.thread_words) return false;
  thread_[thread][word] = value;
  derive();
  return true;
}

void ConfigState::set_addr_mod(unsigned section, const AddrModSection& value) {
  const ArchParams& chip = arch_params(arch_);
  const AddrModWords packed = pack_addr_mod(value);
  auto& words = thread_[acting_];
  words[chip.config.addr_mod_ab_word + chip.config.addr_mod_ab_stride * section] = packed.ab;
  words[chip.config.addr_mod_dst_word + section] = packed.dst;
  words[chip.config.addr_mod_bias_word + section] = packed.bias;
  derive();
}

DstMode ConfigState::srcb_mode() const {
  if (get(ConfigField::ALU_ACC_CTRL_SFPU_Fp32_enabled) != 0) return DstMode::Fp32;
  std::uint32_t format = get(get(ConfigField::ALU_FORMAT_SPEC_REG_SrcB_override) != 0
                                 ? ConfigField::ALU_FORMAT_SPEC_REG_SrcB_val
                                 : ConfigField::ALU_FORMAT_SPEC_REG1_SrcB);
  if (get(ConfigField::SFPU_DEST_FMT_Enable) != 0) format = get(ConfigField::SFPU_DEST_FMT_Base);
  return (isa::kExponent8Codes >> format & 1U) != 0 ? DstMode::Bf16 : DstMode::Fp16;
}

/// Flat, so that fields are looked up while compiling: threads that take turns come here each time.
[[gnu::flatten]] void ConfigState::derive() {
  // Where the compiler knows the chip, the places of fields are constants.
  with_chip(arch_, [this]<Arch A>(Chip<A>) {
    derive_dst();
    derive_matrix();
  });
}

void ConfigState::derive_matrix() {
  MatrixSettings& settings = matrix_settings_;
  const auto format = [&](ConfigField field) { return static_cast<isa::DataFormat>(get(field)); };
  const bool overridden = get(ConfigField::ALU_FORMAT_SPEC_REG_SrcA_override) != 0;
  settings.srca = format(overridden ? ConfigField::ALU_FORMAT_SPEC_REG_SrcA_val
                                    : ConfigField::ALU_FORMAT_SPEC_REG0_SrcA);
  settings.srcb = format(ConfigField::ALU_FORMAT_SPEC_REG1_SrcB);
  const bool implied = arch_params(arch_).matrix.has_implied_formats;
  settings.implies_srca = implied && get(ConfigField::DISABLE_IMPLIED_SRCA_FMT_Base) == 0;
  settings.implies_srcb = implied && get(ConfigField::DISABLE_IMPLIED_SRCB_FMT_Base) == 0;
  settings.forces_fp16 = get(ConfigField::FP16A_FORCE_Enable) != 0;
  settings.int8 = get(ConfigField::ALU_ACC_CTRL_INT8_math_enabled) != 0;
  settings.wide = get(ConfigField::ALU_ACC_CTRL_Fp32_enabled) != 0;
  settings.keeps_denormals = get(ConfigField::ALU_ACC_CTRL_Zero_Flag_disabled_src) != 0;
  settings.rounds_randomly = get(ConfigField::ALU_ROUNDING_MODE_Fpu_srnd_en) != 0;
  settings.phase = static_cast<std::uint8_t>(get(ConfigField::FIDELITY_BASE_Phase));
}

void ConfigState::derive_dst() {
  dst_settings_.offset = get(ConfigField::DEST_TARGET_REG_CFG_MATH_Offset);
  dst_settings_.stack_base = get(ConfigField::DEST_SP_BASE_Base);
  dst_settings_.srcb = srcb_mode();
  dst_settings_.rows_stay = get(ConfigField::DEST_ACCESS_CFG_remap_addrs) == 0 &&
                            get(ConfigField::DEST_ACCESS_CFG_swizzle_32b) == 0;
  dst_settings_.high_halves = dst16_view() == Dst16View::HighHalves;
  const ArchParams& chip = arch_params(arch_);
  const unsigned fields =
      chip.front_end.addr_mod_sections / (chip.front_end.addr_mod_has_base ? 2 : 1);
  const auto stay = [&](unsigned bias) {
    Rwc rwc;
    rwc.bias = bias;
    unsigned fields_that_stay = 0;
    for (unsigned field = 0; field < fields; ++field) {
      const AddrModWords words = addr_mod_words(field, rwc);
      fields_that_stay |= static_cast<unsigned>((words.ab | words.dst | words.bias) == 0) << field;
    }
    return fields_that_stay;
  };
  const unsigned without_bias = stay(0);
  const unsigned with_bias = chip.front_end.addr_mod_has_base ? stay(1) : without_bias;
  dst_settings_.sections_that_stay = static_cast<std::uint16_t>(without_bias | with_bias << 8);
}

} // namespace lanewise
