// Terms, the questions that are made of them, and what z3 says.
#include "study/tune/solver.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "base/private_folder.h"
#include "study/tune/terms.h"

namespace lanewise::tune {
namespace {

using std::chrono::seconds;

constexpr std::array<std::uint32_t, 9> kNumbers{0,          1,          5,          31,        32,
                                                0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x3F800000};

std::string xy(std::uint32_t variable) {
  return variable == 0 ? "x" : "y";
}

/// Every kind of node, of two numbers.
Term of_every_kind(Term x, Term y, unsigned which) {
  const TruthTerm less = less_signed(x, y), below = less_unsigned(x, y), same_bits = equals(x, y);
  switch (which) {
    case 0: return x & y;
    case 1: return x | y;
    case 2: return x ^ y;
    case 3: return ~x;
    case 4: return x + y;
    case 5: return x - y;
    case 6: return x << y;
    case 7: return x >> y;
    case 8: return shift_right_with_sign(x, y);
    case 9: return choose(less, x, y);
    case 10: return choose(below & ~same_bits, x, y);
    case 11: return choose(same_bits | less, x, 7);
    default: return choose(less ^ below, x, y);
  }
}
constexpr unsigned kKinds = 13;

// The numbers that evaluate() gives, without a graph and through one, are those of SMT-LIB.
TEST(Terms, MeanWhatSmtLibMeans) {
  TermGraph graph;
  const Term x = graph.variable(0), y = graph.variable(1);
  for (unsigned kind = 0; kind < kKinds; ++kind) {
    const Term term = of_every_kind(x, y, kind);
    TruthTerm differs(false);
    for (const std::uint32_t a : kNumbers) {
      for (const std::uint32_t b : kNumbers) {
        const Term folded = of_every_kind(a, b, kind);
        ASSERT_TRUE(folded.is_constant());
        EXPECT_EQ(evaluate(term.value, {{0, a}, {1, b}}), folded.value.constant) << kind;
        differs = differs | (equals(x, a) & equals(y, b) & ~equals(term, folded));
      }
    }
    const SolverAnswer answer = ask_solver(question_text(differs, xy), seconds(60));
    EXPECT_EQ(answer.verdict, SolverVerdict::Never)
        << kind << " x = " << answer.variables.at("x") << " " << answer.why;
  }
}

TEST(Terms, WhatIsPlainToSeeIsNoNode) {
  TermGraph graph;
  const Term x = graph.variable(0), y = graph.variable(1);
  const TruthTerm negative = less_signed(x, 0);
  for (const Term each :
       {x & ~0U, x & x, 0xFFFFFFFFU & x, x | 0, x | x, 0 | x, x ^ 0, x + 0, 0 + x, x - 0, x << 0,
        x >> 0, ~~x, choose(negative, x, x), choose(TruthTerm(true), x, 1),
        choose(TruthTerm(false), 1, x), choose(~equals(x, y), x, y), choose(~equals(y, x), x, y),
        (((x & 0xFFFF) | 0x10000) & 0xFFFE0000) | x})
    EXPECT_TRUE(same(each, x));
  for (const Term each : {x & 0, 0 & x, x ^ x, x - x}) EXPECT_TRUE(same(each, 0));
  EXPECT_EQ(negative & TruthTerm(true), negative);
  EXPECT_EQ(negative & TruthTerm(false), TruthTerm(false));
  EXPECT_EQ(negative | TruthTerm(true), TruthTerm(true));
  EXPECT_EQ(TruthTerm(false) | negative, negative);
  EXPECT_EQ(~~negative, negative);
  EXPECT_EQ(equals(x, x), TruthTerm(true));
  EXPECT_EQ(less_signed(x, x), TruthTerm(false));
  EXPECT_TRUE(same((((x & 0xFFFF) | 0x12340000) & 0xFFFF0000) | 0x5678, 0x12345678))
      << "loaded by halves";
  EXPECT_TRUE(same(x + 1, x + 1)) << "each expression once";
}

TEST(Solver, GivesACaseThatIsOne) {
  TermGraph graph;
  const Term x = graph.variable(0), y = graph.variable(1);
  const TruthTerm wanted = equals(x ^ y, 0x10203040) & equals(x + y, 0x12243648);
  const SolverAnswer answer = ask_solver(question_text(wanted, xy), seconds(60));
  ASSERT_EQ(answer.verdict, SolverVerdict::Sometimes) << answer.why;
  EXPECT_EQ(answer.variables.at("x") ^ answer.variables.at("y"), 0x10203040U);
  EXPECT_EQ(answer.variables.at("x") + answer.variables.at("y"), 0x12243648U);
}

// Of a multiply-add only that is known which holds whatever it computes.
TEST(Solver, KnowsOfAMultiplyAddThatFactorsCommute) {
  TermGraph graph;
  const Term x = graph.variable(0), y = graph.variable(1);
  const auto can_differ = [&](Term a, Term b) {
    return ask_solver(question_text(~equals(a, b), xy), seconds(60)).verdict;
  };
  const Term sum = multiply_add(0x3F800000, x, y);
  EXPECT_EQ(can_differ(sum, multiply_add(x, 0x3F800000, y + 0)), SolverVerdict::Never);
  EXPECT_TRUE(same(multiply_add(x, y, 3), multiply_add(y, x, 3)));
  const Term same_x = (x & 1) | (x & ~1U); // a later node, and so the second factor
  EXPECT_EQ(can_differ(multiply_add(x, y, 3), multiply_add(same_x, y, 3)), SolverVerdict::Never);
  EXPECT_EQ(can_differ(sum & (x | ~x), sum), SolverVerdict::Never);
  EXPECT_EQ(can_differ(sum, multiply_add(0x3F800000, y, x)), SolverVerdict::Sometimes);
}

// Of what an instruction makes of operands only that equal ones give equal results.
TEST(Solver, KnowsOfAnOpaqueWordThatItIsAFunction) {
  TermGraph graph;
  const Term x = graph.variable(0), y = graph.variable(1);
  const auto can_differ = [&](Term a, Term b) {
    return ask_solver(question_text(~equals(a, b), xy), seconds(60)).verdict;
  };
  constexpr std::uint32_t kWord = 0x98019030, kOther = kWord | 1;
  const Term same_x = (x & 1) | (x & ~1U);
  EXPECT_TRUE(same(opaque_product(kWord, x, y), opaque_product(kWord, y, x)));
  EXPECT_FALSE(same(opaque(kWord, x, y), opaque(kWord, y, x)));
  EXPECT_EQ(can_differ(opaque(kWord, x, y), opaque(kWord, same_x, y)), SolverVerdict::Never);
  EXPECT_EQ(can_differ(opaque(kWord, x, y), opaque(kOther, x, y)), SolverVerdict::Sometimes);
  EXPECT_EQ(can_differ(opaque(kWord, x, 1), opaque(kWord, x, 2)), SolverVerdict::Sometimes);
}

TEST(Solver, SaysWhyItDoesNotDecide) {
  TermGraph graph;
  const std::string question = question_text(equals(graph.variable(0), 1), xy);
  const SolverAnswer missing = ask_solver(question, seconds(60), "no-such-solver");
  EXPECT_EQ(missing.verdict, SolverVerdict::Undecided);
  EXPECT_NE(missing.why.find("no-such-solver cannot be run"), std::string::npos) << missing.why;
  const SolverAnswer other = ask_solver(question, seconds(60), "true");
  EXPECT_EQ(other.verdict, SolverVerdict::Undecided);
  EXPECT_EQ(other.why, "true says ''");

  const PrivateFolder folder("test");
  ASSERT_TRUE(folder.is_made());
  const std::string endless = (folder.path() / "endless").string();
  std::ofstream(endless) << "#!/bin/sh\nwhile :; do :; done\n";
  std::filesystem::permissions(endless, std::filesystem::perms::owner_all);
  const SolverAnswer late = ask_solver(question, std::chrono::milliseconds(200), endless);
  EXPECT_EQ(late.verdict, SolverVerdict::Undecided);
  EXPECT_NE(late.why.find("does not decide it within"), std::string::npos) << late.why;
}

} // namespace
} // namespace lanewise::tune
