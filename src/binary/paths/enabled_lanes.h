// Whether some lanes of the Vector Unit may be switched off: then an instruction leaves in its
// result what was there before.
#pragma once

#include <vector>

#include "chip/isa/effects.h"

namespace lanewise::paths {

/// What some path has done. A function begins with all lanes on, as the firmware hands them over
/// (chip/machine/kernel_entry.h).
class EnabledLanes {
 public:
  bool may_be_off() const { return may_be_off_; }

  /// After an instruction.
  void execute(const isa::Effects& effects);
  /// After one that is not known.
  void forget();
  /// Adds what another path brings; says whether that changed something.
  bool join(const EnabledLanes& from);

 private:
  bool may_be_off_ = false;
  bool knows_stack_ = true;
  std::vector<bool>
      stack_; ///< of each entry of the predicate stack, whether lanes may be off in it
};

/// Whether an instruction may leave a part of what it writes as it was: some lanes, or a half.
bool keeps_old_parts(const isa::Effects& effects, const EnabledLanes& lanes);

} // namespace lanewise::paths
