// Which functions the kernels at hand compute: what the table of accuracy is made of.
//
// One file per family: the project's examples, and the kernels of tt-llk.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "number/formats/format.h"
#include "study/corpus/llk/kernel.h"
#include "study/sweep/space.h"

namespace lanewise::corpus {

/// Where a kernel comes from.
enum class AccuracyOrigin : std::uint8_t {
  Example, ///< a file under examples/
  Llk,     ///< one of llk_corpus() (study/corpus/llk/corpus.h)
  Metal    ///< an operation of tt-metal (source/checkouts/op.h)
};

/// A kernel that computes a function of one or two bf16 numbers, element by element.
struct AccuracyKernel {
  std::string name; ///< of the file, the kernel or the operation; unique
  AccuracyOrigin origin = AccuracyOrigin::Example;
  std::string reference; ///< the function, for parse_reference() (number/references/reference.h)
  /// For which finite inputs it is meant to hold, as an expression; empty = all of them. Infinities
  /// and NaN are always looked at.
  std::string domain = {};
  unsigned operands = 1;
};

/// The examples in the order of their names, then the kernels of LLK in the order of llk_corpus().
const std::vector<AccuracyKernel>& accuracy_corpus();

std::vector<AccuracyKernel> accuracy_examples();
std::vector<AccuracyKernel> accuracy_llk_kernels();
/// The operations with a function (study/corpus/metal/functions.h) among these kernels of tt-metal.
std::vector<AccuracyKernel> accuracy_metal_kernels(std::span<const LlkKernel> kernels);

/// The format of all operands and results.
inline constexpr formats::Format kAccuracyFormat = formats::Format::BF16;

/// The domain with the inputs that are not finite; empty if there is no domain.
std::string domain_expression(const AccuracyKernel& kernel);

/// 2^20 inputs, where all of them are too many.
sweep::SweepSpace sampled_space();

/// Every number, or a sample of the pairs, which are 2^32.
sweep::SweepSpace accuracy_space(const AccuracyKernel& kernel);

} // namespace lanewise::corpus
