// A function in SSA form: the registers of the RISC-V core and the LRegs of the Tensix words, each
// version of them with a number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "binary/elf/code.h"
#include "binary/paths/code_graph.h"
#include "binary/paths/tensix_paths.h"
#include "chip/isa/arch.h"

namespace lanewise::paths {

/// A register: x0..x31, then L0..L15.
using Register = std::uint32_t;
inline constexpr Register kFirstLReg = 32;
inline constexpr Register kSsaRegisters = kFirstLReg + 16;

/// A value of a register. Version 0 is what the function finds; others are numbered in the order of
/// the code, phis of a block first.
struct SsaName {
  Register of = 0;
  std::uint32_t version = 0;

  friend auto operator<=>(const SsaName&, const SsaName&) = default;
};

/// Values that come together at the beginning of a block.
struct SsaPhi {
  /// One per predecessor, in their order; of the first block, last the one from outside. Nothing
  /// from a block that is not reached.
  std::vector<std::optional<SsaName>> arguments;
  SsaName result;
};

/// What a word does with values.
struct SsaWord {
  std::vector<SsaName> uses, defines; ///< ascending, each once
  std::vector<SsaName>
      keeps; ///< of LRegs of which it writes only some lanes or a half; else as `uses`
};

struct FunctionSsa {
  std::vector<std::vector<SsaPhi>> phis; ///< of each block, where the register is read later
  std::vector<SsaWord> words;            ///< nothing in blocks that are not reached
  std::vector<bool> is_defined;          ///< of each register: by some word or phi

  /// "a0.3", "L2.1"; the bare name of a register that the function does not define.
  std::string text(const SsaName& name) const;
};

/// `paths` is what follow_paths() says of the function, with the same summaries. Calls read a0 to
/// a7 and returns a0 and a1, since either may; calls write what a callee need not save.
FunctionSsa make_function_ssa(const elf::Function& function, const CodeGraph& code, Arch arch,
                              const TensixPaths& paths, const Summaries& summaries);

} // namespace lanewise::paths
