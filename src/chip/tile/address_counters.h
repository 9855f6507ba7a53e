// Address counters (ADCs) of unpackers and packers: X, Y, Z and W, by thread (core.md 10).
#pragma once

#include <array>
#include <cstdint>

#include "chip/isa/arch.h"
#include "chip/machine/config_state.h"

namespace lanewise::tile {

enum class Axis : std::uint8_t { X, Y, Z, W };
inline constexpr unsigned kAxes = 4;

/// A counter and the copy that ADDRCR counts from.
struct AddressCounter {
  std::uint32_t value = 0, cr = 0;

  friend bool operator==(const AddressCounter&, const AddressCounter&) = default;
};

/// One of the two sets of a unit: channel 0 is where it reads, channel 1 where it writes, but for
/// X, which says the first and the last datum.
struct Channel {
  std::array<AddressCounter, kAxes> counter;

  AddressCounter& operator[](Axis axis) { return counter[static_cast<std::size_t>(axis)]; }
  const AddressCounter& operator[](Axis axis) const {
    return counter[static_cast<std::size_t>(axis)];
  }

  friend bool operator==(const Channel&, const Channel&) = default;
};

using UnitCounters = std::array<Channel, 2>;

/// Units that have counters, by number.
inline constexpr unsigned kPackerCounters = 2; ///< after unpacker 0 and unpacker 1
inline constexpr unsigned kCountedUnits = 3;

struct AddressCounters {
  std::array<std::array<UnitCounters, kCountedUnits>, kThreads> of_thread;

  UnitCounters& of(unsigned thread, unsigned unit) { return of_thread[thread][unit]; }
  const UnitCounters& of(unsigned thread, unsigned unit) const { return of_thread[thread][unit]; }

  friend bool operator==(const AddressCounters&, const AddressCounters&) = default;
};

/// The bits that a counter has.
constexpr std::uint32_t counter_mask(Arch arch, Axis axis) {
  constexpr unsigned kXBits = 18, kYBits = 13;
  if (axis == Axis::X) return (1U << kXBits) - 1;
  return (1U << (axis == Axis::Y ? kYBits : arch_params(arch).tile.adc_zw_bits)) - 1;
}

} // namespace lanewise::tile
