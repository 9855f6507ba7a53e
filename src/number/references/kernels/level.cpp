// The functions of expressions over blocks of inputs, of one x86-64 level. This file is compiled
// once per level, with LANEWISE_LEVEL as its namespace.
#include <array>
#include <utility>

#include "number/references/kernels/functions.h"
#include "number/references/kernels/level_kernels.h"
#include "number/references/piecewise.h"
#include "number/references/rows.h"

namespace lanewise::LANEWISE_LEVEL {

// What is put together from others stands there, once for every kind of interval.
using namespace references; // NOLINT(google-build-using-namespace)
using references::is_infinite;

namespace {

/// Evaluates the function again where a vector left it open, lane by lane.
template <std::size_t kOperands>
void evaluate_points(const std::array<IntervalBlock, kOperands>& from, std::size_t first,
                     unsigned lanes, double* low, double* high, PointFunction at_point) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::size_t i = first + static_cast<std::size_t>(__builtin_ctz(lanes));
    std::array<Interval, kOperands> operands;
    for (std::size_t k = 0; k < kOperands; ++k) operands[k] = {from[k].low[i], from[k].high[i]};
    const Interval result = at_point(operands.data());
    low[i] = result.low;
    high[i] = result.high;
  }
}

template <class Function, std::size_t... I>
bool evaluate_block(const IntervalBlock* operands, std::size_t count, double* low, double* high,
                    PointFunction at_point, std::index_sequence<I...>) {
  const std::array<IntervalBlock, sizeof...(I)> from{operands[I]...};
  bool all_points = true;
  for (std::size_t i = 0; i < count; i += kLanes) {
    Intervals result = Function{}(Intervals(load(from[I].low + i), load(from[I].high + i))...);
    store(low + i, result.low);
    store(high + i, result.high);
    if (const unsigned open = lanes_of(is_unknown(result)); open != 0) [[unlikely]] {
      evaluate_points(from, i, open, low, high, at_point);
      result = Intervals(load(low + i), load(high + i));
    }
    all_points = all_points && all(is_point(result));
  }
  return all_points;
}

/// The row of a generic lambda.
template <class Function>
constexpr BlockFunction row(Function) {
  return [](const IntervalBlock* operands, std::size_t count, double* low, double* high,
            PointFunction at_point) {
    return evaluate_block<Function>(
        operands, count, low, high, at_point,
        std::make_index_sequence<operand_count<Function, Intervals>()>{});
  };
}

#define LANEWISE_LAMBDA __attribute__((always_inline))->T
#define ONE(group, name, another, meaning, result) \
  row([]<class T>(const T& x) LANEWISE_LAMBDA { return result; }),
#define TWO(group, name, another, meaning, result) \
  row([]<class T>(const T& x, const T& y) LANEWISE_LAMBDA { return result; }),
#define THREE(group, name, another, meaning, result) \
  row([]<class T>(const T& x, const T& y, const T& z) LANEWISE_LAMBDA { return result; }),
#define TWO_DEFAULT(y, ...) TWO(__VA_ARGS__)
#define THREE_DEFAULT(y, z, ...) THREE(__VA_ARGS__)

constexpr std::array kFunctions{
#include "number/references/functions.def"
};
#undef ONE
#undef TWO
#undef THREE
#undef TWO_DEFAULT
#undef THREE_DEFAULT
#undef LANEWISE_LAMBDA

} // namespace

// rounding_level.cpp, lines_level.cpp
bool decide(formats::Format format, IntervalBlock values, std::size_t count, DecidedBlock results);
void numbers(formats::Format format, std::span<const std::uint32_t> bits, double* numbers);
bool specials(formats::Format format, std::span<const std::uint32_t> bits);
bool nans(formats::Format format, std::span<const std::uint32_t> bits);
bool lie_in(FlatPart part, const double* numbers);

const ReferenceKernels* reference_kernels() {
  static constexpr ReferenceKernels kKernels{.functions = kFunctions,
                                             .decide = decide,
                                             .numbers = numbers,
                                             .specials = specials,
                                             .nans = nans,
                                             .lie_in = lie_in};
  return &kKernels;
}

} // namespace lanewise::LANEWISE_LEVEL
