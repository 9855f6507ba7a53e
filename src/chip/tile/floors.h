// Floors of time in the steady state: what each thread and each unit needs at least, and which of
// them the others wait for (core.md 17).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "chip/isa/arch.h"
#include "chip/isa/op.h"
#include "chip/tile/traffic.h"

namespace lanewise::tile {

/// One floor: a resource, and the cycles that it is taken.
struct Floor {
  std::string resource; ///< "issue of T0", "fetch of unpacker 0", "writes of the packer"
  unsigned thread = 0;  ///< the part of an operation that it belongs to: 0 unpack, 1 math, 2 pack
  double cycles = 0;
};

struct Floors {
  std::vector<Floor> floors; ///< that are not 0, by thread, the largest of each first
  std::uint64_t tiles = 1;   ///< that the figures were divided by
  /// Index of the largest; nothing can be faster.
  std::size_t bottleneck = 0;
};

/// By tile: `tiles` of them, or as many as PACRs have ended; 0: count those.
Floors floors_of(Arch arch, const Traffic& traffic, std::uint64_t tiles = 0);

/// Cycles that an instruction takes to leave its thread (core.md 17, 8).
unsigned issue_cost(isa::Op op);

} // namespace lanewise::tile
