// Releases of SFPI, by which kernels are read and compiled: 100 * major + minor, so 738 is 7.38.
#pragma once

#include <string>
#include <string_view>

#include "base/fault.h"

namespace lanewise::compiler {

/// The first developer reference, 5.0; stands for every release before 7.38.
inline constexpr int kFirstEpoch = 500;
/// The first of the releases that are told apart, all of them up to kNewestEpoch.
inline constexpr int kOldestMinor = 738;
/// The newest release that is known.
inline constexpr int kNewestEpoch = 780;

constexpr bool is_epoch(int epoch) {
  return epoch == kFirstEpoch || (epoch >= kOldestMinor && epoch <= kNewestEpoch);
}

/// "7.38" of 738.
std::string epoch_text(int epoch);

/// A release as a user writes it: 7.38, 7.75.1 (the patch does not matter), 738, 5.0. Error:
/// BadInput for what is no release, or one that is not known.
Expected<int> parse_epoch(std::string_view text);

} // namespace lanewise::compiler
