// Kernels of LLK against their specifications: compiled from the headers as they are, run on the
// machine, held against the interpreter and against the reference.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "number/formats/ulp_measure.h"
#include "source/checkouts/checkout.h"
#include "source/compiler/options.h"
#include "study/corpus/llk/kernel.h"

namespace lanewise::corpus {

enum class LlkVerdict : std::uint8_t {
  Ok,
  Ran,         ///< words and interpreter agree; nobody says how exact the results have to be
  KnownDefect, ///< the results are wrong as LlkKernel::defect says
  Fail
};

/// A kernel in one configuration on one chip.
struct LlkResult {
  std::string kernel;
  std::string header = {}; ///< which it is from
  bool twin = false;       ///< the version with DISABLE_SFPLOADMACRO
  bool macros = false;     ///< the words have SFPLOADMACRO
  /// Of words with SFPLOADMACRO: compared with the twin, and all of Dst was the same.
  bool equals_twin = false;
  Arch arch = kDefaultArch;
  formats::Format format = formats::Format::BF16; ///< that the Vector Unit was configured for
  formats::UlpMeasure measure = formats::UlpMeasure::Line; ///< of `error` and `bound`

  bool compiled = false;
  std::size_t words = 0;
  unsigned executed = 0, lregs = 0;
  double init_cycles = 0, cycles = 0; ///< once, and per tile in the steady state

  /// Largest errors: in ULP of the elements within the bound in ULP, absolute of the others. 0 and
  /// 0 if all were exact.
  LlkBound error, bound;
  std::uint64_t compared = 0;

  LlkVerdict verdict = LlkVerdict::Fail;
  std::string reason; ///< why it is not Ok
};

/// What check_llk_kernel() can be told.
struct LlkCheckOptions {
  std::vector<Arch> chips{kArchs.begin(), kArchs.end()};
  compiler::Options compiler = {};
  formats::UlpMeasure measure = formats::UlpMeasure::Line; ///< of errors and bounds in ULP
  /// Called before each compilation with the kernel's name; false stops.
  std::function<bool(const std::string&)> progress = {};
};

/// Checks a kernel in all its configurations: a result for each of them, and chip, and version with
/// or without SFPLOADMACRO. It never fails as a whole: what goes wrong is in the results.
///
/// Words without SFPLOADMACRO must do what the interpreter does, bit for bit. The interpreter has
/// no clock; words with SFPLOADMACRO must leave the same in all of Dst as the version without,
/// where the header has one.
std::vector<LlkResult> check_llk_kernel(const LlkKernel& kernel,
                                        const checkouts::Checkout& checkout,
                                        const LlkCheckOptions& options);

} // namespace lanewise::corpus
