// What confined processes may ask of the system: the policies as one table, and seccomp's filters
// made of them. docs/security.md says the same in words.
#pragma once

#include <linux/filter.h>
#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lanewise {

/// Who is confined.
enum class Policy : std::uint8_t {
  Tool,      ///< a program of the system that reads nothing of a user's: not confined
  Compiler,  ///< g++: starts programs and writes files in one folder
  Reference, ///< a program with a user's function: computes
  KernelCode ///< the code of a kernel, in a process of Lanewise's own: computes, and prints
};

/// The instructions of a filter, for one process.
using CallFilter = std::vector<sock_filter>;

/// The filter of a policy; empty for Tool, or if libseccomp cannot make one. Made once, so that a
/// process that was just forked need not allocate.
std::span<const sock_filter> call_filter(Policy policy);

/// The largest filter that Linux takes.
inline constexpr std::size_t kLongestFilter = 4096;

/// A filter knows its process, and the descriptor that its result goes to, only when it is loaded:
/// until then these numbers stand for them.
inline constexpr std::uint32_t kThisProcess = 0x4C570001, kResultFile = 0x4C570002;

/// The filter with these numbers in the place of what stands for them.
void fill_in(std::span<sock_filter> filter, pid_t process, int result_file);

/// What a process wants that makes a system call: "open a socket". For calls that no policy has a
/// word for: "make the system call 'mlock'".
std::string attempt_text(int call);

} // namespace lanewise
