// Traces of the NoC that tt-metal's profiler writes (noc_trace*.json; also read by tt-npe): what
// each core has asked for, and when.
//
// Coordinates are those of routers, as NoC 0 counts. tt-metal's profiler.cpp and
// event_metadata.hpp say what is in them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/isa/noc_record.h"

namespace lanewise::traffic {

struct TraceEvent {
  enum class Kind : std::uint8_t {
    Read,
    Write,
    Increment, ///< of a semaphore elsewhere
    Multicast,
    ReadsBegin, ///< a barrier
    ReadsEnd,
    WritesBegin,
    WritesEnd,
    Other ///< nothing that moves: only its time counts
  };
  Kind kind = Kind::Other;
  std::uint8_t noc = 0;
  NocPlace to = {}, last = {}; ///< `last`: the other corner of a multicast
  std::uint32_t bytes = 0;
  std::uint64_t time = 0; ///< cycles
};

/// What one core of a tile has done, in order.
struct TraceThread {
  std::string processor; ///< "BRISC"
  NocPlace at;
  std::vector<TraceEvent> events;
};

struct Trace {
  Arch arch = kDefaultArch;
  std::vector<TraceThread> threads; ///< by place, then by name
};

/// Error: BadInput, that says in which event, counted from 1.
Expected<Trace> parse_trace(std::string_view text, Arch arch);

/// Errors as above, with the file.
Expected<Trace> read_trace(const std::string& file, Arch arch);

} // namespace lanewise::traffic
