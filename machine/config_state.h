// The configuration registers: thread-agnostic words in two banks, each thread's own words, and the
// debug register that Dst looks at.
#pragma once

#include <array>
#include <cstdint>

#include "isa/config.h"
#include "machine/counters.h"
#include "machine/dst.h"
#include "machine/dst_mode.h"
#include "machine/matrix/settings.h"

namespace lanewise {

inline constexpr unsigned kThreads = 3;
/// The bit of DBG_FEATURE_DISABLE that makes 16-bit accesses to Dst mean high halves.
inline constexpr std::uint32_t kHighHalfView = 1U << 11;
/// The thread that runs the math kernels, T1: the one whose instructions are executed here.
inline constexpr unsigned kMathThread = 1;

class ConfigState {
 public:
  explicit ConfigState(Arch arch) : arch_(arch) { derive(); }

  /// Value of a field as `thread` sees it; 0 for a field that the chip lacks.
  std::uint32_t get(isa::ConfigField field, unsigned thread = kMathThread) const;

  /// Sets a field: in both banks, in one thread's words, or the debug register.
  void set(isa::ConfigField field, std::uint32_t value, unsigned thread = kMathThread);

  /// Replaces the bits of `mask` in a thread-agnostic word of the thread's bank; words from
  /// ArchParams::global_config_base on change in both banks. False if the chip has no such word.
  bool write_shared(unsigned word, std::uint32_t value, std::uint32_t mask, unsigned thread);

  /// SETC16. False if the thread has no such word.
  bool write_thread(unsigned word, std::uint16_t value, unsigned thread);

  /// By bit 11 of DBG_FEATURE_DISABLE (ISA Dst, MU 1.1).
  Dst16View dst16_view() const {
    return (debug_feature_disable_ & kHighHalfView) != 0 ? Dst16View::HighHalves : Dst16View::Rows;
  }

  /// The section that an AddrMod field selects: on Wormhole + 4 with the bias bit or
  /// ADDR_MOD_SET_Base.
  AddrModSection addr_mod(unsigned field, const Rwc& rwc, unsigned thread = kMathThread) const {
    return unpack_addr_mod(addr_mod_words(field, rwc, thread));
  }
  /// The same, not unpacked.
  AddrModWords addr_mod_words(unsigned field, const Rwc& rwc, unsigned thread = kMathThread) const;

  /// Section 0..7 itself.
  AddrModSection addr_mod_section(unsigned section, unsigned thread = kMathThread) const {
    return unpack_addr_mod(section_words(section, thread));
  }
  void set_addr_mod(unsigned section, const AddrModSection& value, unsigned thread = kMathThread);

  Arch arch() const { return arch_; }

  const DstSettings& dst_settings() const { return dst_settings_; }
  const MatrixSettings& matrix_settings() const { return matrix_settings_; }

 private:
  static constexpr unsigned kMaxSharedWords = 224;
  static constexpr unsigned kMaxThreadWords = 68;

  AddrModWords section_words(unsigned section, unsigned thread) const;
  /// What follows from the words, after each write of one.
  void derive();
  void derive_dst();
  void derive_matrix();
  DstMode srcb_mode() const;

  Arch arch_;
  std::array<std::array<std::uint32_t, kMaxSharedWords>, 2> shared_{};
  std::array<std::array<std::uint16_t, kMaxThreadWords>, kThreads> thread_{};
  std::uint32_t debug_feature_disable_ = 0;
  DstSettings dst_settings_;
  MatrixSettings matrix_settings_;
};

// Inline, for SFPLOAD and SFPSTORE read many fields each: with the field known, little of this
// remains.

inline std::uint32_t ConfigState::get(isa::ConfigField field, unsigned thread) const {
  const isa::ConfigPlace& place = isa::config_place(field);
  if (!place.exists(arch_)) return 0;
  if (place.scope == isa::ConfigScope::Debug) return debug_feature_disable_ & place.mask();
  const unsigned word = place.word_of(arch_);
  if (place.scope == isa::ConfigScope::Thread) {
    return (thread_[thread][word] & place.mask()) >> place.low;
  }
  const unsigned bank = thread_[thread][0] & 1U; // CFG_STATE_ID_StateID
  return (shared_[bank][word] & place.mask()) >> place.low;
}

inline AddrModWords ConfigState::addr_mod_words(unsigned field, const Rwc& rwc,
                                                unsigned thread) const {
  unsigned section = field;
  if (arch_params(arch_).addr_mod_has_base &&
      (rwc.bias != 0 || get(isa::ConfigField::ADDR_MOD_SET_Base, thread) != 0)) {
    section += 4;
  }
  return section_words(section, thread);
}

inline AddrModWords ConfigState::section_words(unsigned section, unsigned thread) const {
  const ArchParams& chip = arch_params(arch_);
  const auto& words = thread_[thread];
  return {.ab = words[chip.addr_mod_ab_word + chip.addr_mod_ab_stride * section],
          .dst = words[chip.addr_mod_dst_word + section],
          .bias = words[chip.addr_mod_bias_word + section]};
}

} // namespace lanewise
