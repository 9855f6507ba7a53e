// Whether a core only looks, again and again, at what does not change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace lanewise::section {

/// Follows the loads of a core. A loop that waits loads the same from the same places; a core that
/// does nothing else cannot be told from one that waits, and need not be woken before something
/// has changed.
class Polling {
 public:
  /// After a load by the instruction at `code` of `value`. True: the core has seen nothing new for
  /// a while.
  bool loaded(std::uint64_t code, std::uint32_t address, std::uint32_t value) {
    const auto [place, is_new] = seen_.try_emplace(std::pair(code, address), value);
    const bool is_known = !is_new && place->second == value;
    place->second = value;
    repeats_ = is_known ? repeats_ + 1 : 0;
    return repeats_ > kPatience;
  }

  /// Whether loaded() would say that the core finds what it has found there at least twice.
  bool finds_again(std::uint64_t code, std::uint32_t address, std::uint32_t value) const {
    const auto place = seen_.find(std::pair(code, address));
    return repeats_ > 1 && place != seen_.end() && place->second == value;
  }

  /// At how many it has looked since it last did something else.
  std::size_t places() const { return seen_.size(); }

  /// Whether the last load has found what was there before.
  bool repeats() const { return repeats_ > 0; }

  bool is_patient() const { return repeats_ <= kPatience; }

  /// After anything else that the core does.
  void acted() {
    seen_.clear();
    repeats_ = 0;
  }

 private:
  /// Loops that only pass the time, and those that look at several places, get through.
  static constexpr unsigned kPatience = 64;

  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> seen_;
  unsigned repeats_ = 0;
};

} // namespace lanewise::section
