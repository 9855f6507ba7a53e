// What raw words really execute, where the kernel's own REPLAY records and plays some of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace lanewise::compiler {

/// The replay buffer, as far as the kernel's own words fill it.
class ReplayContents {
 public:
  /// What executes where a raw word stands: itself; nothing, if it is only recorded; or what REPLAY
  /// plays. Nothing known (nullopt) where REPLAY plays a slot that something else has filled.
  std::optional<std::vector<std::uint32_t>> executed(std::uint32_t word);

  /// An instruction that is no raw word: if it is recorded, its slot counts as filled by something
  /// else.
  void pass_instruction();

 private:
  bool record(std::optional<std::uint32_t> word);

  static constexpr unsigned kSlots = 32; // both chips
  std::array<std::optional<std::uint32_t>, kSlots> slots_;
  unsigned next_ = 0, left_ = 0; ///< of the recording that is under way
  bool executes_ = false;        ///< while it is recorded
};

} // namespace lanewise::compiler
