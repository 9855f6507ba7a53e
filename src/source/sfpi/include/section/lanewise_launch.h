// What the code of a core is started with: plain data that lanewise puts into the object's variable
// lanewise_launch_data before the kernel begins.
#pragma once

#include <cstdint>

inline constexpr unsigned kLanewiseCircularBuffers = 64, kLanewiseBanks = 16;

struct lanewise_launch {
  std::uint32_t runtime_args, common_args, semaphores;
  std::uint8_t x, y;                 ///< of the core, as packets name it
  std::uint8_t logical_x, logical_y; ///< as host programs do
  std::uint8_t bank_x, bank_y;       ///< of the core that has the one bank of L1
  /// Address, size, number of pages, size of a page, in bytes; of a size of 0: there is none.
  std::uint32_t circular_buffer[kLanewiseCircularBuffers][4];
  std::uint16_t dram_place[2][kLanewiseBanks]; ///< by NoC: y << 6 | x
  std::int32_t dram_offset[kLanewiseBanks];
};
