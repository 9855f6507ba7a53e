// What threads and cores wait for each other with: semaphores, mutexes and mailboxes (core.md 7).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>

#include "chip/machine/config_state.h"

namespace lanewise::tile {

inline constexpr unsigned kSemaphores = 8;
inline constexpr unsigned kMutexes =
    8; ///< that an index can name; ArchParams::tile.mutexes says which are there
inline constexpr unsigned kLargestSemaphore = 15;

struct Semaphore {
  std::uint8_t value = 0, max = 0; ///< 4 bits each; nothing but waits looks at max

  friend bool operator==(const Semaphore&, const Semaphore&) = default;
};

struct Mutex {
  std::optional<std::uint8_t> owner; ///< a thread
  /// When several threads wait, the one behind this comes first.
  std::uint8_t last_owner = 0;

  friend bool operator==(const Mutex&, const Mutex&) = default;
};

/// Cores that have mailboxes: B, T0, T1 and T2.
inline constexpr unsigned kMailboxCores = 4;
inline constexpr std::size_t kMailboxEntries = 4;

struct SyncUnit {
  std::array<Semaphore, kSemaphores> semaphore;
  std::array<Mutex, kMutexes> mutex;
  /// By writer, then by reader.
  std::array<std::array<std::deque<std::uint32_t>, kMailboxCores>, kMailboxCores> mailbox;

  friend bool operator==(const SyncUnit&, const SyncUnit&) = default;
};

} // namespace lanewise::tile
