#include "chip/tile/config_words.h"

#include <fmt/format.h>

#include "chip/isa/config.h"
#include "chip/machine/config_effects.h"

namespace lanewise::tile {

namespace {

/// Where a word of the range lies.
struct ConfigWord {
  enum class Place : std::uint8_t { Bank, BothBanks, Thread, Nowhere };
  Place place = Place::Nowhere;
  unsigned number = 0; ///< of the bank or the thread
  unsigned word = 0;
};

ConfigWord find_word(Arch arch, std::uint32_t index) {
  using Place = ConfigWord::Place;
  const ArchParams& chip = arch_params(arch);
  const std::uint32_t words = chip.config.shared_words;
  if (index < 2 * words) return {Place::Bank, index / words, index % words};
  index -= 2 * words;
  if (chip.config.writes_both) {
    if (index < words) return {Place::BothBanks, 0, index};
    index -= words;
  }
  const std::uint32_t of_thread = chip.config.thread_words;
  if (index < kThreads * of_thread) return {Place::Thread, index / of_thread, index % of_thread};
  return {};
}

Unexpected nothing_there(std::string_view what, std::uint32_t index) {
  return Unexpected(Fault{.kind = FaultKind::UndefinedBehavior,
                          .message = fmt::format("{} word {} of the configuration", what, index),
                          .remedy = "docs/tile.md says what lies where"});
}

void write_bank(MachineState& s, unsigned bank, unsigned word, std::uint32_t value,
                std::uint32_t line) {
  s.config.write_bank(bank, word, value, ~0U);
  if (word == isa::config_place(isa::ConfigField::STATE_RESET_EN).word_of(s.config.arch()))
    s.config.clear_bank(bank);
  after_config_write(s, isa::ConfigScope::Shared, word, 0, line);
}

} // namespace

Expected<std::optional<std::uint32_t>> load_config_word(const ConfigState& config,
                                                        std::uint32_t index) {
  const ConfigWord found = find_word(config.arch(), index);
  if (found.place == ConfigWord::Place::Bank) return config.shared_word(found.number, found.word);
  if (found.place == ConfigWord::Place::Thread) return config.thread_word(found.number, found.word);
  return nothing_there("nothing can be read of", index);
}

Expected<bool> store_config_word(MachineState& s, std::uint32_t index, std::uint32_t value,
                                 std::uint32_t line) {
  using Place = ConfigWord::Place;
  const ConfigWord found = find_word(s.config.arch(), index);
  switch (found.place) {
    case Place::Bank: write_bank(s, found.number, found.word, value, line); return true;
    case Place::BothBanks:
      for (unsigned bank = 0; bank < 2; ++bank) write_bank(s, bank, found.word, value, line);
      return true;
    case Place::Thread: return nothing_there("a core cannot write", index);
    case Place::Nowhere: break;
  }
  return nothing_there("there is no", index);
}

} // namespace lanewise::tile
