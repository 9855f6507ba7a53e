// Executes a recording as it stands, with as many registers as it has values: the oracle for the
// compiler.
//
// Lane arithmetic, Dst, rounding, the PRNG and raw words are the machine's own. Register
// allocation, predication, merging of variables, immediates and folding are done here in another
// way than in the compiler: values are lists of lanes, predicates are masks.
#pragma once

#include <vector>

#include "base/fault.h"
#include "chip/machine/frontend/front_end.h"
#include "chip/machine/state.h"
#include "run/oracle/printed.h"
#include "source/compiler/ir.h"

namespace lanewise::oracle {

struct InterpretOptions {
  PrintSink print; ///< gets what Print nodes show; nothing if empty
};

/// Runs the recording on `state`, which must be of the recording's chip and as enter_kernel()
/// leaves it; raw words go through `front_end`, whose replay buffer stays for the next run.
///
/// Afterwards Dst, the counters, the programmable constants and the PRNG are those of the kernel,
/// and LReg[n] holds what raw words and WriteLReg put there: SFPI operations do not touch LRegs
/// here.
///
/// Returns what is wrong with the kernel, one fault per source line and kind; the run goes on
/// behind it. UndefinedBehavior: a lane that was never computed reaches Dst, an LReg, a
/// programmable constant, or decides a predicate. Unsupported: a node that the machine cannot
/// execute, which gives 0; or a SFPI operation among words that REPLAY records, whose number only
/// the compiler knows. BadInput, and nothing is run: operands that are no earlier nodes. Also the
/// faults of the front end and of the machine, and NonContractual ones of run/oracle/dst_range.h.
std::vector<Fault> interpret(const compiler::Recording& recording, MachineState& state,
                             FrontEnd& front_end, const InterpretOptions& options = {});

} // namespace lanewise::oracle
