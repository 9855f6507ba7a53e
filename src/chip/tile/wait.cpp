#include "chip/tile/wait.h"

#include <fmt/format.h>

namespace lanewise::tile {

namespace {

std::string_view core_name(std::uint32_t core) {
  constexpr std::string_view kNames[] = {"B", "T0", "T1", "T2"};
  return core < std::size(kNames) ? kNames[core] : "?";
}

} // namespace

std::string wait_text(const Wait& wait) {
  switch (wait.cause) {
    case WaitCause::None: return "nothing";
    case WaitCause::Input: return "instructions to be pushed";
    case WaitCause::SrcAToFill:
      return "the unpackers' bank of SrcA, which the Matrix Unit still has";
    case WaitCause::SrcBToFill:
      return "the unpackers' bank of SrcB, which the Matrix Unit still has";
    case WaitCause::SrcAFilled:
      return "the Matrix Unit's bank of SrcA, which the unpackers still have";
    case WaitCause::SrcBFilled:
      return "the Matrix Unit's bank of SrcB, which the unpackers still have";
    case WaitCause::SemaphoreZero: return fmt::format("semaphore {} to be above 0", wait.what);
    case WaitCause::SemaphoreAtMax:
      return fmt::format("semaphore {} to be below its maximum", wait.what);
    case WaitCause::Mutex: return fmt::format("mutex {}", wait.what);
    case WaitCause::Memory: return fmt::format("the word of L1 at 0x{:x}", wait.what);
    case WaitCause::Stream: return fmt::format("stream {} of the NoC overlay", wait.what);
    case WaitCause::EmptyMailbox:
      return fmt::format("a message of {} in its mailbox", core_name(wait.what));
    case WaitCause::FullMailbox: return fmt::format("room in {}'s mailbox", core_name(wait.what));
    case WaitCause::ThreadIdle: return "the instructions that it has pushed";
    case WaitCause::FullQueue: return "room for the next instruction";
  }
  return {};
}

} // namespace lanewise::tile
