// Who hears what the code of a core does to memory, and what it says that it is about to do
// (source/sfpi/include/section/lanewise_core_calls.h), while it runs.
#pragma once

#include <cstdint>

#include "source/sfpi/include/section/lanewise_core_calls.h"

namespace lanewise::section {

/// Where code calls: an address of this process, and the frame of the function around it.
struct CallPlace {
  std::uint64_t code = 0;
  const void* frame = nullptr;
};

/// An access to L1 that is about to happen.
struct MemoryAccess {
  std::uint32_t address = 0, bytes = 0;
  bool changes = false;
  bool is_volatile = false;
};

/// What a core is about to do: see lanewise_intent.
struct Intent {
  lanewise_intent what{};
  std::uint32_t which = 0, number = 0;
};

class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;

  /// True: others shall come to their turn before it happens.
  virtual bool access(const MemoryAccess& access, const CallPlace& place) = 0;
  virtual void intend(const Intent& intent, const CallPlace& place) = 0;
};

} // namespace lanewise::section
