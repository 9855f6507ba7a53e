// Loops that look at the same word of L1 again and again: others come to their turn meanwhile, and
// on a chip whose cores keep L1 in a cache the loop has to say that it wants the word anew.
#pragma once

#include <array>
#include <cstdint>

#include "chip/isa/arch.h"
#include "run/launch/found.h"
#include "run/section/listener.h"
#include "source/programs/start.h"

namespace lanewise::launch {

class Spins {
 public:
  Spins(Arch arch, FoundLog& found) : arch_(arch), found_(found) {}

  /// True: the core has looked there so often that others shall come to their turn.
  bool access(unsigned core, const section::MemoryAccess& access, std::uint64_t code,
              const LineOf& line);
  /// The core lets others go on by itself, and has the word anew afterwards.
  void yield(unsigned core) { look_[core] = {}; }

 private:
  struct Look {
    std::uint64_t code = 0;
    std::uint32_t address = 0, times = 0;
  };

  Arch arch_;
  FoundLog& found_;
  std::array<Look, programs::kCores> look_{};
};

} // namespace lanewise::launch
