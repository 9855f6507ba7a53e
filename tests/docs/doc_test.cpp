// lanewise_doc_test PROGRAM SOURCE [PAGE.md...]: runs every console block of README.md and docs/
// (or of the pages that are named) and compares what the commands print with what the pages show.
// LANEWISE_BLESS=1 in the environment writes what they print into the pages instead.
// docs/adding-an-instruction.md has the rules for the pages.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/file.h"
#include "docs/document.h"
#include "docs/outputs.h"
#include "docs/session.h"

namespace lanewise::docs {
namespace {

namespace fs = std::filesystem;

/// What is to be told of a page.
struct PageReport {
  std::size_t commands = 0, wrong = 0, blessed = 0;
  std::map<std::string, std::size_t> skipped; ///< blocks per reason
  std::vector<std::string> messages;

  bool holds() const { return wrong == 0 && messages.empty(); }
};

bool is_blessing() {
  const char* value = std::getenv("LANEWISE_BLESS");
  return value != nullptr && std::string_view(value) == "1";
}

std::string difference(const Document& document, const Outcome& outcome) {
  std::string text =
      fmt::format("{}:{}: {}\n", document.name, outcome.command->line, outcome.command->text);
  for (const std::string& line : outcome.command->expected) text += "  - " + line + "\n";
  for (const std::string& line : outcome.found) text += "  + " + line + "\n";
  return text;
}

/// Puts what was found in the place of what was expected.
bool bless(Document& document, const Outcome& outcome) {
  const auto output = blessed(outcome.command->expected, outcome.found);
  const auto is_fence = [](const std::string& line) { return line.starts_with("```"); };
  if (!output || std::any_of(output->begin(), output->end(), is_fence)) return false;
  const auto first =
      document.lines.begin() + static_cast<std::ptrdiff_t>(outcome.command->first_expected);
  const auto behind = document.lines.erase(
      first, first + static_cast<std::ptrdiff_t>(outcome.command->expected.size()));
  document.lines.insert(behind, output->begin(), output->end());
  return true;
}

/// Compares from the last command to the first, so that blessing moves no place that comes later.
void compare(Document& document, std::span<const Outcome> outcomes, PageReport& report) {
  for (std::size_t i = outcomes.size(); i-- > 0;) {
    const Outcome& outcome = outcomes[i];
    if (matches(outcome.command->expected, outcome.found)) continue;
    if (is_blessing() && bless(document, outcome)) {
      ++report.blessed;
      continue;
    }
    ++report.wrong;
    report.messages.insert(report.messages.begin(), difference(document, outcome));
  }
}

PageReport check_page(const std::string& name, const Stage& stage) {
  PageReport report;
  const fs::path path = stage.source / name;
  const auto bytes = read_file(path);
  if (!bytes) {
    report.messages.push_back(to_string(bytes.error()) + "\n");
    return report;
  }
  Document document =
      parse_document(name, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  for (const std::string& mistake : document.mistakes) report.messages.push_back(mistake + "\n");
  for (const Sample& sample : document.samples) {
    if (!sample.skipped.empty()) ++report.skipped[sample.skipped];
  }
  // Outcomes point into `samples`, which blessing leaves alone.
  const auto outcomes = run_samples(document, stage);
  if (!outcomes) {
    report.messages.push_back(to_string(outcomes.error()) + "\n");
    return report;
  }
  report.commands = outcomes->size();
  compare(document, *outcomes, report);
  if (report.blessed == 0) return report;
  const std::string text = join_lines(document.lines);
  if (const auto written = write_file_atomically(path, std::as_bytes(std::span(text))); !written)
    report.messages.push_back(to_string(written.error()) + "\n");
  return report;
}

std::vector<std::string> all_pages(const fs::path& source) {
  std::vector<std::string> pages{"README.md"};
  for (const fs::directory_entry& entry : fs::directory_iterator(source / "docs")) {
    if (entry.path().extension() == ".md")
      pages.push_back(fs::path("docs") / entry.path().filename());
  }
  std::sort(pages.begin(), pages.end());
  return pages;
}

/// As many pages at a time as there are processors.
std::vector<PageReport> check_pages(const std::vector<std::string>& pages, const Stage& stage) {
  std::vector<PageReport> reports(pages.size());
  std::atomic<std::size_t> next{0};
  std::vector<std::future<void>> threads;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
    threads.push_back(std::async(std::launch::async, [&] {
      for (std::size_t page; (page = next++) < pages.size();)
        reports[page] = check_page(pages[page], stage);
    }));
  }
  for (std::future<void>& thread : threads) thread.get();
  return reports;
}

int run(std::span<char*> arguments) {
  if (arguments.size() < 3) {
    fmt::print(stderr, "usage: {} PROGRAM SOURCE [PAGE.md...]\n", arguments[0]);
    return 2;
  }
  const Stage stage{fs::absolute(arguments[1]), fs::absolute(arguments[2])};
  std::vector<std::string> pages(arguments.begin() + 3, arguments.end());
  if (pages.empty()) pages = all_pages(stage.source);

  PageReport all;
  bool holds = true;
  for (const PageReport& report : check_pages(pages, stage)) {
    for (const std::string& message : report.messages) fmt::print("{}", message);
    for (const auto& [reason, count] : report.skipped) all.skipped[reason] += count;
    all.commands += report.commands;
    all.wrong += report.wrong;
    all.blessed += report.blessed;
    holds = holds && report.holds();
  }
  fmt::print("{} pages: {} commands, {} with another output, {} blessed\n", pages.size(),
             all.commands, all.wrong, all.blessed);
  for (const auto& [reason, count] : all.skipped)
    fmt::print("{} block{} skipped: {}\n", count, count == 1 ? "" : "s", reason);
  return holds ? 0 : 1;
}

} // namespace
} // namespace lanewise::docs

int main(int argc, char** argv) {
  return lanewise::docs::run(std::span(argv, static_cast<std::size_t>(argc)));
}
