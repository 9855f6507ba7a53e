#include "study/changes/wanted_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <optional>

#include "base/private_folder.h"
#include "study/changes/operations.h"
#include "study/changes/reach.h"
#include "study/changes/recorded.h"

namespace lanewise::changes {
namespace {

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

} // namespace

bool tell(const DiffSettings& settings, std::string step, std::size_t done, std::size_t total) {
  return !settings.progress || settings.progress({std::move(step), done, total});
}

bool matches(const DiffSettings& settings, const std::string& name) {
  return settings.patterns.empty() ||
         std::ranges::any_of(settings.patterns, [&](const std::string& pattern) {
           return name.find(pattern) != std::string::npos;
         });
}

KindCounts& counts_of(TreeDiff& diff, CaseKind kind) {
  return kind == CaseKind::Operation ? diff.operations : diff.kernels;
}

TestFiles reached_tests(const checkouts::Checkout& first, const checkouts::Checkout& second,
                        const std::set<std::string>& python_changed, const DiffSettings& settings,
                        TreeDiff& diff) {
  // What the tests' helpers write into build.h is a part of every translation unit.
  const bool all = std::ranges::any_of(python_changed, [](const std::string& name) {
    return name.find('/') != name.npos || name.find("test_") != 0;
  });
  TestFiles files;
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

Expected<Listing> list_tests(const checkouts::Checkout& first, const checkouts::Checkout& second,
                             bool python_differs, const TestFiles& files,
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

void spread(std::vector<CasePair>& pairs) {
  std::map<std::string, std::size_t> seen;
  std::vector<std::pair<std::size_t, std::size_t>> order;
  order.reserve(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const TestCase& each = pairs[i].first;
    order.emplace_back(seen[chip_name(each.arch) + each.group]++, i);
  }
  std::ranges::sort(order);
  std::vector<CasePair> spread_out;
  spread_out.reserve(pairs.size());
  for (const auto& [turn, index] : order) spread_out.push_back(std::move(pairs[index]));
  pairs = std::move(spread_out);
}

void add_programs(std::vector<CasePair>& pairs, const checkouts::Checkout& first,
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

} // namespace lanewise::changes
