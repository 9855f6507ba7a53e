#include "study/changes/diff_trees.h"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include "base/cache.h"
#include "base/process_pool.h"
#include "source/checkouts/checkout.h"
#include "study/changes/operations.h"
#include "study/changes/reach.h"
#include "study/changes/runner.h"
#include "study/changes/wanted_cases.h"
#include "study/changes/wire.h"
#include "study/parts/run_items.h"
#include "study/parts/source_digest.h"

namespace lanewise::changes {
namespace {

using nlohmann::json;
using Keeping = parts::SharedWork::Keeping;

/// The progress of cases that run, and whether it goes on.
std::function<bool(std::size_t, std::size_t)> running(const DiffSettings& settings,
                                                      const Deadline& deadline, bool& stopped) {
  return [&settings, &deadline, &stopped](std::size_t done, std::size_t total) {
    const bool goes_on = tell(settings, "running", done, total) && !deadline.is_over();
    if (!goes_on && done < total) stopped = true;
    return goes_on;
  };
}

/// Decodes what a process left; nothing for a case that was not run.
template <class Decode>
auto decoded(const std::optional<std::string>& bytes, const Decode& decode)
    -> decltype(decode(json())) {
  if (!bytes) return std::nullopt;
  return decode(json::from_cbor(*bytes, true, false));
}

std::string encoded(const json& document) {
  const std::vector<std::uint8_t> bytes = json::to_cbor(document);
  return {bytes.begin(), bytes.end()};
}

/// The items of a run: those of its part, and what is there of them.
parts::SharedWork& items_of(const DiffSettings& settings, parts::SharedWork& all) {
  return settings.work != nullptr ? *settings.work : all;
}

/// Runs the cases of this run, and hands each difference to `take`; nothing where it was not run.
Expected<void> run_cases(parts::SharedWork& work, const DiffSettings& settings,
                         const Deadline& deadline, TreeDiff& diff,
                         const std::function<CaseDifference(std::size_t)>& run,
                         const std::function<void(std::optional<CaseDifference>)>& take) {
  const auto values =
      parts::run_items(work, {.jobs = settings.jobs,
                              .run = [&](std::uint64_t i) { return parts::Json(wire_of(run(i))); },
                              .progress = running(settings, deadline, diff.stopped)});
  if (!values) return Unexpected(values.error());
  bool is_done = true;
  for (const auto& value : *values) {
    auto difference = value ? difference_of(json(*value)) : std::nullopt;
    is_done = is_done && difference;
    take(std::move(difference));
  }
  return is_done ? work.end() : work.stop();
}

/// What the differences of cases depend on. `trees`: the digests of their files.
parts::Json diff_key(const std::vector<std::string>& cases, const std::string& first,
                     const std::string& second) {
  Digest digest;
  for (const std::string& each : cases) digest.add(each);
  return {{"cases", digest.text()}, {"first tree", first}, {"second tree", second}};
}

/// The digest of a tree's files, as changed_files() looks at them.
std::string tree_digest(const checkouts::Checkout& checkout) {
  return parts::source_digest(checkout.source_folders());
}

Expected<void> run_pairs(const std::vector<CasePair>& pairs, const checkouts::Checkout& first,
                         const checkouts::Checkout& second, const DiffSettings& settings,
                         const Deadline& deadline, TreeDiff& diff) {
  parts::SharedWork all;
  parts::SharedWork& work = items_of(settings, all);
  parts::Json key = parts::Json::object();
  if (work.needs_key()) {
    std::vector<std::string> cases;
    cases.reserve(pairs.size());
    for (const CasePair& each : pairs)
      cases.push_back(encoded({wire_of(each.first), wire_of(each.second)}));
    key = diff_key(cases, tree_digest(first), tree_digest(second));
  }
  if (auto begun = work.begin("comparison", key, pairs.size(), Keeping::Lines); !begun)
    return begun;
  const CaseRunner before(first, settings.limits), after(second, settings.limits);
  return run_cases(
      work, settings, deadline, diff,
      [&](std::size_t i) { return run_pair(before, pairs[i].first, after, pairs[i].second); },
      [&](std::optional<CaseDifference> difference) {
        if (difference) {
          diff.cases.push_back(*std::move(difference));
        } else {
          ++diff.not_run;
        }
      });
}

Expected<checkouts::Checkout> open_checkout(const Tree& tree, const DiffSettings& settings) {
  return checkouts::Checkout::open(tree.folder, settings.chips);
}

TreeDiff new_diff(const std::string& first, const std::string& first_commit, const Tree& second,
                  const DiffSettings& settings) {
  return {.first = first,
          .second = second.name,
          .first_commit = first_commit,
          .second_commit = second.commit,
          .changed = {},
          .chips = settings.chips};
}

} // namespace

std::size_t count(const TreeDiff& diff, Verdict verdict) {
  return static_cast<std::size_t>(
      std::ranges::count(diff.cases, verdict, &CaseDifference::verdict));
}

bool has_moved(const TreeDiff& diff) {
  return std::ranges::any_of(
      diff.cases, [](const CaseDifference& each) { return is_difference(each.verdict); });
}

Expected<TreeDiff> diff_trees(const Tree& one, const Tree& other, const DiffSettings& settings) {
  const Deadline deadline(settings.seconds);
  const auto first = open_checkout(one, settings);
  if (!first) return Unexpected(first.error());
  const auto second = open_checkout(other, settings);
  if (!second) return Unexpected(second.error());
  TreeDiff diff = new_diff(one.name, one.commit, other, settings);
  tell(settings, "comparing files");
  diff.changed = changed_files(*first, *second);
  const std::set<std::string> python = changed_python(*first, *second);
  diff.python_differs = !python.empty();
  std::vector<CasePair> pairs;
  const auto files = reached_tests(*first, *second, python, settings, diff);
  if (settings.tests) {
    std::size_t all_files = 0;
    for (const auto& [arch, names] : files) all_files += names.size();
    if (all_files != 0) {
      tell(settings, fmt::format("listing the variants of {} files of tests", all_files));
      auto listing =
          list_tests(*first, *second, diff.python_differs, files, settings, deadline, one, other);
      if (listing) {
        pairs = std::move(listing->pairs);
        diff.notes = std::move(listing->notes);
        diff.stopped = listing->was_late;
      } else {
        diff.no_tests = listing.error();
      }
    }
  }
  if (settings.programs) add_programs(pairs, *first, *second, settings, diff);
  spread(pairs);
  if (auto ran = run_pairs(pairs, *first, *second, settings, deadline, diff); !ran)
    return Unexpected(ran.error());
  return diff;
}

Expected<BaselineRun> run_baseline(const Tree& tree, const DiffSettings& settings) {
  const Deadline deadline(settings.seconds);
  const auto checkout = open_checkout(tree, settings);
  if (!checkout) return Unexpected(checkout.error());
  BaselineRun run{.baseline = {.tree = tree.name, .commit = tree.commit, .cases = {}}};
  std::vector<CasePair> pairs;
  if (settings.tests) {
    TestFiles files;
    const std::vector<std::string> sources = test_sources(*checkout);
    for (const Arch arch : settings.chips)
      files[arch] = python_tests_of(*checkout, {sources.begin(), sources.end()});
    tell(settings, "listing the variants of all tests");
    auto listing = list_tests(*checkout, *checkout, false, files, settings, deadline, tree, tree);
    if (listing) {
      pairs = std::move(listing->pairs);
      run.notes = std::move(listing->notes);
      run.stopped = listing->was_late;
    } else {
      return Unexpected(listing.error());
    }
  }
  if (settings.programs) {
    for (const Arch arch : settings.chips) {
      for (const TestCase& each : program_cases(*checkout, arch)) {
        if (matches(settings, each.group)) pairs.push_back({each, each});
      }
    }
  }
  spread(pairs);
  const CaseRunner runner(*checkout, settings.limits);
  const auto results = run_in_processes(
      pairs.size(), settings.jobs,
      [&](std::size_t i) { return encoded(wire_of(runner.run(pairs[i].first))); },
      [&, goes_on = running(settings, deadline, run.stopped)](std::size_t done) {
        return goes_on(done, pairs.size());
      });
  if (!results) return Unexpected(results.error());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    auto outcome = decoded((*results)[i], outcome_of);
    if (outcome) {
      run.baseline.cases.push_back({std::move(pairs[i].first), std::move(*outcome)});
    } else {
      ++run.not_run;
    }
  }
  return run;
}

Expected<TreeDiff> diff_with_baseline(const Baseline& first, const Tree& second,
                                      const DiffSettings& settings) {
  const Deadline deadline(settings.seconds);
  const auto checkout = open_checkout(second, settings);
  if (!checkout) return Unexpected(checkout.error());
  TreeDiff diff = new_diff(first.tree, first.commit, second, settings);
  tell(settings, "listing the variants of the baseline");
  const auto cases = counterparts(first, *checkout, second, settings, deadline, diff);
  if (!cases) return Unexpected(cases.error());
  parts::SharedWork all;
  parts::SharedWork& work = items_of(settings, all);
  parts::Json key = parts::Json::object();
  if (work.needs_key()) {
    std::vector<std::string> texts;
    texts.reserve(cases->size());
    Digest outcomes;
    for (const auto& [old_one, mine] : *cases) {
      texts.push_back(encoded({wire_of(old_one->what), wire_of(mine)}));
      outcomes.add(encoded(wire_of(old_one->outcome)));
    }
    key = diff_key(texts, outcomes.text(), tree_digest(*checkout));
  }
  if (auto begun = work.begin("comparison", key, cases->size(), Keeping::Lines); !begun)
    return Unexpected(begun.error());
  const CaseRunner runner(*checkout, settings.limits);
  auto ran = run_cases(
      work, settings, deadline, diff,
      [&](std::size_t i) {
        const auto& [old_one, mine] = (*cases)[i];
        const Started started = runner.start(mine);
        const Outcome begun{.texts = started.texts, .error = started.error};
        CaseDifference difference = compare(old_one->what, old_one->outcome, mine, begun);
        if (difference.verdict != Verdict::NotReached)
          difference = compare(old_one->what, old_one->outcome, mine, runner.finish(mine, started));
        return difference;
      },
      [&](std::optional<CaseDifference> difference) {
        KindCounts& counts = difference && difference->kind != CaseKind::Test
                                 ? counts_of(diff, difference->kind)
                                 : diff.tests;
        ++counts.known;
        if (!difference) {
          ++diff.not_run;
          return;
        }
        counts.reached += difference->verdict == Verdict::NotReached ? 0 : 1;
        diff.cases.push_back(*std::move(difference));
      });
  if (!ran) return Unexpected(ran.error());
  return diff;
}

} // namespace lanewise::changes
