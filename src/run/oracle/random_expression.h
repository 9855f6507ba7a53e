// Random expressions over the variables of a random kernel.
#pragma once

#include <cstdint>
#include <vector>

#include "number/tensors/pattern.h"
#include "run/oracle/kernel_writer.h"
#include "run/oracle/random_kernel.h"

namespace lanewise::oracle {

/// What random choices are made from.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  std::uint32_t bits() { return static_cast<std::uint32_t>(random_() >> 32); }
  /// 0 .. count - 1.
  unsigned below(unsigned count) { return bits() % count; }
  /// True once in `count` times.
  bool one_in(unsigned count) { return below(count) == 0; }
  std::int32_t between(std::int32_t first, std::int32_t last) {
    return first + static_cast<std::int32_t>(below(static_cast<unsigned>(last - first + 1)));
  }

 private:
  tensors::SplitMix64 random_;
};

/// A variable of the kernel.
struct Variable {
  compiler::Value value = compiler::kNone;
  std::uint32_t declared = 0;   ///< context in which the variable came to be
  std::uint32_t defined_in = 0; ///< context in all of whose lanes it has a value
  bool has_value = true;
};

/// Appends random operations to a kernel.
///
/// A budget is a number of LRegs that are free: an expression needs at most so many at once, its
/// result included.
class ExpressionMaker {
 public:
  using Value = compiler::Value;

  ExpressionMaker(KernelWriter& writer, Dice& dice, const std::vector<Variable>& variables,
                  const RandomKernelOptions& options)
      : writer_(writer), dice_(dice), variables_(variables), options_(options) {}

  /// A vector with a value in every lane that is enabled here; budget at least 1.
  Value vector(unsigned budget);
  /// A variable, a constant, or a load; budget at least 1.
  Value leaf();
  /// 32 bits of every kind that kernels have.
  std::uint32_t constant_bits();
  std::int32_t dst_address();

  /// A condition on vectors with values in the lanes that are enabled here. Its test needs at most
  /// `levels` entries of the flag stack; budget at least kConditionBudget.
  Value condition(unsigned budget, unsigned levels);
  /// A condition that can be tested in other lanes of the context `around` than are enabled here:
  /// on variables of that context and constant registers.
  Value condition_for_else(std::uint32_t around);

  static constexpr unsigned kConditionBudget = 2;

 private:
  Value vector(unsigned budget, unsigned depth);
  Value unary(unsigned budget, unsigned depth);
  Value float_field(Value x);
  Value integer_unary(Value x);
  Value rounding(Value x);
  Value binary(unsigned budget, unsigned depth);
  Value two_vectors(Value a, Value b);
  Value blackhole_binary(Value a, Value b);
  Value shift(Value x, std::int32_t amount);
  /// A vector whose every lane has a value; kNone if there is none at hand.
  Value with_all_lanes();
  /// A variable that has a value in all lanes of the context; kNone if there is none.
  Value variable_within(std::uint32_t context);

  std::int32_t rounding_mode();
  compiler::Relation relation() { return static_cast<compiler::Relation>(dice_.below(6)); }
  compiler::NumberType number_type();
  Value comparison(unsigned& temporaries);
  Value condition_tree(unsigned depth, unsigned& temporaries);
  /// A literal that SFPLOADI has where a lane is narrower than 32 bits.
  std::uint32_t narrow_constant();
  unsigned load_mode();
  unsigned zero_lreg() const { return arch_params(writer_.arch()).vector.zero_lreg; }
  bool is_narrow() const { return has_narrow_lanes(writer_.arch()); }
  bool is_blackhole() const { return arch_params(writer_.arch()).vector.has_compare_arecip_mul24; }

  KernelWriter& writer_;
  Dice& dice_;
  const std::vector<Variable>& variables_;
  const RandomKernelOptions& options_;
};

} // namespace lanewise::oracle
