// What the code of a core calls in place of an access that would trap, and where it waits: plain
// data and function pointers, so that the object needs no symbol of lanewise.
#pragma once

#include <cstdint>

enum lanewise_access : std::uint32_t { kLanewiseChanges = 1, kLanewiseVolatile = 2 };

/// Of a circular buffer `which`, in pages; of a buffer whose address in each bank is `which`, the
/// page `number`; that the word at `which` becomes `number`, or at least that; that the packet just
/// sent on NoC `which` has `number` answers.
enum lanewise_intent : std::uint32_t {
  kLanewiseWaits,
  kLanewiseReserves,
  kLanewisePushes,
  kLanewisePops,
  kLanewiseMeansDram,
  kLanewiseMeansL1,
  kLanewiseAwaits,
  kLanewiseAwaitsAtLeast,
  kLanewiseAwaited, ///< it has become that
  kLanewiseExpects
};

/// `frame` is __builtin_frame_address(0) of the code that calls.
struct lanewise_core_calls {
  void* self;
  std::uint32_t (*load)(void* self, std::uint32_t address, const void* frame);
  void (*store)(void* self, std::uint32_t address, std::uint32_t value, const void* frame);
  /// The core looks at memory and may have to look again.
  void (*yield)(void* self, const void* frame);
  /// Code that is compiled to tell it (lanewise_accesses.h) is about to look at memory, or to
  /// change it: `how` is a sum of lanewise_access. `code` and `frame` are those of the code that
  /// does so.
  void (*access)(void* self, std::uint32_t address, std::uint32_t bytes, std::uint32_t how,
                 const void* code, const void* frame);
  /// What the core is about to do, or means: a lanewise_intent.
  void (*intend)(void* self, std::uint32_t what, std::uint32_t which, std::uint32_t number,
                 const void* frame);
  /// Prints a text, which ends with a zero.
  void (*print)(void* self, const char* text, const void* frame);
};
