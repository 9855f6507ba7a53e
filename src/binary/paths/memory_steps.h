// The words of a function as the memory model sees them: what they access, and from which registers
// to which they carry a dependency (RISC-V manual, RVWMO: source and destination registers).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "binary/elf/code.h"

namespace lanewise::paths {

/// Bit n: register xn; x0 is in no set.
using RegisterSet = std::uint32_t;

/// Of which operations a fence has a set before it and one after it.
namespace fenced {
inline constexpr unsigned kWrites = 1, kReads = 2, kOutput = 4, kInput = 8;
} // namespace fenced

struct Step {
  bool loads = false, stores = false; ///< both: an AMO
  bool pushes = false;                ///< a store that pushes to the coprocessor
  bool branches = false;              ///< a conditional branch, or an indirect jump or call
  bool acquires = false, releases = false;
  std::uint8_t fenced_before = 0, fenced_after = 0;
  RegisterSet address = 0, data = 0; ///< of a memory operation
  RegisterSet sources = 0;           ///< of other instructions
  /// A call may write all registers that its callee need not save.
  RegisterSet written = 0;
  std::int32_t offset = 0; ///< of a memory operation, from its address register
  std::uint8_t bytes = 0;  ///< that it accesses
  /// Where it accesses memory, if all paths to it agree. A push by `.ttinsn` goes to the FIFO, and
  /// has none here.
  std::optional<std::uint32_t> accessed = {};

  bool accesses() const { return loads || stores; }
  /// What is written depends on the sources. A load's result comes from memory, a link from the pc.
  bool carries() const { return !accesses() && !branches; }
};

/// One step for each word. `.ttinsn` is a store without registers, since for the order of memory
/// accesses it is exactly a `sw` to the instruction FIFO (ISA BabyRISCV, PushTensixInstruction).
/// CSRs carry no dependency here.
std::vector<Step> steps_of(const elf::Function& function);

} // namespace lanewise::paths
