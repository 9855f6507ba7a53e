// Kernels that reach a buffer which the host has given back: an address that was left in an
// argument.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chip/noc/noc.h"
#include "run/launch/checks.h"
#include "source/programs/layout.h"

namespace lanewise::launch {

class FreedBuffers {
 public:
  FreedBuffers(const programs::Program& program, const programs::Layout& layout)
      : program_(program), layout_(layout) {}

  /// Every transaction that is asked for.
  void see(const noc::NocEvent& event);

  /// What was found, one for each core and line.
  std::vector<Found> found;

 private:
  const programs::FreedBuffer* buffer_at(const noc::Location& location, std::uint64_t bytes) const;

  const programs::Program& program_;
  const programs::Layout& layout_;
};

} // namespace lanewise::launch
