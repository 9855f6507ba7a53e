// Banks that change hands without data (core.md 13; ISA SETDVALID, CLEARDVALID).
#include "tile/model/model.h"

namespace lanewise::test::model {

void Model::give_back(unsigned which, unsigned thread, bool keeps_reading, bool heeds_disable) {
  SourceModel& from = source[which];
  const Field& disable = which == 0 ? kClrDvalidSrcADisable : kClrDvalidSrcBDisable;
  if (!heeds_disable || get_thread(disable, thread) == 0)
    from.with_matrix_unit[from.matrix_bank] = false;
  if (!keeps_reading) from.matrix_bank ^= 1;
}

bool Model::banks(unsigned thread, std::uint32_t word) {
  const unsigned opcode = word >> 24;
  for (unsigned which = 0; which < 2; ++which) {
    if (opcode == 0x57) { // SETDVALID; no document says which format Blackhole's bank gets
      if (is_blackhole) undefined = true;
      if ((word >> which & 1) != 0) hand_over(which, thread, std::nullopt);
    } else if (opcode == 0x36) {             // CLEARDVALID
      if ((word & 1) != 0) undefined = true; // Reset
      if ((word >> (22 + which) & 1) != 0) give_back(which, thread, (word >> 1 & 1) != 0, false);
    } else { // SETRWC; its counters are none of the model's
      if ((word & 0x3FFFFF) != 0) undefined = true;
      if ((word >> (22 + which) & 1) != 0) give_back(which, thread, false, true);
    }
  }
  return true;
}

} // namespace lanewise::test::model
