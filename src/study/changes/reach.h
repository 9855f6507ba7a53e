// Which files of two trees differ, and which translation units may read one of them.
//
// An #include is followed whether or not the preprocessor would, and into every folder that has a
// file of its name: more is reached than need be, and never less. What remains is settled by the
// preprocessor itself, whose text is compared (study/changes/case.h, Outcome::texts).
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "source/checkouts/checkout.h"

namespace lanewise::changes {

/// A file's name that two trees share: "llk/..." below the folder of LLK, "metal/..." below that of
/// tt-metal.
using SharedName = std::string;

/// C++ without comments, and without blanks at the ends of lines and lines that are empty.
std::string without_comments(std::string_view text);

/// Files of LLK and of the folders of tt-metal that its tests and kernels include, which are in one
/// tree only or differ in more than comments. Those in Python are not among them.
std::set<SharedName> changed_files(const checkouts::Checkout& first,
                                   const checkouts::Checkout& second);

/// What of tests of LLK in Python, and of what they import and read, differs: files below
/// tests/python_tests.
std::set<std::string> changed_python(const checkouts::Checkout& first,
                                     const checkouts::Checkout& second);

/// What includes what, within one tree and for one chip.
class IncludeGraph {
 public:
  IncludeGraph(const checkouts::Checkout& checkout, Arch arch);

  /// Whether a file, or one that it may include, is among these.
  bool reaches(const std::filesystem::path& file, const std::set<SharedName>& changed);
  /// The same of several files, in the order of the search for each.
  std::set<SharedName> reached_by(const std::filesystem::path& file);

 private:
  /// What a file includes: files that there are.
  const std::vector<std::filesystem::path>& includes_of(const std::filesystem::path& file);

  const checkouts::Checkout& checkout_;
  std::vector<std::filesystem::path> folders_;
  std::map<std::filesystem::path, std::vector<std::filesystem::path>> known_;
};

/// The shared name of a file in a tree.
SharedName shared_name(const checkouts::Checkout& checkout, const std::filesystem::path& file);

/// The tests of LLK for the chips that are here: files below the folder of LLK.
std::vector<std::string> test_sources(const checkouts::Checkout& checkout);

/// Files of tests in Python, below tests/python_tests, that name one of these sources.
std::vector<std::string> python_tests_of(const checkouts::Checkout& checkout,
                                         const std::set<std::string>& sources);

} // namespace lanewise::changes
