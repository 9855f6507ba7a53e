#include "study/changes/diff_trees.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <utility>

#include "base/cache.h"
#include "base/private_folder.h"
#include "base/process_pool.h"
#include "source/checkouts/checkout.h"
#include "study/changes/operations.h"
#include "study/changes/reach.h"
#include "study/changes/recorded.h"
#include "study/changes/runner.h"
#include "study/changes/wire.h"
#include "study/parts/run_items.h"
#include "study/parts/source_digest.h"

namespace lanewise::changes {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;
using Keeping = parts::SharedWork::Keeping;

/// The part of the time that listing cases may take.
constexpr double kListingShare = 0.3;

bool matches(const DiffSettings& settings, const std::string& name) {
  return settings.patterns.empty() ||
         std::ranges::any_of(settings.patterns, [&](const std::string& pattern) {
           return name.find(pattern) != std::string::npos;
         });
}

/// When no further case begins, if there is a limit.
class Deadline {
 public:
  explicit Deadline(double seconds) : seconds_(seconds), start_(Clock::now()) {}

  bool is_over() const { return seconds_ > 0 && passed() >= seconds_; }
  /// Seconds for listing; 0: no limit.
  double for_listing() const { return seconds_ * kListingShare; }

 private:
  double passed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  double seconds_;
  Clock::time_point start_;
};

/// Two versions of the same case.
struct Pair {
  TestCase first, second;
};

/// Where listing leaves its files, and what it has found.
struct Listing {
  std::vector<Pair> pairs;
  bool was_late = false; ///< variants were left over
  std::vector<std::string> notes;
};

bool tell(const DiffSettings& settings, std::string step, std::size_t done = 0,
          std::size_t total = 0) {
  return !settings.progress || settings.progress({std::move(step), done, total});
}

std::string chip_name(Arch arch) {
  return std::string(arch_params(arch).names.id);
}

void add_notes(std::vector<std::string>& notes, const RecordedCases& recorded,
               const std::string& tree, Arch arch) {
  for (const std::string& each : recorded.notes)
    notes.push_back(fmt::format("{}, {}: pytest cannot read {}", tree, chip_name(arch), each));
  for (const std::string& each : recorded.none)
    notes.push_back(fmt::format("{}, {}: every variant of {} that was looked at is skipped", tree,
                                chip_name(arch), each));
  for (const std::string& each : recorded.left)
    notes.push_back(fmt::format("{}, {}: variants of {} were left over, since the time was over",
                                tree, chip_name(arch), each));
}

RecordRequest record_request(const DiffSettings& settings, Arch arch,
                             std::vector<std::string> files, const Deadline& deadline,
                             std::filesystem::path folder) {
  return {.arch = arch,
          .files = std::move(files),
          .patterns = settings.patterns,
          .variants = settings.variants,
          .total = settings.total /
                   static_cast<unsigned>(std::max<std::size_t>(1, settings.chips.size())),
          .seconds = deadline.for_listing(),
          .folder = std::move(folder),
          .like = {}};
}

/// What one chip's tests give: listed in the first tree, and in the second if its Python is
/// another.
Expected<Listing> list_for_chip(const checkouts::Checkout& first, const checkouts::Checkout& second,
                                bool python_differs, const RecordRequest& request, const Tree& one,
                                const Tree& other) {
  auto recorded = record_cases(first, request);
  if (!recorded) return Unexpected(recorded.error());
  Listing listing;
  add_notes(listing.notes, *recorded, one.name, request.arch);
  listing.was_late = !recorded->left.empty();
  if (!python_differs) {
    for (TestCase& each : recorded->cases) listing.pairs.push_back({each, each});
    return listing;
  }
  RecordRequest again = request;
  again.folder = request.folder.string() + "-second";
  again.like = request.folder;
  std::erase_if(again.files, [&](const std::string& name) {
    return !std::filesystem::exists(second.llk() / "tests" / "python_tests" / name);
  });
  for (const std::string& name : request.files) {
    if (std::ranges::find(again.files, name) == again.files.end())
      listing.notes.push_back(
          fmt::format("{}: {} is in {} only", chip_name(request.arch), name, one.name));
  }
  auto others = record_cases(second, again);
  if (!others) return Unexpected(others.error());
  add_notes(listing.notes, *others, other.name, request.arch);
  std::map<std::string, TestCase> by_id;
  for (TestCase& each : recorded->cases) by_id.emplace(each.id, std::move(each));
  for (std::size_t i = 0; i < others->cases.size() && i < others->like.size(); ++i) {
    const auto found = by_id.find(others->like[i]);
    if (found == by_id.end()) continue;
    share_tiles(found->second, others->cases[i]);
    listing.pairs.push_back({std::move(found->second), std::move(others->cases[i])});
    by_id.erase(found);
  }
  if (!by_id.empty()) {
    listing.notes.push_back(fmt::format(
        "{}: {} variants of {} have no counterpart in {}, such as {}", chip_name(request.arch),
        by_id.size(), one.name, other.name, by_id.begin()->first));
  }
  for (const std::string& function : others->functions) {
    if (std::ranges::find(recorded->functions, function) == recorded->functions.end())
      listing.notes.push_back(fmt::format("{}: {} is in {} only, and was not run",
                                          chip_name(request.arch), function, other.name));
  }
  return listing;
}

/// The same for all chips, at the same time.
Expected<Listing> list_tests(const checkouts::Checkout& first, const checkouts::Checkout& second,
                             bool python_differs,
                             const std::map<Arch, std::vector<std::string>>& files,
                             const DiffSettings& settings, const Deadline& deadline,
                             const Tree& one, const Tree& other) {
  const PrivateFolder folder("cases");
  if (!folder.is_made())
    return bad_input("there is no folder for temporary files",
                     "let TMPDIR name a folder of your own");
  std::vector<std::future<Expected<Listing>>> listings;
  for (const auto& [arch, names] : files) {
    if (names.empty()) continue;
    listings.push_back(std::async(
        std::launch::async, [&, request = record_request(settings, arch, names, deadline,
                                                         folder.path() / chip_name(arch))] {
          return list_for_chip(first, second, python_differs, request, one, other);
        }));
  }
  Listing all;
  std::optional<Fault> fault;
  for (auto& each : listings) {
    auto listing = each.get();
    if (!listing) {
      fault = listing.error();
      continue;
    }
    std::ranges::move(listing->pairs, std::back_inserter(all.pairs));
    all.was_late = all.was_late || listing->was_late;
    std::ranges::move(listing->notes, std::back_inserter(all.notes));
  }
  if (fault) {
    if (all.pairs.empty()) return Unexpected(*fault);
    all.notes.push_back(fault->message);
  }
  return all;
}

/// Cases one of each group after the other, so that whenever it ends every group had its turn.
void spread(std::vector<Pair>& pairs) {
  std::map<std::string, std::size_t> seen;
  std::vector<std::pair<std::size_t, std::size_t>> order;
  order.reserve(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const TestCase& each = pairs[i].first;
    order.emplace_back(seen[chip_name(each.arch) + each.group]++, i);
  }
  std::ranges::sort(order);
  std::vector<Pair> spread_out;
  spread_out.reserve(pairs.size());
  for (const auto& [turn, index] : order) spread_out.push_back(std::move(pairs[index]));
  pairs = std::move(spread_out);
}

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

/// Which sources may be reached, and their tests in Python, by chip.
std::map<Arch, std::vector<std::string>> reached_tests(const checkouts::Checkout& first,
                                                       const checkouts::Checkout& second,
                                                       const std::set<std::string>& python_changed,
                                                       const DiffSettings& settings,
                                                       TreeDiff& diff) {
  // What the tests' helpers write into build.h is a part of every translation unit.
  const bool all = std::ranges::any_of(python_changed, [](const std::string& name) {
    return name.find('/') != name.npos || name.find("test_") != 0;
  });
  std::map<Arch, std::vector<std::string>> files;
  for (const Arch arch : settings.chips) {
    IncludeGraph before(first, arch), after(second, arch);
    std::set<std::string> reached;
    for (const std::string& source : test_sources(first)) {
      ++diff.tests.known;
      const bool is_reached = all || before.reaches(first.llk() / source, diff.changed) ||
                              after.reaches(second.llk() / source, diff.changed);
      if (is_reached) reached.insert(source);
    }
    diff.tests.reached += reached.size();
    std::vector<std::string> tests = python_tests_of(first, reached);
    for (const std::string& name : python_changed) {
      if (name.starts_with("test_") && std::ranges::find(tests, name) == tests.end() &&
          std::filesystem::exists(first.llk() / "tests" / "python_tests" / name))
        tests.push_back(name);
    }
    files[arch] = std::move(tests);
  }
  return files;
}

KindCounts& counts_of(TreeDiff& diff, CaseKind kind) {
  return kind == CaseKind::Operation ? diff.operations : diff.kernels;
}

/// Operations and kernels that both trees have and that may be reached.
void add_programs(std::vector<Pair>& pairs, const checkouts::Checkout& first,
                  const checkouts::Checkout& second, const DiffSettings& settings, TreeDiff& diff) {
  for (const Arch arch : settings.chips) {
    IncludeGraph before(first, arch), after(second, arch);
    std::map<std::string, bool> reached; // by header
    std::set<std::string> later;
    for (const TestCase& each : program_cases(second, arch)) later.insert(each.id);
    for (TestCase& each : program_cases(first, arch)) {
      KindCounts& counts = counts_of(diff, each.kind);
      ++counts.known;
      if (!matches(settings, each.group)) continue;
      if (!later.contains(each.id)) {
        diff.notes.push_back(fmt::format("{}: {} {} is in {} only, and was not run",
                                         chip_name(arch), kind_name(each.kind), each.id,
                                         diff.first));
        continue;
      }
      const auto [known, is_new] = reached.try_emplace(each.source, false);
      if (is_new) {
        known->second = before.reaches(first.header(arch, each.source), diff.changed) ||
                        after.reaches(second.header(arch, each.source), diff.changed);
      }
      if (!known->second) continue;
      ++counts.reached;
      pairs.push_back({each, each});
      later.erase(each.id);
    }
  }
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

Expected<void> run_pairs(const std::vector<Pair>& pairs, const checkouts::Checkout& first,
                         const checkouts::Checkout& second, const DiffSettings& settings,
                         const Deadline& deadline, TreeDiff& diff) {
  parts::SharedWork all;
  parts::SharedWork& work = items_of(settings, all);
  parts::Json key = parts::Json::object();
  if (work.needs_key()) {
    std::vector<std::string> cases;
    cases.reserve(pairs.size());
    for (const Pair& each : pairs)
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
  std::vector<Pair> pairs;
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
  std::vector<Pair> pairs;
  if (settings.tests) {
    std::map<Arch, std::vector<std::string>> files;
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

namespace {

/// The cases of a baseline that a comparison wants, and for each of them the tree's own.
Expected<std::vector<std::pair<const BaselineCase*, TestCase>>> counterparts(
    const Baseline& baseline, const checkouts::Checkout& checkout, const Tree& tree,
    const DiffSettings& settings, const Deadline& deadline, TreeDiff& diff) {
  std::vector<std::pair<const BaselineCase*, TestCase>> all;
  const PrivateFolder folder("cases");
  if (!folder.is_made())
    return bad_input("there is no folder for temporary files",
                     "let TMPDIR name a folder of your own");
  for (const Arch arch : settings.chips) {
    std::map<std::string, const BaselineCase*> tests;
    std::vector<TestCase> wanted;
    std::set<std::string> sources;
    const std::vector<TestCase> programs = program_cases(checkout, arch);
    for (const BaselineCase& each : baseline.cases) {
      if (each.what.arch != arch || !matches(settings, each.what.group)) continue;
      if (each.what.kind == CaseKind::Test) {
        if (!settings.tests) continue;
        tests[each.what.id] = &each;
        wanted.push_back(each.what);
        sources.insert(each.what.source);
      } else if (settings.programs &&
                 std::ranges::find(programs, each.what.id, &TestCase::id) != programs.end()) {
        all.emplace_back(&each, each.what);
      }
    }
    if (wanted.empty()) continue;
    RecordRequest request = record_request(settings, arch, python_tests_of(checkout, sources),
                                           deadline, folder.path() / chip_name(arch));
    request.like = folder.path() / (chip_name(arch) + "-wanted");
    if (auto written = write_like(request.like, wanted); !written)
      return Unexpected(written.error());
    auto recorded = record_cases(checkout, request);
    if (!recorded) {
      diff.no_tests = recorded.error();
      continue;
    }
    add_notes(diff.notes, *recorded, tree.name, arch);
    for (std::size_t i = 0; i < recorded->cases.size() && i < recorded->like.size(); ++i) {
      const auto found = tests.find(recorded->like[i]);
      if (found == tests.end()) continue;
      share_tiles(found->second->what, recorded->cases[i]);
      all.emplace_back(found->second, std::move(recorded->cases[i]));
      tests.erase(found);
    }
    if (!tests.empty())
      diff.notes.push_back(
          fmt::format("{}: {} variants of the baseline have no counterpart in {}, "
                      "such as {}",
                      chip_name(arch), tests.size(), tree.name, tests.begin()->first));
  }
  return all;
}

} // namespace

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
