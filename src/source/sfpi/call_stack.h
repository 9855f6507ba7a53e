// Where a kernel is: the addresses of the calls that led there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace lanewise::sfpi {

/// Addresses of calls, the innermost first. Each is that of the call instruction's last byte, so
/// that it belongs to the line of the call.
using CallStack = std::vector<std::uint64_t>;

/// The deepest call stack that is followed.
inline constexpr std::size_t kDeepestStack = 64;

/// Follows the chain of frame pointers that begins at `frame` and puts the address of each call
/// into `calls`; returns their number. Only what lies between `innermost` and `outermost`, two
/// places of the running stack, is believed to be a frame: a library function without frame
/// pointers may have passed on anything. Allocates nothing.
std::size_t follow_frames(const void* frame, const void* innermost, const void* outermost,
                          std::span<std::uint64_t> calls);

/// Call stacks by number; the same number for the same stack. The empty one is 0.
class CallStacks {
 public:
  std::uint32_t number_of(const CallStack& stack);
  std::vector<CallStack> take() { return std::move(stacks_); }

 private:
  struct Hash {
    std::size_t operator()(const CallStack& stack) const;
  };
  std::vector<CallStack> stacks_{CallStack{}};
  std::unordered_map<CallStack, std::uint32_t, Hash> numbers_{{CallStack{}, 0}};
};

} // namespace lanewise::sfpi
