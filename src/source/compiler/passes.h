// The list of passes: what each is called, which switch turns it off, what it does, and what
// --dump prints after it. docs/compiler.md describes them; compile() takes a kernel through them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/compiler/allocate.h"
#include "source/compiler/code.h"
#include "source/compiler/combine.h"
#include "source/compiler/ir.h"
#include "source/compiler/options.h"
#include "source/compiler/pass_names.h"
#include "source/compiler/plan.h"
#include "source/compiler/replay.h"

namespace lanewise::compiler {

/// What is given up, step by step, where LRegs run out.
struct Attempt {
  ConstantLoads constants; ///< Once: in a register from their first use to their last
  bool keep_raw;           ///< what raw words have written, to the end
};

/// How instructions are arranged: one of several ways that are tried
/// (source/compiler/arrangements.h).
struct Arrangement {
  std::size_t hoisted = 0; ///< constants that are loaded once for all rows
  unsigned rows = 1;       ///< that are joined
  unsigned lregs = 0;      ///< that may be in use at once; 0: instructions stay in their order
};

/// A kernel on its way. Each part is filled by the passes of its phase.
struct Work {
  Recording recording;
  /// What "fold" and "cse" made of it, where they found something.
  std::vector<Recording> alternatives = {};
  std::size_t chosen = 0; ///< which becomes instructions: `recording`, or alternative `chosen` - 1
  const Options& options;
  Fusion fusion = Fusion::AsRelease;
  Attempt attempt{ConstantLoads::Once, true};
  Arrangement arrangement = {};
  Code code = {};
  Allocation allocation = {};
  std::vector<ReplayWord> words = {};

  const Recording& chosen_recording() const {
    return chosen == 0 ? recording : alternatives[chosen - 1];
  }
};

enum class Phase : std::uint8_t {
  Values,       ///< of the recording; once
  Instructions, ///< from values to instructions; again with each attempt
  Order,        ///< of the instructions, if they nest; again with each arrangement
  Registers,    ///< from values to LRegs; again with each attempt and arrangement
  Words,        ///< from LRegs to instruction words; again with each arrangement that has LRegs
  Replay        ///< of those that may be the best
};

struct Pass {
  Phase phase;
  std::string_view name; ///< for --dump; empty for what belongs to the next one
  bool Options::*option; ///< it runs if this is set; null: always
  void (*run)(Work&);
  std::string (*text)(const Work&); ///< the kernel after it
};

/// All passes, in the order in which they run.
std::span<const Pass> passes();

/// Something that a user can turn off with -fno-NAME.
struct Switch {
  std::string_view name;
  std::string_view vendor_name; ///< that of the vendor's compiler, as another name
  bool Options::*option;
};
inline constexpr std::array kSwitches{
    Switch{"combine", "rvtt-sfpu-combine", &Options::combine},
    Switch{"cc", "rvtt-sfpu-cc", &Options::cc},
    Switch{"replay", "rvtt-sfpu-replay", &Options::replay},
    Switch{"warn", "rvtt-sfpu-warn", &Options::warn},
    Switch{"dce", "rvtt-sfpu-dce", &Options::dce},
    Switch{"fold", "rvtt-sfpu-fold", &Options::fold},
    Switch{"cse", "rvtt-sfpu-cse", &Options::cse},
    Switch{"rematerialize", "rvtt-sfpu-rematerialize", &Options::rematerialize},
    Switch{"hoist", "rvtt-sfpu-hoist", &Options::hoist},
    Switch{"rows", "rvtt-sfpu-rows", &Options::rows},
    Switch{"schedule", "rvtt-sfpu-schedule", &Options::schedule},
};

} // namespace lanewise::compiler
