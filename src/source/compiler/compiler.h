// The compiler: a Recording in, a Program of instruction words out. Start here.
//
// docs/compiler.md describes the passes. Each is one file; passes.cpp is the list of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "chip/isa/program.h"
#include "source/compiler/combine.h"
#include "source/compiler/ir.h"
#include "source/compiler/options.h"

namespace lanewise::compiler {

struct Compiled {
  bool ok = false;
  Program program;                  ///< words, with lines of the kernel's main file
  std::vector<std::uint32_t> sites; ///< of each word: index into Recording::sites
  unsigned executed = 0;            ///< instructions that reach the execution units
  unsigned lregs = 0;               ///< distinct LRegs 0..7 that are used
  Fusion fusion = Fusion::AsRelease;
  std::vector<Fault> diagnostics; ///< errors (BadInput), and warnings (other kinds)
  /// Text of the program after each pass that was asked for, in order.
  std::vector<std::pair<std::string, std::string>> dumps;
};

/// The recording after the passes that may change a rounding: what the interpreter runs.
Recording combined(Recording recording, const Options& options);

/// Compiles. Errors are in `diagnostics`; the program is empty then.
Compiled compile(const Recording& recording, const Options& options);

} // namespace lanewise::compiler
