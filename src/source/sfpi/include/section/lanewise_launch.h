// What the code of a core is started with: plain data that lanewise puts into the object's variable
// lanewise_launch_data before the kernel begins.
#pragma once

#include <cstdint>

inline constexpr unsigned kLanewiseCircularBuffers = 64, kLanewiseBanks = 16,
                          kLanewiseL1Banks = 110; ///< the cores of the largest grid

struct lanewise_launch {
  std::uint32_t runtime_args, common_args, semaphores;
  std::uint8_t x, y;                 ///< of the core, as packets name it
  std::uint8_t logical_x, logical_y; ///< as host programs do
  /// Address, size, number of pages, size of a page, in bytes; of a size of 0: there is none.
  std::uint32_t circular_buffer[kLanewiseCircularBuffers][4];
  std::uint16_t dram_place[2][kLanewiseBanks]; ///< by NoC: y << 6 | x
  std::int32_t dram_offset[kLanewiseBanks];
  std::uint16_t l1_place[kLanewiseL1Banks]; ///< y << 6 | x
};
