// Who reads and who writes one register, in the order of the events: answers that a walk over the
// events gives, too, found without one, so that a program may have any number of questions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "chip/timing/hazards/context.h"

namespace lanewise::timing {

/// Whether two events are the same instruction, wherever they stand.
bool same_instruction(const Event& a, const Event& b);

/// The first cycle in which an event's result can be read.
inline std::uint64_t landing(const Event& event) {
  return event.cycle + event.latency;
}

class RegisterHistory {
 public:
  /// `events` by cycle, with their facts; both must outlive it. `reg`: one bit.
  RegisterHistory(std::span<const Event> events, std::span<const EventFacts> facts, LRegMask reg);

  /// Of a two-cycle result that event `reader` reads before it lands: whether anybody reads it once
  /// it has landed, before another result takes its place in all lanes. Where the early reader
  /// belongs to the same SFPLOADMACRO as the writer, its like of the next macro does not count:
  /// what it stores there would belong to another row.
  bool is_read_later(std::size_t writer, std::size_t reader) const;

  /// Whether what wrote the value that `reader` takes stands behind the writer in the source: it is
  /// newer there.
  bool old_value_is_newer(std::size_t writer, std::size_t reader) const;

 private:
  using Index = std::uint32_t; ///< of an event

  /// A reader, and where in the list the next one is that is another instruction.
  struct Reader {
    Index event;
    Index other;
  };

  /// The cycle from which on the result of `writer` is gone.
  std::uint64_t end_of_result(std::size_t writer) const;

  std::span<const Event> events_;
  std::vector<Reader> readers_;
  std::vector<Index> writers_, full_writers_; ///< the latter in all lanes
};

} // namespace lanewise::timing
