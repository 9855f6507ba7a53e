// What a user can switch in the compiler.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanewise::compiler {

/// Who arranges a kernel's instructions.
enum class CompiledAs : std::uint8_t {
  Shipped, ///< in the order of the source, as the vendor's compiler leaves them
  Lanewise ///< by "hoist", "rows" and "schedule"
};

/// Optional passes; the names of the vendor's compiler switches are aliases (docs/compiler.md).
struct Options {
  bool combine = true;       ///< MAD formation, negations, immediates: -fno-rvtt-sfpu-combine
  bool cc = true;            ///< fewer PUSHC and POPC, comparisons folded: -fno-rvtt-sfpu-cc
  bool replay = true;        ///< repetition becomes REPLAY: -fno-rvtt-sfpu-replay
  bool warn = true;          ///< warnings: -fno-rvtt-sfpu-warn
  bool dce = true;           ///< operations without effect are left out: -fno-rvtt-sfpu-dce
  bool fold = true;          ///< what is known before the kernel runs is not computed by it
  bool cse = true;           ///< what is computed twice is computed once
  bool rematerialize = true; ///< constants are loaded again rather than kept, if registers run out
  bool hoist = true;         ///< constants are loaded once for all rows while LRegs allow it
  bool rows = true;          ///< neighbouring rows of a tile overlap
  bool schedule = true;      ///< instructions in an order in which fewer of them wait
  /// Unset: a kernel that LLK calls is as it ships (Recording::is_shipped), all else Lanewise's.
  std::optional<CompiledAs> compiled = {};
  std::vector<std::string> dump; ///< passes after which the program is printed; "all"
};

} // namespace lanewise::compiler
