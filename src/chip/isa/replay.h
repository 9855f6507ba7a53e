// REPLAY: its fields, and which words it records.
#pragma once

#include <cstdint>
#include <optional>

namespace lanewise::isa {

/// REPLAY's fields (ISA REPLAY).
struct ReplayCommand {
  unsigned index; ///< the first slot; slots count on modulo ArchParams::front_end.replay_slots
  unsigned count; ///< 1..64
  bool execute;   ///< what is recorded executes as well
  bool load;      ///< records, else plays
};

inline constexpr std::uint32_t kReplayOpcode = 0x04; ///< on both chips, which encode it alike

constexpr bool is_replay(std::uint32_t word) {
  return word >> 24 == kReplayOpcode;
}

/// Of a word that is a REPLAY; nothing of others.
std::optional<ReplayCommand> replay_command(std::uint32_t word);

/// Follows the words of a program as they come to the replay expander.
class RecordedWords {
 public:
  /// Whether a REPLAY before it records the next word, instead of anybody looking at it.
  bool records(std::uint32_t word) {
    if (missing_ > 0) {
      --missing_;
      return true;
    }
    const auto command = replay_command(word);
    if (command && command->load) missing_ = command->count;
    return false;
  }
  /// How many words are still to be recorded.
  unsigned missing() const { return missing_; }

 private:
  unsigned missing_ = 0;
};

} // namespace lanewise::isa
