// The configuration registers: thread-agnostic words in two banks, each thread's own words, and the
// debug register that Dst looks at.
#pragma once

#include <array>
#include <cstdint>

#include "chip/isa/config.h"
#include "chip/machine/counters.h"
#include "chip/machine/dst.h"
#include "chip/machine/dst_mode.h"
#include "chip/machine/matrix/settings.h"

namespace lanewise {

inline constexpr unsigned kThreads = 3;
/// The bit of DBG_FEATURE_DISABLE that makes 16-bit accesses to Dst mean high halves.
inline constexpr std::uint32_t kHighHalfView = 1U << 11;
/// The thread that runs the math kernels, T1: the one that a program runs on unless a whole tile
/// does.
inline constexpr unsigned kMathThread = 1;

class ConfigState {
 public:
  explicit ConfigState(Arch arch) : arch_(arch) { derive(); }

  /// The thread whose instructions are executed: what is derived, and what has no `thread` as a
  /// parameter, is as that one sees it. At first the math thread.
  unsigned thread() const { return acting_; }
  void act_for(unsigned thread) {
    if (thread == acting_) return;
    acting_ = thread;
    derive();
  }

  /// Value of a field as a thread sees it; 0 for a field that the chip lacks.
  std::uint32_t get(isa::ConfigField field) const { return get(field, acting_); }
  std::uint32_t get(isa::ConfigField field, unsigned thread) const;

  /// A thread-agnostic word of a bank, or a word of a thread. Preconditions: the chip has it.
  std::uint32_t shared_word(unsigned bank, unsigned word) const { return shared_[bank][word]; }
  std::uint32_t thread_word(unsigned thread, unsigned word) const { return thread_[thread][word]; }
  /// The bank of thread-agnostic words that a thread uses, CFG_STATE_ID_StateID.
  unsigned bank_of(unsigned thread) const { return thread_[thread][0] & 1U; }

  /// Sets a field: in both banks, in one thread's words, or the debug register.
  void set(isa::ConfigField field, std::uint32_t value) { set(field, value, acting_); }
  void set(isa::ConfigField field, std::uint32_t value, unsigned thread);

  /// Replaces the bits of `mask` in a thread-agnostic word of the thread's bank; words from
  /// ArchParams::config.global_base on change in both banks. False if the chip has no such word.
  bool write_shared(unsigned word, std::uint32_t value, std::uint32_t mask, unsigned thread);

  /// The same in a bank that is named: what a core stores (ISA BackendConfiguration).
  bool write_bank(unsigned bank, unsigned word, std::uint32_t value, std::uint32_t mask);

  /// STATE_RESET_EN: zeros in all words of a bank that there are two of (core.md 9).
  void clear_bank(unsigned bank);

  /// Every word anew, with what `next` gives: the same in both banks, then thread by thread.
  template <class Next>
  void set_every_word(Next&& next) {
    for (std::uint32_t& word : shared_[0]) word = next();
    shared_[1] = shared_[0];
    for (auto& words : thread_) {
      for (std::uint16_t& word : words) word = static_cast<std::uint16_t>(next());
    }
    debug_feature_disable_ = next();
    derive();
  }

  /// SETC16. False if the thread has no such word.
  bool write_thread(unsigned word, std::uint16_t value, unsigned thread);

  /// By bit 11 of DBG_FEATURE_DISABLE (ISA Dst, MU 1.1).
  Dst16View dst16_view() const {
    return (debug_feature_disable_ & kHighHalfView) != 0 ? Dst16View::HighHalves : Dst16View::Rows;
  }

  /// The section that an AddrMod field selects: on Wormhole + 4 with the bias bit or
  /// ADDR_MOD_SET_Base.
  AddrModSection addr_mod(unsigned field, const Rwc& rwc) const {
    return unpack_addr_mod(addr_mod_words(field, rwc));
  }
  /// The same, not unpacked.
  AddrModWords addr_mod_words(unsigned field, const Rwc& rwc) const;

  /// Section 0..7 itself.
  AddrModSection addr_mod_section(unsigned section) const {
    return unpack_addr_mod(section_words(section));
  }
  void set_addr_mod(unsigned section, const AddrModSection& value);

  Arch arch() const { return arch_; }

  const DstSettings& dst_settings() const { return dst_settings_; }
  const MatrixSettings& matrix_settings() const { return matrix_settings_; }

  friend bool operator==(const ConfigState&, const ConfigState&) = default;

 private:
  static constexpr unsigned kMaxSharedWords =
      largest_of_archs([](const ArchParams& chip) { return chip.config.shared_words; });
  static constexpr unsigned kMaxThreadWords =
      largest_of_archs([](const ArchParams& chip) { return chip.config.thread_words; });

  AddrModWords section_words(unsigned section) const;
  /// What follows from the words, after each write of one.
  void derive();
  void derive_dst();
  void derive_matrix();
  DstMode srcb_mode() const;

  Arch arch_;
  unsigned acting_ = kMathThread;
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
  if (place.scope == isa::ConfigScope::Debug) return debug_feature_disable_ & place.mask(arch_);
  const unsigned word = place.word_of(arch_);
  if (place.scope == isa::ConfigScope::Thread) {
    return (thread_[thread][word] & place.mask(arch_)) >> place.low(arch_);
  }
  return (shared_[bank_of(thread)][word] & place.mask(arch_)) >> place.low(arch_);
}

inline AddrModWords ConfigState::addr_mod_words(unsigned field, const Rwc& rwc) const {
  unsigned section = field;
  if (arch_params(arch_).front_end.addr_mod_has_base &&
      (rwc.bias != 0 || get(isa::ConfigField::ADDR_MOD_SET_Base) != 0)) {
    section += 4;
  }
  return section_words(section);
}

inline AddrModWords ConfigState::section_words(unsigned section) const {
  const ArchParams& chip = arch_params(arch_);
  const auto& words = thread_[acting_];
  return {.ab = words[chip.config.addr_mod_ab_word + chip.config.addr_mod_ab_stride * section],
          .dst = words[chip.config.addr_mod_dst_word + section],
          .bias = words[chip.config.addr_mod_bias_word + section]};
}

} // namespace lanewise
