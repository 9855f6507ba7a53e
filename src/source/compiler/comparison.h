// What a comparison of vectors means: the one table that the interpreter follows and the compiler
// makes instructions of. docs/comparisons.md describes it.
//
// The vendor's compiler has changed its mind three times, so the release counts
// (source/compiler/epoch.h). A relation is a test of the bits of something that is made of both
// sides, or of one of them.
#pragma once

#include <cstdint>

#include "source/compiler/ir.h"

namespace lanewise::compiler {

/// Releases in which comparisons are made in the same way; each is named by its last or first one.
enum class ComparisonRules : std::uint8_t {
  To769,   ///< 5.0 .. 7.69: left - right, and two tests where the relation includes "greater"
  To774,   ///< 7.70 .. 7.74: `a > b` is `b < a`, and the sign of the difference decides
  To778,   ///< 7.75 .. 7.78: floats by the total order on Blackhole, `==` by the bits
  Since779 ///< as before, but Blackhole tests `==` by two SFPLE
};

ComparisonRules comparison_rules(int epoch);

/// What is tested.
enum class Measure : std::uint8_t {
  First,      ///< the first side itself: the second one is the literal 0
  Difference, ///< first - second: for floats as SFPMAD gives it, for integers modulo 2^32
  Order,      ///< which side is before the other in the order of SFPGT and SFPLE (VU C32)
  Bits        ///< whether both patterns are the same
};

/// The outcome that makes the relation true. For Order, Negative is "first before second".
enum class Outcome : std::uint8_t { Negative, NotNegative, Zero, NotZero, Positive, NotPositive };

struct Decision {
  bool swapped; ///< the right side is the first one
  Measure measure;
  Outcome outcome; ///< Positive and NotPositive: as SFPSETCC has it, sign clear and not all bits 0

  friend bool operator==(const Decision&, const Decision&) = default;
};

/// Whether what is measured has that outcome.
bool has_outcome(Outcome outcome, std::uint32_t bits);

/// How `left relation right` is decided. `left_is_zero`, `right_is_zero`: the side is the literal 0
/// or the constant register, see is_zero() in source/compiler/uses.h.
Decision decide(ComparisonRules rules, Arch arch, NumberType type, Relation relation,
                bool left_is_zero, bool right_is_zero);

/// That of a Compare node, or of its opposite.
Decision decide(const Recording& recording, const Node& compare, bool negate = false);

/// Whether `a relation b` and its mirror image, such as a < b and b > a, are the same in every
/// lane.
bool is_mirrored(ComparisonRules rules, Arch arch, NumberType type, Relation relation);

/// The relation that holds where `relation` does not.
Relation inverse(Relation relation);
/// The relation that holds for (b, a) where `relation` does for (a, b).
Relation mirrored(Relation relation);

/// How the difference of two floats is made: first - second = first + second * -1.0, where -1.0 is
/// LReg[11], or LReg[10] = 1.0 with the negate bit of SFPMAD.
bool difference_negates(ComparisonRules rules, Arch arch);

} // namespace lanewise::compiler
