// What a kernel is meant to compute: a function of one or two numbers, correctly rounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "number/formats/format.h"

namespace lanewise::references {

/// A function at one point.
struct ReferenceValue {
  /// The result before it is rounded, within 2^-40 of its size; infinities and NaN as such.
  double exact = 0;
  /// The value bits (number/formats/format.h) of the format that lie nearest to the true result,
  /// ties to even, with everything that round_to_bits() says about the ends of the range.
  std::uint32_t bits = 0;
  /// False where even the highest precision left two candidates for `bits`: the true result is in
  /// the middle between them, or the expression cannot be computed there. `bits` is then the better
  /// guess.
  bool decided = true;

  friend bool operator==(const ReferenceValue&, const ReferenceValue&) = default;
};

/// A function at many points: where its values go, as lists of the length of the inputs.
struct ReferenceResults {
  std::span<std::uint32_t> bits;      ///< ReferenceValue::bits
  std::span<double> exact;            ///< ReferenceValue::exact
  std::vector<std::size_t> undecided; ///< the points whose ReferenceValue::decided is false
};

/// Points as value bits (number/formats/format.h). `y` is empty for functions of one number.
struct ReferenceInputs {
  formats::Format format;
  std::span<const std::uint32_t> x, y;
};

/// A function that results are held against. Any number of threads may evaluate one object.
class Reference {
 public:
  Reference() = default;
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  virtual ~Reference() = default;

  /// What the user wrote: the expression, or the name of the file.
  virtual const std::string& text() const = 0;
  /// Something that changes whenever the function may have: the expression, or a digest of the
  /// file. Kept in the files of interrupted sweeps.
  virtual const std::string& identity() const = 0;
  /// 1 for functions of x, 2 for functions of x and y.
  virtual unsigned operands() const = 0;

  /// The function at each point, rounded to `format`. `x` and `results` have the same length, `y`
  /// as well, or it is empty for functions of one number. The numbers are taken as they are: who
  /// flushes denormals does so before. Error: only of a function in C++, BadInput that says at
  /// which point it crashed or did not come back; `results` are then worthless.
  virtual Expected<void> evaluate(formats::Format format, std::span<const double> x,
                                  std::span<const double> y, ReferenceResults& results) const = 0;

  /// The same at the numbers that inputs stand for (reference_numbers()).
  virtual Expected<void> evaluate_inputs(formats::Format format, const ReferenceInputs& inputs,
                                         ReferenceResults& results) const;

  /// The same, value by value.
  Expected<void> evaluate(formats::Format format, std::span<const double> x,
                          std::span<const double> y, std::span<ReferenceValue> results) const;
};

/// The function of an expression in x and y (docs/references.md has the language).
/// Error: BadInput with the column of the mistake and what would be possible there.
Expected<std::unique_ptr<Reference>> parse_reference(std::string_view expression);

/// The names that an expression may use, one line for each group of them, for --help.
std::string reference_help();

/// The function `double reference(double x)` or `double reference(double x, double y)` of a C++
/// file, compiled with the host's g++. Its results are rounded as the doubles that they are.
/// Error: BadInput with g++'s message, or that the file defines neither.
Expected<std::unique_ptr<Reference>> compile_reference(const std::string& file);

} // namespace lanewise::references
