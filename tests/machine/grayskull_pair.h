// Grayskull's machine and its model (grayskull_model.h) side by side.
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>

#include "chip/isa/program.h"
#include "chip/machine/kernel_entry.h"
#include "chip/machine/machine.h"
#include "machine/grayskull_model.h"

namespace lanewise::test {

/// The group that has a lane, by the lane's number.
inline VectorState& group_of(MachineState& state, unsigned number) {
  return number % 2 == 0 ? state.vector : state.resting[0];
}
inline const VectorState& group_of(const MachineState& state, unsigned number) {
  return number % 2 == 0 ? state.vector : state.resting[0];
}
inline std::uint32_t lane_of(const MachineState& state, unsigned lreg, unsigned number) {
  return group_of(state, number).lreg[lreg][number / 2];
}

/// Both with the same numbers in LReg[0..3] and the first 64 rows of Dst.
class GrayskullPair {
 public:
  explicit GrayskullPair(unsigned seed) : random_(seed) {
    MachineState& state = machine_.state();
    enter_kernel(state);
    for (unsigned reg = 0; reg < kLRegs; ++reg) {
      for (unsigned lane = 0; lane < GrayskullModel::kWidth; ++lane) {
        const std::uint32_t near_one = below(2) << 18 | (0x1F000 + below(0x2000));
        const std::uint32_t bits = below(3) == 0 ? below(kLaneBits + 1) : near_one;
        model_.reg[reg][lane] = bits;
        group_of(state, lane).lreg[reg][lane / 2] = wrap_lane(Arch::Grayskull, bits);
      }
    }
    for (unsigned row = 0; row < 64; ++row) {
      for (unsigned column = 0; column < kDstColumns; ++column) {
        const auto cell =
            static_cast<std::uint16_t>(below(3) == 0 ? below(0x10000) : 0x3E00 + below(0x300));
        model_.dst[row][column] = state.dst.cell[row][column] = cell;
      }
    }
  }

  /// Runs a program on both. The first thing in which they differ then; empty: they are equal.
  std::string difference_after(const Program& program) {
    for (const ProgramWord& each : program.words) {
      model_.run(each.word);
      if (model_.unknown) return fmt::format("the model does not know {:08X}", each.word);
    }
    machine_.run(program);
    for (unsigned lane = 0; lane < GrayskullModel::kWidth; ++lane) {
      if (std::string found = lane_difference(lane); !found.empty()) return found;
    }
    const MachineState& state = machine_.state();
    for (unsigned row = 0; row < kDstRows; ++row) {
      for (unsigned column = 0; column < kDstColumns; ++column) {
        const unsigned found = state.dst.cell[row][column], expected = model_.dst[row][column];
        if (found != expected)
          return fmt::format("Dst[{}][{}]: {:04X}, not {:04X}", row, column, found, expected);
      }
    }
    if (state.rwc.dst == model_.counter) return "";
    return fmt::format("Dst counter: {}, not {}", state.rwc.dst, model_.counter);
  }

 private:
  static constexpr unsigned kLRegs = 4;
  static constexpr std::uint32_t kLaneBits = 0x7FFFF;

  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random_()) % count; }

  std::string lane_difference(unsigned lane) const {
    const MachineState& state = machine_.state();
    for (unsigned reg = 0; reg < kLRegs; ++reg) {
      const std::uint32_t found = lane_of(state, reg, lane) & kLaneBits;
      const std::uint32_t expected = model_.reg[reg][lane];
      if (found != expected)
        return fmt::format("L{} lane {}: {:05X}, not {:05X}", reg, lane, found, expected);
    }
    const VectorState& group = group_of(state, lane);
    if ((group.flags >> (lane / 2) & 1U) != model_.result[lane])
      return fmt::format("the flag of lane {}", lane);
    if ((group.use_flags >> (lane / 2) & 1U) != model_.enable[lane])
      return fmt::format("whether lane {} uses its flag", lane);
    return "";
  }

  std::mt19937 random_;
  Machine machine_{Arch::Grayskull};
  GrayskullModel model_;
};

} // namespace lanewise::test
