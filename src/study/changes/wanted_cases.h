// Which cases llk-diff looks at: the tests that a change may reach, the operations and kernels, and
// for a baseline those that it has.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "source/checkouts/checkout.h"
#include "study/changes/diff_trees.h"

namespace lanewise::changes {

/// When no further case begins, if there is a limit.
class Deadline {
 public:
  explicit Deadline(double seconds) : seconds_(seconds), start_(Clock::now()) {}

  bool is_over() const { return seconds_ > 0 && passed() >= seconds_; }
  /// Seconds for listing; 0: no limit.
  double for_listing() const { return seconds_ * kListingShare; }

 private:
  using Clock = std::chrono::steady_clock;
  /// The part of the time that listing cases may take.
  static constexpr double kListingShare = 0.3;

  double passed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  double seconds_;
  Clock::time_point start_;
};

/// Two versions of the same case.
struct CasePair {
  TestCase first, second;
};

struct Listing {
  std::vector<CasePair> pairs = {};
  bool was_late = false; ///< variants were left over
  std::vector<std::string> notes = {};
};

/// Names of files of tests in Python, below tests/python_tests.
using TestFiles = std::map<Arch, std::vector<std::string>>;

/// Tells how far it is; false: stop.
bool tell(const DiffSettings& settings, std::string step, std::size_t done = 0,
          std::size_t total = 0);

/// Whether a test, operation or kernel of that name is wanted.
bool matches(const DiffSettings& settings, const std::string& name);

KindCounts& counts_of(TreeDiff& diff, CaseKind kind);

/// The files whose tests may read one of `diff.changed` or of `python_changed`; counts them.
TestFiles reached_tests(const checkouts::Checkout& first, const checkouts::Checkout& second,
                        const std::set<std::string>& python_changed, const DiffSettings& settings,
                        TreeDiff& diff);

/// The variants of tests in these files, of all chips at the same time: listed in the first tree,
/// and in the second if its Python is another. Error: BadInput if none can be listed.
Expected<Listing> list_tests(const checkouts::Checkout& first, const checkouts::Checkout& second,
                             bool python_differs, const TestFiles& files,
                             const DiffSettings& settings, const Deadline& deadline,
                             const Tree& one, const Tree& other);

/// Operations and kernels that both trees have and that may be reached.
void add_programs(std::vector<CasePair>& pairs, const checkouts::Checkout& first,
                  const checkouts::Checkout& second, const DiffSettings& settings, TreeDiff& diff);

/// Cases one of each group after the other, so that whenever it ends every group had its turn.
void spread(std::vector<CasePair>& pairs);

/// The cases of a baseline that a comparison wants, and for each of them the tree's own.
/// Error: BadInput.
Expected<std::vector<std::pair<const BaselineCase*, TestCase>>> counterparts(
    const Baseline& baseline, const checkouts::Checkout& checkout, const Tree& tree,
    const DiffSettings& settings, const Deadline& deadline, TreeDiff& diff);

} // namespace lanewise::changes
