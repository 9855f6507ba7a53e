// What is asked of words again and again, looked up once.
#pragma once

#include <array>
#include <cstdint>

namespace lanewise::isa {

/// A place for each of the words of a loop. Known has `decoded`, of the word; where that has no
/// row, it is looked up each time.
template <class Known>
class WordPlaces {
 public:
  /// What look_up(word) says. Until the next call.
  template <class LookUp>
  Known& find(std::uint32_t word, LookUp&& look_up) {
    Known& place = places_[word * kSpread >> (32 - kPlaceBits)];
    if (place.decoded.word != word || place.decoded.row == nullptr) place = look_up(word);
    return place;
  }

 private:
  static constexpr unsigned kPlaceBits = 8;
  static constexpr std::uint32_t kSpread = 0x9E3779B1U; ///< 2^32 over the golden ratio

  std::array<Known, 1U << kPlaceBits> places_{};
};

} // namespace lanewise::isa
