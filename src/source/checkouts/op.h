// Operations of tt-metal's compute API on the Vector Unit: which functions of which header they
// are, and what these are called with.
//
// The rows are facts of tt-metal (docs/sources.md): names of headers, functions and parameters.
// Values of parameters are bound by the parameters' names, so that one row serves releases that
// have them in another order; call.h does that for a checkout.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "chip/isa/arch.h"
#include "source/sfpi/kernel.h"

namespace lanewise::checkouts {

/// How a number that a user writes reaches a kernel.
enum class ArgumentForm : std::uint8_t {
  Fp32Bits,       ///< the bits of the fp32
  Fp32Reciprocal, ///< those of its reciprocal; `name` is that of an argument before
  Bf16Bits,       ///< the bits of the bf16
  Integer,        ///< as it is
  Float           ///< as a float of C++
};

/// A number that an operation is called with.
struct OpArgument {
  std::string_view name;
  ArgumentForm form = ArgumentForm::Fp32Bits;
  std::string_view value = ""; ///< without another choice
};

/// The value of a template parameter, by its name in the header; text of C++.
struct OpTemplate {
  std::string_view parameter, value;
};

/// What the tiles hold. Fp32: a result that is stored as 32 bits, whatever the inputs are.
enum class OpElement : std::uint8_t { Float, Fp32, Int32, UInt32, UInt16 };

struct SfpuOp {
  std::string_view name;      ///< as of NAME_tile() in the compute API
  std::string_view header;    ///< ckernel_sfpu_<header>.h
  std::string_view calculate; ///< names of functions: the first that the header has
  std::string_view init = ""; ///< likewise; empty if there is none
  std::vector<OpTemplate> templates = {};
  std::vector<OpArgument> arguments = {};
  std::vector<OpArgument> init_arguments = {}; ///< empty: the init takes the same as `calculate`
  unsigned operands = 1;                       ///< tiles 0, 1, ...; the result is in tile 0
  OpElement element = OpElement::Float;
  sfpi::Faces faces = sfpi::Faces::RC;
  OpElement result = OpElement::Float; ///< differs from `element` where a number changes its type
};

/// Whether it makes integers of 32 bits of floats, for which Dst has to have as many.
bool needs_wide_dst(const SfpuOp& op);

/// All operations, in the order of the families.
std::span<const SfpuOp> sfpu_ops();

/// The operation of a name; null if there is none.
const SfpuOp* find_op(std::string_view name);

std::vector<SfpuOp> float_ops();      ///< functions of one float
std::vector<SfpuOp> activation_ops(); ///< those of neural networks, with their parameters
std::vector<SfpuOp> comparison_ops(); ///< tests, minima and maxima
std::vector<SfpuOp> integer_ops();    ///< integers and bits
std::vector<SfpuOp> binary_ops();     ///< two and three floats
std::vector<SfpuOp> conversion_ops(); ///< from one format to another
std::vector<SfpuOp> tile_ops();       ///< sums, orders and random numbers of a tile

} // namespace lanewise::checkouts
