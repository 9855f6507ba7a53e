// What the code of a core calls in place of an access that would trap, and where it waits: plain
// data and function pointers, so that the object needs no symbol of lanewise.
#pragma once

#include <cstdint>

/// `frame` is __builtin_frame_address(0) of the code that calls.
struct lanewise_core_calls {
  void* self;
  std::uint32_t (*load)(void* self, std::uint32_t address, const void* frame);
  void (*store)(void* self, std::uint32_t address, std::uint32_t value, const void* frame);
  /// The core looks at memory and may have to look again.
  void (*yield)(void* self, const void* frame);
  /// Prints a text, which ends with a zero.
  void (*print)(void* self, const char* text, const void* frame);
};
