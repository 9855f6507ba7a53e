// Recordings as bytes, for the way from the process that runs a kernel to the one that wants it.
//
// The bytes are read by the same program that wrote them, but the kernel has run in the process
// that wrote them: nothing in them is believed before it has been checked.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "source/sfpi/recorder.h"

namespace lanewise::sfpi {

/// In place of a signal that ended a kernel's process.
inline constexpr int kCalledExit = 0, kMemoryUsedUp = -1, kTimeOver = -2;
/// The system call that a kernel must not make is this less its number.
inline constexpr int kAttempt = -1000;
/// No number of a system call is known.
inline constexpr int kSomeCall = -1;

/// A kernel's process ended before its recording was complete.
struct Death {
  int signal = 0;        ///< or one of the numbers below
  bool at_fault = false; ///< `stack` is where it happened, not the last operation before it
  CallStack stack;       ///< file addresses

  friend bool operator==(const Death&, const Death&) = default;
};

using Message = std::variant<RawRecording, Death>;

std::vector<std::byte> encode(const RawRecording& raw);

/// Longest encoded Death, in bytes.
inline constexpr std::size_t kLongestDeath = 16 + 8 * kDeepestStack;

/// Writes a Death into `buffer` and returns its bytes. Allocates nothing: may run in a signal
/// handler. At most kDeepestStack addresses are taken.
std::span<const std::byte> encode_death(int signal, bool at_fault,
                                        std::span<const std::uint64_t> stack,
                                        std::span<std::byte, kLongestDeath> buffer);

/// The message that the bytes are. `arch` and `name` are those of the recording. Nothing if it is
/// not complete, or not one that encode() could have made.
std::optional<Message> decode(std::span<const std::byte> bytes, Arch arch, const std::string& name);

} // namespace lanewise::sfpi
