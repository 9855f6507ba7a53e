#include "source/sfpi/call_stack.h"

namespace lanewise::sfpi {
namespace {

/// What the System V ABI puts where the frame pointer points to, in functions that keep one.
struct FrameRecord {
  const FrameRecord* caller;
  std::uint64_t return_address;
};

} // namespace

std::size_t follow_frames(const void* frame, const void* innermost, const void* outermost,
                          std::span<std::uint64_t> calls) {
  const auto first = reinterpret_cast<std::uintptr_t>(innermost);
  const auto last = reinterpret_cast<std::uintptr_t>(outermost);
  const auto* record = static_cast<const FrameRecord*>(frame);
  std::size_t count = 0;
  while (count < calls.size()) {
    const auto place = reinterpret_cast<std::uintptr_t>(record);
    const bool is_inside = place >= first && place < last && last - place >= sizeof(FrameRecord);
    if (!is_inside || place % alignof(FrameRecord) != 0) break;
    calls[count++] = record->return_address - 1;
    if (reinterpret_cast<std::uintptr_t>(record->caller) <= place) break; // callers lie further up
    record = record->caller;
  }
  return count;
}

std::size_t CallStacks::Hash::operator()(const CallStack& stack) const {
  std::uint64_t hash = stack.size();
  for (const std::uint64_t address : stack) {
    hash = (hash ^ address) * 0x9E3779B97F4A7C15U; // 2^64 / golden ratio: spreads the low bits up
    hash ^= hash >> 32;
  }
  return hash;
}

std::uint32_t CallStacks::number_of(const CallStack& stack) {
  const auto [place, is_new] =
      numbers_.try_emplace(stack, static_cast<std::uint32_t>(stacks_.size()));
  if (is_new) stacks_.push_back(stack);
  return place->second;
}

} // namespace lanewise::sfpi
