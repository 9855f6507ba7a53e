#include "report/cache/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>

#include "report/table/table.h"

namespace lanewise::report {

namespace {

using Json = nlohmann::ordered_json;

struct EntrySum {
  std::size_t entries = 0;
  std::uintmax_t bytes = 0;
  double oldest_days = 0;

  void add(const CacheEntry& entry) {
    const std::chrono::duration<double, std::ratio<86400>> unused =
        std::filesystem::file_time_type::clock::now() - entry.used;
    ++entries;
    bytes += entry.bytes;
    oldest_days = std::max(oldest_days, unused.count());
  }
};

EntrySum sum_of(std::span<const CacheEntry> entries) {
  EntrySum sum;
  for (const CacheEntry& each : entries) sum.add(each);
  return sum;
}

EntrySum sum_of(const CacheContents& contents) {
  EntrySum sum;
  for (const auto& kind : contents.kinds)
    std::ranges::for_each(kind.entries, [&](const auto& each) { sum.add(each); });
  return sum;
}

/// By the folder that they lie in.
std::map<std::string, EntrySum> sums_by_kind(std::span<const CacheEntry> entries) {
  std::map<std::string, EntrySum> sums;
  for (const CacheEntry& each : entries)
    sums[each.path.parent_path().filename().string()].add(each);
  return sums;
}

std::string entries_text(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "entry" : "entries");
}

} // namespace

std::string bytes_text(std::uintmax_t bytes) {
  constexpr std::array kUnits{"KiB", "MiB", "GiB", "TiB"};
  constexpr double kStep = 1024;
  if (bytes < static_cast<std::uintmax_t>(kStep)) return fmt::format("{} B", bytes);
  double size = static_cast<double>(bytes) / kStep;
  std::size_t unit = 0;
  for (; size >= kStep && unit + 1 < kUnits.size(); ++unit) size /= kStep;
  return fmt::format("{:.1f} {}", size, kUnits.at(unit));
}

std::string cache_text(const CacheContents& contents) {
  const EntrySum all = sum_of(contents);
  std::string text = fmt::format("{}: {}, {}\n", contents.folder.string(),
                                 entries_text(all.entries), bytes_text(all.bytes));
  Table table{.columns = {{.heading = "kind"},
                          {.heading = "entries", .kind = ColumnKind::Number},
                          {.heading = "bytes", .kind = ColumnKind::Number},
                          {.heading = "oldest use", .kind = ColumnKind::Number},
                          {.heading = ""}}};
  for (const auto& [kind, entries] : contents.kinds) {
    const EntrySum sum = sum_of(entries);
    table.rows.push_back({kind->name, std::to_string(sum.entries), bytes_text(sum.bytes),
                          fmt::format("{:.1f} days", sum.oldest_days), kind->what});
  }
  text += table_text(table);
  for (const auto& path : contents.foreign)
    text += fmt::format("{} is none of the cache's\n", path.string());
  return text;
}

Json cache_json(const CacheContents& contents) {
  const EntrySum all = sum_of(contents);
  Json kinds = Json::array();
  for (const auto& [kind, entries] : contents.kinds) {
    const EntrySum sum = sum_of(entries);
    kinds.push_back({{"name", kind->name},
                     {"what", kind->what},
                     {"entries", sum.entries},
                     {"bytes", sum.bytes},
                     {"oldest_use_days", sum.oldest_days}});
  }
  Json foreign = Json::array();
  for (const auto& path : contents.foreign) foreign.push_back(path.string());
  return {{"folder", contents.folder.string()},
          {"entries", all.entries},
          {"bytes", all.bytes},
          {"kinds", std::move(kinds)},
          {"foreign", std::move(foreign)}};
}

std::string check_text(const CacheCheck& check) {
  std::string text;
  for (const std::string& path : check.damaged)
    text += fmt::format("{} is damaged, and was removed\n", path);
  for (const std::string& path : check.unfinished)
    text += fmt::format("{} was left unfinished, and was removed\n", path);
  text += fmt::format("{}: {} whole, {} damaged", check.folder, entries_text(check.whole),
                      check.damaged.size());
  if (check.other_program != 0)
    text += fmt::format(", {} of another build, which this one does not take", check.other_program);
  if (check.unknown != 0) text += fmt::format(", {} without a seal", check.unknown);
  return text + "\n";
}

Json check_json(const CacheCheck& check) {
  return {
      {"folder", check.folder},    {"whole", check.whole},     {"other_build", check.other_program},
      {"unsealed", check.unknown}, {"damaged", check.damaged}, {"unfinished", check.unfinished}};
}

std::string prune_text(std::span<const CacheEntry> entries, bool only_tells) {
  const char* const verb = only_tells ? "would remove" : "removed";
  std::string text;
  for (const auto& [kind, sum] : sums_by_kind(entries))
    text += fmt::format("{} {} of {}, {}\n", verb, entries_text(sum.entries), kind,
                        bytes_text(sum.bytes));
  return text.empty() ? "nothing to remove\n" : text;
}

Json prune_json(std::span<const CacheEntry> entries, bool only_tells) {
  Json removed = Json::object();
  for (const auto& [kind, sum] : sums_by_kind(entries))
    removed[kind] = {{"entries", sum.entries}, {"bytes", sum.bytes}};
  return {{"removed", std::move(removed)}, {"dry_run", only_tells}};
}

} // namespace lanewise::report
