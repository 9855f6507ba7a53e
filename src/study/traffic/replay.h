// A trace of silicon, once more on the model of the NoC.
//
// Each core asks for the same as in the trace, and as long after its last event as there; but a
// barrier ends when the model has answered, and what follows it follows that.
#pragma once

#include "study/traffic/trace.h"

namespace lanewise::traffic {

struct Replayed {
  std::size_t threads = 0, transactions = 0;
  std::uint64_t bytes = 0;
  std::uint64_t traced = 0, modelled = 0; ///< cycles from the first event to the last

  double error() const {
    return traced == 0 ? 0 : static_cast<double>(modelled) / static_cast<double>(traced) - 1;
  }
};

Replayed replay(const Trace& trace);

} // namespace lanewise::traffic
