// Values of a lane as expressions over its inputs: bit-vectors of 32 bits and truth values, each
// expression once. For proofs over more inputs than can be gone through (prove_pairs.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace lanewise::tune {

class TermGraph;
struct TermNode;

enum class TermKind : std::uint8_t {
  Variable,
  // Of 32 bits.
  And,
  Or,
  Xor,
  Not,
  Add,
  Subtract,
  ShiftLeft, ///< counts above 31 give 0, or the sign
  ShiftRight,
  ShiftRightSigned,
  Choose,      ///< the second where the first, a truth value, holds; else the third
  MultiplyAdd, ///< x * y + z of floats, of which nothing is known but that x * y is y * x
  Opaque,      ///< what an instruction makes of its operands: equal operands, equal results
  // TruthTerm values.
  Equal,
  LessSigned,
  LessUnsigned,
  BothTrue,
  EitherTrue,
  NotTrue
};

bool is_truth(TermKind kind);

/// What two expressions of any sort have in common: a constant, or a node of a graph.
struct TermValue {
  const TermNode* node = nullptr; ///< nullptr: `constant`
  std::uint32_t constant = 0;     ///< of a truth value 0 or 1
  bool is_constant() const { return node == nullptr; }
  friend bool operator==(const TermValue&, const TermValue&) = default;
};

struct TermNode {
  TermGraph* graph;
  std::uint32_t number; ///< in the graph; operands have smaller ones
  TermKind kind;
  std::uint32_t variable; ///< of which it is the number; of Opaque, the word (opaque())
  std::array<TermValue, 3> operands;
};

/// A truth value.
struct TruthTerm {
  TermValue value;
  TruthTerm() = default;
  explicit TruthTerm(bool constant) : value{.constant = constant ? 1U : 0U} {}
  explicit TruthTerm(TermValue of) : value(of) {}
  friend bool operator==(const TruthTerm&, const TruthTerm&) = default;
};

TruthTerm operator&(TruthTerm a, TruthTerm b);
TruthTerm operator|(TruthTerm a, TruthTerm b);
TruthTerm operator~(TruthTerm a);
TruthTerm operator^(TruthTerm a, TruthTerm b);

/// 32 bits. Numbers stand beside terms as they do beside the lane types of
/// chip/semantics/lanes.h, whose functions take terms, too (term_lanes.h).
struct Term {
  TermValue value;
  Term() = default;
  Term(std::uint32_t constant)
      : value{.constant = constant} {} // NOLINT(google-explicit-constructor)
  explicit Term(TermValue of) : value(of) {}
  bool is_constant() const { return value.is_constant(); }
  friend bool same(Term a, Term b) { return a.value == b.value; }
};

Term operator&(Term a, Term b);
Term operator|(Term a, Term b);
Term operator^(Term a, Term b);
Term operator+(Term a, Term b);
Term operator-(Term a, Term b);
Term operator-(Term a);
Term operator~(Term a);
Term operator<<(Term a, Term n);
Term operator>>(Term a, Term n);
inline Term& operator&=(Term& a, Term b) {
  return a = a & b;
}

Term shift_right_with_sign(Term a, Term n);
Term choose(TruthTerm condition, Term a, Term b);
TruthTerm choose(TruthTerm condition, TruthTerm a, TruthTerm b);
TruthTerm equals(Term a, Term b);
TruthTerm less_signed(Term a, Term b);
TruthTerm less_unsigned(Term a, Term b);
/// x * y + z. At least one of them must not be a constant.
Term multiply_add(Term x, Term y, Term z);
/// What the instruction `word` leaves in LReg[3] of what is in LReg[0], LReg[1] and LReg[2], which
/// it may ignore. At least one of them must not be a constant.
inline constexpr unsigned kOpaqueResult = 3;
Term opaque(std::uint32_t word, Term a, Term b = 0, Term c = 0);
/// The same where the first two may be exchanged.
Term opaque_product(std::uint32_t word, Term a, Term b);

/// Keeps nodes. Not to be moved: nodes know it.
class TermGraph {
 public:
  TermGraph() = default;
  TermGraph(const TermGraph&) = delete;
  TermGraph& operator=(const TermGraph&) = delete;

  Term variable(std::uint32_t number);
  /// Folds constants, and what is plain to see.
  TermValue make(TermKind kind, const std::array<TermValue, 3>& operands);
  TermValue make_opaque(std::uint32_t word, const std::array<TermValue, 3>& operands);

 private:
  using Key = std::tuple<TermKind, std::uint32_t, std::array<std::uint64_t, 3>>;
  TermValue find(TermKind kind, const std::array<TermValue, 3>& operands,
                 std::uint32_t variable = 0);

  std::deque<TermNode> nodes_;
  std::map<Key, const TermNode*> known_;
};

/// The nodes on which values depend, operands first.
std::vector<const TermNode*> nodes_of(std::span<const TermValue> values);

/// What comes out where the variables have these values. `multiply_add` computes that kind, and
/// `opaque` what the word makes of three registers.
using MultiplyAddOf = std::uint32_t (*)(std::uint32_t x, std::uint32_t y, std::uint32_t z);
using OpaqueOf =
    std::function<std::uint32_t(std::uint32_t word, const std::array<std::uint32_t, 3>& operands)>;
std::uint32_t evaluate(TermValue value, const std::map<std::uint32_t, std::uint32_t>& variables,
                       MultiplyAddOf multiply_add = nullptr, const OpaqueOf& opaque = nullptr);

} // namespace lanewise::tune
