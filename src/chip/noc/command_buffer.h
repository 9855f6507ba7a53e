// Words and bits of the command buffers by which a core asks its NoC (ISA NoC MemoryMap).
#pragma once

#include <cstdint>

namespace lanewise::noc {

inline constexpr std::uint32_t kWord = 4; ///< bytes

// Registers of a command buffer that have the same place on all chips, by number of word.
inline constexpr unsigned kTargetLow = 0, kTargetMiddle = 1, kReturnLow = 3, kReturnMiddle = 4,
                          kPacketTag = 6, kControl = 7, kLength = 8;

// Bits of the control register.
inline constexpr std::uint32_t kAtomic = 1U << 0, kWrite = 1U << 1, kByteEnables = 1U << 2,
                               kInline = 1U << 3, kWantsAnswer = 1U << 4, kMulticast = 1U << 5,
                               kLinked = 1U << 6, kIncludesSource = 1U << 17,
                               kAccumulates = 1U << 31;
inline constexpr unsigned kChannelBit = 13, kChannelMask = 0xF;

// Fields of the length register of an atomic operation.
inline constexpr unsigned kOperationBit = 12, kOperationMask = 0xF, kWrapBit = 2, kWrapMask = 0x1F;
inline constexpr std::uint32_t kIncrementAndGet = 1, kSwapWord = 7;

inline constexpr unsigned kTagBit = 10, kTagMask = 0xF;

} // namespace lanewise::noc
