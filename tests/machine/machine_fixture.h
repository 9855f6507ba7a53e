// Short ways into and out of a machine, so that a test is a few lines of assembly and what must
// result.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "chip/machine/machine.h"
#include "source/assembly/assembly.h"

namespace lanewise::test {

/// The 32 lanes of a register, printed in hexadecimal when a comparison fails.
struct Lanes {
  std::array<std::uint32_t, kLanes> value{};

  std::uint32_t& operator[](std::size_t lane) { return value[lane]; }
  std::uint32_t operator[](std::size_t lane) const { return value[lane]; }
  friend bool operator==(const Lanes&, const Lanes&) = default;
  friend void PrintTo(const Lanes& lanes, std::ostream* out) {
    for (std::uint32_t v : lanes.value) *out << fmt::format("{:08X} ", v);
  }
};

/// The same value in every lane.
inline Lanes all(std::uint32_t value) {
  Lanes lanes;
  lanes.value.fill(value);
  return lanes;
}

/// function(lane) in every lane.
template <class Function>
Lanes by_lane(Function&& function) {
  Lanes lanes;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    lanes[lane] = static_cast<std::uint32_t>(function(lane));
  }
  return lanes;
}

/// `chosen` in the lanes of a mask, `other` elsewhere.
inline Lanes blend(std::uint32_t mask, const Lanes& chosen, const Lanes& other) {
  return by_lane(
      [&](unsigned lane) { return (mask >> lane & 1U) != 0 ? chosen[lane] : other[lane]; });
}
inline Lanes blend(std::uint32_t mask, std::uint32_t chosen, std::uint32_t other) {
  return blend(mask, all(chosen), all(other));
}

/// Bits of LaneFlags: lane l is set where l + offset is in the upper half of four, and so on: every
/// combination of the two masks occurs.
inline constexpr std::uint32_t kFlagsA = 0xCCCCCCCCU;
inline constexpr std::uint32_t kFlagsB = 0xAAAAAAAAU;

/// A machine and what tests do to it.
class Rig {
 public:
  explicit Rig(Arch arch) : machine_(arch) {}

  Arch arch() const { return machine_.arch(); }
  Machine& machine() { return machine_; }
  MachineState& state() { return machine_.state(); }
  VectorState& vector() { return machine_.state().vector; }
  Rwc& rwc() { return machine_.state().rwc; }

  /// Assembles and runs; all faults, in order.
  std::vector<Fault> run(std::string_view source) {
    const Expected<Program> program = assembly::assemble(arch(), source, "test.tt");
    if (!program) {
      ADD_FAILURE() << to_string(program.error());
      return {};
    }
    return machine_.run(*program);
  }

  /// Runs a program in which nothing may be wrong.
  void run_clean(std::string_view source) {
    for (const Fault& fault : run(source)) ADD_FAILURE() << to_string(fault);
  }

  Lanes lreg(unsigned index) {
    return by_lane([&](unsigned lane) { return vector().lreg[index][lane]; });
  }
  void set_lreg(unsigned index, const Lanes& lanes) {
    std::copy(lanes.value.begin(), lanes.value.end(), vector().lreg[index]);
  }
  void set_lreg(unsigned index, std::uint32_t value) { set_lreg(index, all(value)); }

  /// UseLaneFlagsForLaneEnable in every lane, with these LaneFlags.
  void predicate(std::uint32_t flags) {
    vector().use_flags = kAllLanes;
    vector().flags = flags;
  }

  /// The same LaneConfig in every column.
  void set_lane_config(std::uint32_t config) {
    std::array<std::uint32_t, kColumns> columns{};
    columns.fill(config);
    vector().set_lane_config(columns);
  }
  /// A LaneConfig in the columns of a mask, 0 in the others.
  void set_lane_config_of(std::uint32_t column_mask, std::uint32_t config) {
    std::array<std::uint32_t, kColumns> columns{};
    for (unsigned column = 0; column < kColumns; ++column) {
      if ((column_mask >> column & 1U) != 0) columns[column] = config;
    }
    vector().set_lane_config(columns);
  }

  void configure(std::string_view field, std::uint32_t value) {
    const auto done = machine_.set_config(field, value);
    if (!done) ADD_FAILURE() << to_string(done.error());
  }

  Lanes prng() {
    return by_lane([&](unsigned lane) { return vector().prng[lane]; });
  }
  void set_prng(std::uint32_t value) { std::fill_n(vector().prng, kLanes, value); }

 private:
  Machine machine_;
};

/// Tests of what both chips do alike.
class OnBothChips : public ::testing::TestWithParam<Arch> {
 protected:
  Rig rig{GetParam()};
};

/// Tests of one chip.
class OnBlackhole : public ::testing::Test {
 protected:
  Rig rig{Arch::Blackhole};
};
class OnWormhole : public ::testing::Test {
 protected:
  Rig rig{Arch::Wormhole};
};

inline std::string chip_name(const ::testing::TestParamInfo<Arch>& info) {
  return std::string(arch_params(info.param).names.id);
}

#define LANEWISE_ON_BOTH_CHIPS(suite)                                            \
  INSTANTIATE_TEST_SUITE_P(Chip, suite, ::testing::ValuesIn(::lanewise::kArchs), \
                           ::lanewise::test::chip_name)

/// Lanes of the four rows.
inline constexpr std::uint32_t kRow0 = 0x000000FFU;
inline constexpr std::uint32_t kRow1 = 0x0000FF00U;
inline constexpr std::uint32_t kRow2 = 0x00FF0000U;
inline constexpr std::uint32_t kRow3 = 0xFF000000U;

} // namespace lanewise::test
