// How most instructions move the counters: by an ADDR_MOD section as the configuration has it.
#pragma once

#include "chip/machine/counters.h"

namespace lanewise {

/// apply_addr_mod() of the section, unpacked. It is never in memory as such.
void move_counters(Rwc& rwc, AddrModWords words, bool fidelity);

} // namespace lanewise
