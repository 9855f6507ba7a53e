#include "study/tune/prove_pairs.h"

#include <fmt/format.h>

#include <set>
#include <string_view>

#include "number/formats/format.h"
#include "study/tune/follow_lane.h"
#include "study/tune/row_terms.h"
#include "study/tune/term_lanes.h"

namespace lanewise::tune {

namespace {

namespace sem = semantics;

std::string operand_name(unsigned tile) {
  constexpr std::string_view kNames = "xyz";
  return tile < kNames.size() ? std::string(1, kNames[tile]) : fmt::format("operand_{}", tile);
}

/// Of the element in the same place "x" or "y", so that all rows ask the same.
std::string name_of(std::uint32_t variable, unsigned index) {
  if (variable >= kRegisterVariables) return fmt::format("lreg{}", variable - kRegisterVariables);
  const LanePlace place(variable);
  const std::string name = operand_name(place.tile);
  return place.index == index ? name : fmt::format("{}_of_{}", name, place.index);
}

class PairsProof {
 public:
  PairsProof(const Plain& plain, const Plain& tuned, const ProofOptions& options)
      : plain_(plain), tuned_(tuned), options_(options) {}

  Expected<PairsAnswer> run() {
    const auto expected = row_terms(graph_, plain_, options_),
               found = row_terms(graph_, tuned_, options_);
    for (const auto* terms : {&expected, &found}) {
      if (*terms) continue;
      if (terms->error().kind != FaultKind::Unsupported) return Unexpected(terms->error());
      return PairsAnswer{.why = terms->error().message};
    }
    PairsAnswer answer{.verdict = SolverVerdict::Never};
    for (unsigned index = 0; index < kPlacesOfTile; ++index) {
      answer = ask(index, (*expected)[index], (*found)[index]);
      if (answer.verdict != SolverVerdict::Never) break;
    }
    answer.questions = asked_.size();
    return answer;
  }

 private:
  formats::Format output() const { return options_.output_format.value_or(options_.format); }

  /// Whether a number is one whose result may be another one.
  TruthTerm is_allowed(formats::Format format, Term bits) const {
    const Term magnitude = bits & ~sem::kSign;
    const TruthTerm is_nan = less_unsigned(sem::kInfinity, magnitude);
    const TruthTerm is_denormal = ~equals(magnitude, 0) & less_unsigned(magnitude, sem::kHiddenOne);
    if (format != formats::Format::FP32) return TruthTerm(false);
    return (TruthTerm(options_.allow_nan) & is_nan) |
           (TruthTerm(options_.allow_denormal) & is_denormal);
  }

  /// Whether an element of this place is one that a sweep would try, and would not allow to differ.
  TruthTerm counts(unsigned index, Term expected) {
    TruthTerm all(true);
    for (unsigned tile = 0; tile < options_.operands; ++tile) {
      const Term bits = graph_.variable(LanePlace(tile, index).variable());
      all = all & ~is_allowed(options_.format, bits);
      if (is_signed_integer(options_.format)) all = all & ~equals(bits, sem::kSign); // -0 in Dst
    }
    return all & ~is_allowed(output(), sem::unshuffle_32(expected));
  }

  PairsAnswer ask(unsigned index, Term expected, Term found) {
    if (same(expected, found)) return {.verdict = SolverVerdict::Never};
    if (options_.only_soon)
      return {.why = "it computes the results in another way, and a proof of that takes minutes"};
    const TruthTerm differs = ~equals(expected, found) & counts(index, expected);
    const std::string question =
        question_text(differs, [&](std::uint32_t number) { return name_of(number, index); });
    if (!asked_.insert(question).second) return {.verdict = SolverVerdict::Never};
    SolverAnswer said = ask_solver(question, options_.solver_time);
    PairsAnswer answer{.verdict = said.verdict, .why = std::move(said.why)};
    // An operand on which nothing depends may be anything.
    for (unsigned tile = 0; tile < options_.operands; ++tile)
      answer.operands.push_back(said.variables[operand_name(tile)]);
    return answer;
  }

  const Plain &plain_, &tuned_;
  const ProofOptions& options_;
  TermGraph graph_;
  std::set<std::string> asked_; ///< and answered with Never
};

} // namespace

Expected<PairsAnswer> compare_all_pairs(const Plain& plain, const Plain& tuned,
                                        const ProofOptions& options) {
  return PairsProof(plain, tuned, options).run();
}

} // namespace lanewise::tune
