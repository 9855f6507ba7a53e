// What lies where in L1 of a core while a program runs: arguments, semaphores, circular buffers,
// buffers, and what is free between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "source/programs/layout.h"

namespace lanewise::programs {

enum class L1Use : std::uint8_t { Arguments, Semaphore, CircularBuffer, Buffer, Free };

/// "arguments", "semaphore", "circular buffer", "buffer", "free".
std::string_view l1_use_name(L1Use use);

struct L1Range {
  L1Use use = L1Use::Free;
  std::uint64_t address = 0, bytes = 0;
  std::string name; ///< "c_0, c_16", "semaphore 2", "riscv_0: 4 own, 0 common"; "" of what is free
  Origin origin;    ///< where it was made
  bool clashes = false; ///< with another one: a circular buffer and a buffer
};

/// By address. What is free is so above the place where circular buffers begin.
std::vector<L1Range> l1_map(const Program& program, const Layout& layout);

} // namespace lanewise::programs
