// Where a core finds what it shares with its tile (core.md 3).
#pragma once

#include <cstdint>

namespace lanewise::test {

inline constexpr std::uint32_t kGprs = 0xFFE00000;
inline constexpr std::uint32_t kIdle = 0xFFE80004; ///< answers when the thread has nothing to do
inline constexpr std::uint32_t kSemaphores = 0xFFE80020;
inline constexpr std::uint32_t kMailboxes = 0xFFEC0000;
inline constexpr std::uint32_t kConfig = 0xFFEF0000;

} // namespace lanewise::test
