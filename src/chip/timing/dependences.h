// Which event uses what another one has left: in LRegs, or in rows of Dst.
#pragma once

#include <cstdint>
#include <vector>

#include "chip/timing/schedule.h"

namespace lanewise::timing {

struct Dependence {
  std::uint32_t from = 0, to = 0; ///< indices into Schedule::events: the writer, the reader
  LRegMask registers = 0;         ///< that carry values
  bool dst = false;               ///< rows of Dst carry values
  bool decides = false;           ///< the reader has waited for it

  friend bool operator==(const Dependence&, const Dependence&) = default;
};

/// Values that go from one event to another, by reader and writer. Each comes from the last writer
/// that the reader sees: of a register, the program's own instructions see each other's results in
/// program order, and what an SFPLOADMACRO schedules is seen, and sees, as the clock says.
///
/// What may be read or written counts as read and written, whatever the lane flags are; that the
/// flags themselves, counters and configuration carry values does not. Rows of Dst are told apart
/// as far as Event does it: four rows, even and odd columns; of the Matrix Unit, blocks of 8 rows.
std::vector<Dependence> dependences(const Schedule& schedule);

} // namespace lanewise::timing
