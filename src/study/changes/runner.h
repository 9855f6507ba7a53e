// A case on a tree: what g++ makes of it, and what it leaves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "run/section/test_source.h"
#include "source/checkouts/checkout.h"
#include "study/changes/case.h"
#include "study/changes/compare.h"

namespace lanewise::changes {

/// Text without what the place of a tree and of a line has put into it: line markers, empty lines,
/// blanks at their ends, and the tree's folder in names.
std::string settled_text(std::string_view preprocessed, const checkouts::Checkout& checkout);

/// A case before it runs.
struct Started {
  std::vector<std::string> texts;                    ///< see Outcome::texts
  std::string error;                                 ///< why there are none
  std::optional<section::PreparedSections> sections; ///< of a test
  std::optional<Program> program;                    ///< of an operation or a kernel
};

class CaseRunner {
 public:
  /// The checkout must live as long.
  CaseRunner(const checkouts::Checkout& checkout, ProcessLimits limits)
      : checkout_(checkout), limits_(limits) {}

  Started start(const TestCase& each) const;
  /// `same`: the same case in another tree, whose objects serve where texts are the same; or null.
  Outcome finish(const TestCase& each, const Started& started, const Started* same = nullptr) const;
  Outcome run(const TestCase& each) const { return finish(each, start(each)); }

 private:
  section::TestSource source_of(const TestCase& each) const;
  Started start_test(const TestCase& each) const;
  void finish_test(Outcome& outcome, const TestCase& each, const Started& started,
                   const Started* same) const;

  const checkouts::Checkout& checkout_;
  ProcessLimits limits_;
};

/// Both sides of a case; the second runs only if something can move.
CaseDifference run_pair(const CaseRunner& before, const TestCase& first, const CaseRunner& after,
                        const TestCase& second);

} // namespace lanewise::changes
