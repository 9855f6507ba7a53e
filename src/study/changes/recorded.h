// The cases of a tree's tests, which only Python knows: pytest goes through the tests with the
// plugin lanewise.llk_cases, which writes down what each variant would give to the card.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "source/checkouts/checkout.h"
#include "study/changes/case.h"

namespace lanewise::changes {

struct RecordRequest {
  Arch arch = kDefaultArch;
  std::vector<std::string> files = {};    ///< of tests, below tests/python_tests
  std::vector<std::string> patterns = {}; ///< parts of names of test functions; none: all
  std::optional<unsigned> variants = {};  ///< of each test function; 0: all
  unsigned total = 0;                     ///< without that: how many of all functions together
  double seconds = 0;                     ///< begin no further one after so many; 0: no limit
  std::filesystem::path folder = {};      ///< a new one, where the cases are left
  std::filesystem::path like = {};        ///< a folder with cases of the other tree, or empty
};

struct RecordedCases {
  std::vector<TestCase> cases = {};
  /// For each of them the one of the other tree that it is like; empty without `like`.
  std::vector<std::string> like = {};
  std::vector<std::string> functions = {}; ///< all test functions that there are in these files
  std::vector<std::string> left =
      {}; ///< test functions of which variants were left over for the time
  std::vector<std::string> none = {};  ///< test functions all of whose variants are skipped
  std::vector<std::string> notes = {}; ///< files that could not be read, and why
};

/// Error: BadInput; no Python with what the tests need, or what pytest says if it goes through
/// none.
Expected<RecordedCases> record_cases(const checkouts::Checkout& checkout,
                                     const RecordRequest& request);

/// The cases in a folder, as the plugin leaves them. Error: BadInput for what is not complete.
Expected<RecordedCases> read_recorded(const std::filesystem::path& folder, Arch arch);

/// Leaves cases in a folder so that the plugin looks for others like them.
Expected<void> write_like(const std::filesystem::path& folder, const std::vector<TestCase>& cases);

} // namespace lanewise::changes
