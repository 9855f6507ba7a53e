// Bits of the block mask of STALLWAIT, SEMWAIT and STREAMWAIT: which instructions of the thread are
// held back (core.md 6).
#pragma once

#include <cstdint>

namespace lanewise::isa::block {

inline constexpr std::uint16_t kMiscellaneous = 1U << 0, kSync = 1U << 1, kPack = 1U << 2,
                               kUnpack = 1U << 3, kMove = 1U << 4, kScalar = 1U << 5,
                               kMatrix = 1U << 6, kConfigure = 1U << 7, kVector = 1U << 8,
                               kAll = 0x1FF;

} // namespace lanewise::isa::block
