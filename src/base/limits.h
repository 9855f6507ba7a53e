// How much time and memory the processes get that work for a kernel.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace lanewise {

/// What a process may use.
struct ProcessLimits {
  /// Processor time, of the process and all that it starts. What a busy machine does meanwhile does
  /// not count. As long may it sleep at a time; and no longer than kWallFactor times this may pass.
  std::chrono::milliseconds time;
  std::uint64_t memory; ///< address space in bytes; also the longest file it may write

  friend bool operator==(const ProcessLimits&, const ProcessLimits&) = default;
};

/// A process that gets less than a tenth of a processor waits for something that does not come.
inline constexpr int kWallFactor = 10;

/// For a kernel, and for g++ in each of its two steps, unless the user says otherwise. Kernels of
/// LLK take milliseconds and some MiB, and g++ for them about a second and 300 MiB.
inline constexpr ProcessLimits kKernelLimits{std::chrono::seconds(20), std::uint64_t{2} << 30};

/// For programs that run on what is known: far more than they need, unless something is wrong.
inline constexpr ProcessLimits kProgramLimits{std::chrono::minutes(5), std::uint64_t{8} << 30};

/// The options by which the user says otherwise, which remedies name.
inline constexpr const char* kTimeOption = "--kernel-time";
inline constexpr const char* kMemoryOption = "--kernel-memory";

/// "20 s".
std::string time_text(const ProcessLimits& limits);
/// "2048 MiB of memory".
std::string memory_text(const ProcessLimits& limits);

} // namespace lanewise
