// Numbers of the semaphores and mutexes that the threads of a tile share.
#pragma once

#include <cstdint>

namespace ckernel {

struct semaphore {
  static constexpr std::uint32_t FPU_SFPU = 0;
  static constexpr std::uint32_t MATH_PACK = 1;
  static constexpr std::uint32_t UNPACK_TO_DEST = 2;
  static constexpr std::uint32_t UNPACK_OPERAND_SYNC = 3;
  static constexpr std::uint32_t PACK_DONE = 4;
  static constexpr std::uint32_t UNPACK_SYNC = 5;
  static constexpr std::uint32_t UNPACK_MATH_DONE = 6;
  static constexpr std::uint32_t MATH_DONE = 7;
  static constexpr std::uint8_t NUM_SEMAPHORES = 8;
  static constexpr std::uint8_t SEMAPHORE_BIT_COUNT = 4;
  static constexpr std::uint8_t SEMAPHORE_MAX_VALUE = 15;

  /// The semaphore as an instruction operand: one bit of a mask.
  static constexpr std::uint16_t t6_sem(std::uint8_t index) {
    return static_cast<std::uint16_t>(1U << index);
  }
};

struct mutex {
  static constexpr std::uint32_t REG_RMW = 0;
  static constexpr std::uint32_t SFPU = 4;
};

inline constexpr std::uint8_t MAX_CONFIG_STATES = 2;

} // namespace ckernel
