// lanewise cache: what is kept between runs, whether it is whole, and less of it.
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "base/cache.h"
#include "base/cache_contents.h"
#include "base/in_quotes.h"
#include "base/remembered.h"
#include "cli/command.h"
#include "report/cache/report.h"

namespace lanewise::cli {

namespace {

struct CacheOptions {
  std::string what = "show";
  std::vector<std::string> kinds;
  std::optional<double> older_than;
  std::string most_bytes;
  bool all = false, only_tells = false, json = false;
};

/// "2G": 2^31 bytes.
Expected<std::uintmax_t> parse_bytes(const std::string& text) {
  std::uintmax_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  constexpr std::string_view kUnits = "KMGT";
  const std::size_t place = unit.size() == 1 ? kUnits.find(unit.front()) : kUnits.size();
  const std::size_t shift = unit.empty() ? 0 : 10 * (place + 1);
  const bool is_known = error == std::errc() && (unit.empty() || place < kUnits.size());
  if (!is_known || number > (std::numeric_limits<std::uintmax_t>::max() >> shift))
    return bad_input(fmt::format("--most-bytes has no size {}", in_quotes(text)),
                     "give a number, or one with K, M, G or T behind it: 2G");
  return number << shift;
}

template <class Text, class Json>
void print_cache_result(const CacheOptions& options, const Text& text, const Json& json) {
  if (options.json) {
    fmt::print("{}\n", json().dump(2));
  } else {
    fmt::print("{}", text());
  }
}

ExitStatus show_cache(const CacheOptions& options, const CacheContents& contents) {
  print_cache_result(
      options, [&] { return report::cache_text(contents); },
      [&] { return report::cache_json(contents); });
  return ExitStatus::Success;
}

/// Nobody writes an entry for that long.
bool is_left_over(const CacheEntry& entry) {
  return std::filesystem::file_time_type::clock::now() - entry.used > std::chrono::hours(1);
}

void check_one(const CacheKind& kind, const CacheEntry& entry, report::CacheCheck& check) {
  if (entry.is_unfinished) {
    if (!is_left_over(entry)) return;
    check.unfinished.push_back(entry.path.string());
    discard(entry.path);
    return;
  }
  const EntryState state = entry_state(kind, entry.path, program_identity());
  check.whole += state == EntryState::Whole ? 1U : 0U;
  check.other_program += state == EntryState::OtherProgram ? 1U : 0U;
  check.unknown += state == EntryState::Unknown ? 1U : 0U;
  if (state != EntryState::Damaged) return;
  check.damaged.push_back(entry.path.string());
  discard(entry.path);
}

ExitStatus check_cache(const CacheOptions& options, const CacheContents& contents) {
  report::CacheCheck check{.folder = contents.folder.string(), .damaged = {}, .unfinished = {}};
  for (const auto& [kind, entries] : contents.kinds)
    for (const CacheEntry& entry : entries) check_one(*kind, entry, check);
  print_cache_result(
      options, [&] { return report::check_text(check); },
      [&] { return report::check_json(check); });
  return exit_status(check.damaged.empty());
}

Expected<PruneWish> prune_wish(const CacheOptions& options) {
  if (!options.all && !options.older_than && options.most_bytes.empty())
    return bad_input("'cache prune' has to be told what shall go",
                     "add --older-than DAYS, --most-bytes SIZE or --all");
  PruneWish wish{.all = options.all, .older_than = options.older_than, .kinds = options.kinds};
  if (options.most_bytes.empty()) return wish;
  const auto bytes = parse_bytes(options.most_bytes);
  if (!bytes) return Unexpected(bytes.error());
  wish.most_bytes = *bytes;
  return wish;
}

ExitStatus prune_cache(const CacheOptions& options, const CacheContents& contents) {
  const auto wish = prune_wish(options);
  if (!wish) return fail(wish.error());
  const auto entries = entries_to_prune(contents, *wish);
  if (!entries) return fail(entries.error());
  if (!options.only_tells)
    for (const CacheEntry& each : *entries) discard(each.path);
  print_cache_result(
      options, [&] { return report::prune_text(*entries, options.only_tells); },
      [&] { return report::prune_json(*entries, options.only_tells); });
  return ExitStatus::Success;
}

ExitStatus run_cache(const CacheOptions& options) {
  const bool prunes = options.what == "prune";
  const bool has_prune_options = options.all || options.older_than || options.only_tells ||
                                 !options.most_bytes.empty() || !options.kinds.empty();
  if (!prunes && has_prune_options)
    return fail(
        bad_input(fmt::format("'cache {}' takes neither kinds nor what shall go", options.what),
                  "'lanewise cache prune' does")
            .value());
  const auto folder = cache_folder();
  if (!folder) return fail(folder.error());
  const CacheContents contents = read_cache(*folder);
  if (prunes) return prune_cache(options, contents);
  return options.what == "check" ? check_cache(options, contents) : show_cache(options, contents);
}

} // namespace

void add_cache(CommandLine& line) {
  const Command command =
      line.add_command("cache", "What is kept between runs: shown, checked, or less of it");
  auto options = std::make_shared<CacheOptions>();
  command.option("what", options->what, "show (default), check or prune")
      .one_of({"show", "check", "prune"});
  command.option("kinds", options->kinds, "prune: only these kinds, as 'show' lists them");
  command.option("--older-than", options->older_than, "prune: what was not used for so many days")
      .value("DAYS");
  command
      .option("--most-bytes", options->most_bytes,
              "prune: what was not used for longest, until no more than this is left: 500M, 2G")
      .value("SIZE");
  command.flag("--all", options->all, "prune: everything");
  command.flag("--dry-run", options->only_tells, "prune: only say what would go");
  command.flag("--json", options->json, "Print everything as JSON");
  command.footer(
      "'check' looks at every entry; damaged ones are named and removed, with exit status 1. "
      "docs/cache.md has more.");
  command.action([options] { return run_cache(*options); });
}

} // namespace lanewise::cli
