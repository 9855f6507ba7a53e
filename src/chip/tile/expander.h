// The MOP expander and the replay buffer of one thread, fed word by word (core.md 5).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "chip/isa/program.h"
#include "chip/machine/frontend/mop_expander.h"
#include "chip/tile/findings.h"

namespace lanewise::tile {

/// What a pushed word has come to behind the expanders.
struct Expansion {
  std::size_t instructions = 0;
  bool is_mop = false;
  unsigned replays = 0; ///< REPLAYs among what a MOP has come to
};

class Expander {
 public:
  void configure_mop(unsigned index, std::uint32_t value, std::uint32_t line) {
    mop_.configure(index, value, line);
  }

  /// Takes in a word that a core has pushed; what comes out of the replay expander is appended to
  /// `out`. What is wrong is put into `log`.
  Expansion push(const ProgramWord& word, unsigned thread, std::vector<ProgramWord>& out,
                 FindingLog& log);

  /// Instructions that a REPLAY still waits for to record.
  unsigned left_to_record() const { return recording_; }

  static constexpr unsigned kSlots = 32;

  const MopExpander& mop() const { return mop_; }
  /// What a slot of the replay buffer holds; 0 before something is recorded there.
  std::uint32_t recorded_word(unsigned slot) const { return slot_[slot].word; }

 private:
  /// How many REPLAYs were among it.
  unsigned expand_mop(const ProgramWord& word, unsigned thread, std::vector<ProgramWord>& out,
                      FindingLog& log);
  /// Whether it was a REPLAY that has been played.
  bool replay_or_pass(const ProgramWord& word, unsigned thread, std::vector<ProgramWord>& out,
                      FindingLog& log);
  void record(const ProgramWord& word, unsigned thread, std::vector<ProgramWord>& out,
              FindingLog& log);

  MopExpander mop_;
  std::array<ProgramWord, kSlots> slot_{};
  std::uint32_t recorded_ = 0; ///< bit i: slot i has been recorded
  unsigned next_ = 0;          ///< slot of the next instruction to record
  unsigned recording_ = 0;     ///< as many more
  bool executes_ = false;      ///< what is recorded is executed, too
};

} // namespace lanewise::tile
