// What is known about a kernel of LLK: how it is called, what it computes, and how exactly.
//
// The kernels themselves come from a checkout of tt-llk, unmodified. Specifications are data; the
// list of them is study/corpus/llk/corpus.h, and study/corpus/llk/check.h holds kernels against
// them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "chip/isa/arch.h"
#include "number/formats/format.h"
#include "number/tensors/tile.h"
#include "source/sfpi/kernel.h"

namespace lanewise::corpus {

/// How far a result may be from its reference. An element is right if it is within any of them.
struct LlkBound {
  double ulp = 0;      ///< units in the last place of the output's format; 1 if it is an integer
  double absolute = 0; ///< for approximations whose error does not shrink with the value
  double relative = 0; ///< for approximations that are coarser than the format

  friend bool operator==(const LlkBound&, const LlkBound&) = default;
};

/// One configuration in which a kernel is run.
struct LlkDst {
  formats::Format format =
      formats::Format::BF16; ///< that the Vector Unit is configured for; default of all tiles
  LlkBound bound = {};
  /// The bound of a chip whose kernel computes otherwise.
  std::optional<std::pair<Arch, LlkBound>> exception = std::nullopt;

  const LlkBound& bound_on(Arch arch) const {
    return exception && exception->first == arch ? exception->second : bound;
  }
};

/// A tile of Dst that the kernel reads; the n-th is tile n.
struct LlkInput {
  std::string pattern = "every"; ///< see make_llk_input()
  std::optional<formats::Format> format = std::nullopt;
};

/// A tile of Dst in which the kernel leaves a result.
struct LlkOutput {
  unsigned tile = 0;
  std::optional<formats::Format> format = std::nullopt;
};

/// Inputs for which the function is meant to hold; what is computed from others is not looked at.
/// Denormals are never looked at: Dst does not keep them. References of whole tiles say themselves
/// which elements matter; of their domains, only the text is used.
struct LlkDomain {
  std::string text = "finite";             ///< for people
  bool (*holds)(double, double) = nullptr; ///< of the first two inputs; finite if null
  bool nan_and_infinity = false;           ///< whether these are part of it
};

/// The numbers of a tile, row by row.
using NumberTile = std::array<double, tensors::kTileElements>;
/// What a tile has to hold, where it matters.
using Answers = std::array<std::optional<double>, tensors::kTileElements>;

/// A function of the elements in one place of the inputs.
using NumberOfOne = double (*)(double);
using NumberOfTwo = double (*)(double, double);
/// The same on bits, and the result is exact. Of bf16, the bits are those of the fp32 of the same
/// value; of other formats, the value bits (number/formats/format.h).
using BitsOfOne = std::uint32_t (*)(std::uint32_t);
using BitsOfTwo = std::uint32_t (*)(std::uint32_t, std::uint32_t);
/// A function of whole tiles; `answers` has one tile for each output.
using TileFunction = void (*)(std::span<const NumberTile> inputs, std::span<Answers> answers);
/// For random results: what is wrong with the outputs, if anything. Gets the inputs of one run.
using Verdict = std::optional<std::string> (*)(std::span<const NumberTile> inputs,
                                               std::span<const NumberTile> outputs);

/// A function of the elements in one place, correctly rounded: for parse_reference().
struct ExpressionReference {
  std::string text;
};
/// Nothing is known about what the kernel computes: it is run, and its words are held against the
/// interpreter.
struct NoReference {};

using LlkReference = std::variant<NumberOfOne, NumberOfTwo, BitsOfOne, BitsOfTwo, TileFunction,
                                  Verdict, ExpressionReference, NoReference>;

/// In calls, what stands for whether Dst has 32 bits.
inline constexpr const char* kWidthPlace = "{FP32}";

struct LlkKernel {
  std::string name;
  std::string header; ///< the kernel is in ckernel_sfpu_<header>.h
  std::string init = {};
  std::string call; ///< in both, {FP32} stands for whether Dst has 32 bits
  sfpi::Faces faces = sfpi::Faces::RC;
  std::vector<Arch> chips{kArchs.begin(), kArchs.end()};
  std::vector<LlkDst> dst{{}};
  std::vector<LlkInput> inputs{{}};
  std::vector<LlkOutput> outputs{{}};
  LlkDomain domain = {};
  /// Whether DISABLE_SFPLOADMACRO gives another version, which is checked as well.
  bool has_twin = false;
  /// What the kernel gets wrong, if the checkout is known to have a defect: results that differ
  /// from the reference then have a verdict of their own.
  std::string defect = {};
  LlkReference reference;
};

} // namespace lanewise::corpus
