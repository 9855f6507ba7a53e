// When banks of SrcA and SrcB change hands: an instruction that hands one over has begun before the
// other side sees it (core.md 12.4, 13; MU 1.2).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "chip/machine/state.h"

namespace lanewise::clock {

/// Which bank belongs to whom, and at which the Matrix Unit is, as values go.
struct BankOwners {
  std::array<std::array<bool, kSourceBanks>, 2> of_matrix_unit{};
  std::array<std::uint8_t, 2> current{};

  friend bool operator==(const BankOwners&, const BankOwners&) = default;
};

class SourceClock {
 public:
  static BankOwners owners(const MachineState& state) {
    return {{state.srca.owned_by_matrix_unit, state.srcb.owned_by_matrix_unit},
            {state.srca.current, state.srcb.current}};
  }

  /// Banks that have changed hands are there for the other side from `cycle` on.
  void change(const BankOwners& before, const BankOwners& after, std::uint64_t cycle) {
    static_assert(std::has_unique_object_representations_v<BankOwners>);
    if (std::memcmp(&before, &after, sizeof before) == 0) return; // as mostly
    for (unsigned source = 0; source < 2; ++source) {
      if (before.current[source] != after.current[source]) went_on_[source] = cycle;
      for (unsigned bank = 0; bank < kSourceBanks; ++bank) {
        if (before.of_matrix_unit[source][bank] != after.of_matrix_unit[source][bank])
          from_[source][bank] = std::max(from_[source][bank], cycle);
      }
    }
  }

  /// The cycle from which a bank is with its present owner.
  std::uint64_t from(unsigned source, unsigned bank) const { return from_[source][bank]; }

  /// The cycle from which the Matrix Unit is at its present bank.
  std::uint64_t went_on(unsigned source) const { return went_on_[source]; }

 private:
  std::array<std::uint64_t, 2> went_on_{};
  std::array<std::array<std::uint64_t, kSourceBanks>, 2> from_{};
};

} // namespace lanewise::clock
