// lanewise merge FILES: what the files of all parts give, as one run would have printed it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/text_file.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/part_options.h"
#include "report/table/table.h"

namespace lanewise::cli {

namespace {

struct MergeOptions {
  std::vector<std::string> files;
  std::vector<std::string> added;
  bool list = false;
};

Expected<std::vector<parts::PartFile>> read_parts(const std::vector<std::string>& names) {
  std::vector<parts::PartFile> files;
  for (const std::string& name : names) {
    const auto text = read_text_file(name);
    if (!text) return Unexpected(text.error());
    auto file = parts::parse_part_file(*text, name);
    if (!file) return Unexpected(file.error());
    files.push_back(*std::move(file));
  }
  return files;
}

void print_list(std::span<const parts::PartFile> files) {
  report::Table table{.columns = {{"file"}, {"part"}, {"state"}, {"command"}}};
  for (const parts::PartFile& file : files) {
    const parts::PartHeader& header = file.header;
    table.rows.push_back({file.name, fmt::format("{}/{}", header.part.number, header.part.of),
                          file.ended ? "done" : "not done",
                          fmt::format("lanewise {}", fmt::join(header.command.typed, " "))});
  }
  fmt::print("{}", report::table_text(table));
}

/// The command of the parts, as if it was typed here; its work is done already.
ExitStatus run_command(const parts::CommandWords& command, const std::vector<std::string>& added) {
  // They are named until the program ends (typed_command()).
  static std::vector<std::string> typed, all;
  static std::vector<char*> typed_pointers, all_pointers;
  const auto point = [](std::vector<std::string>& words, std::vector<char*>& pointers) {
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
  };
  typed = {"lanewise"};
  typed.insert(typed.end(), command.typed.begin(), command.typed.end());
  typed.insert(typed.end(), added.begin(), added.end());
  // What .lanewise.toml said then counts, not what one says here.
  all = typed;
  all.insert(all.begin() + 2, command.added.begin(), command.added.end());
  all.emplace_back("--no-config");
  point(typed, typed_pointers);
  point(all, all_pointers);
  remember_command(static_cast<int>(typed.size()), typed_pointers.data());
  CommandLine line({all_pointers.data(), all.size()}, [] { return std::string(version()); });
  add_commands(line);
  return line.run();
}

/// Where the parts come from machines of several kinds.
void tell_of_arithmetic(std::span<const parts::PartFile> files) {
  std::set<std::string> kinds;
  for (const parts::PartFile& file : files) kinds.insert(file.header.arithmetic);
  if (kinds.size() > 1)
    tell(
        "note: the parts were made with different arithmetic ({}): means of errors before rounding "
        "may differ from those of one run in their last digits for some functions "
        "(docs/parts.md)\n",
        fmt::join(kinds, "; "));
}

ExitStatus merge(const MergeOptions& options) {
  auto files = read_parts(options.files);
  if (!files) return fail(files.error());
  if (options.list) {
    print_list(*files);
    return ExitStatus::Success;
  }
  auto parts = parts::gather_parts(*std::move(files));
  if (!parts) return fail(parts.error());
  const parts::CommandWords command = parts->front().header.command;
  if (command.typed.empty())
    return fail(bad_input("no command line has made these parts",
                          "merge them where they were made, as with lanewise.merge() in Python")
                    .value());
  tell_of_arithmetic(*parts);
  give_parts(*std::move(parts));
  return run_command(command, options.added);
}

} // namespace

void add_merge(CommandLine& line) {
  const Command command = line.add_command(
      "merge", "Make of the parts that --part has left what one run would have given");
  auto options = std::make_shared<MergeOptions>();
  command.option("files", options->files, "The files of all parts, in any order").required();
  command
      .option("--add", options->added,
              "A further word for the command: --add=--json, --add=--html=page.html")
      .value("WORD")
      .one_at_a_time();
  command.flag("--list", options->list,
               "Print what the files are parts of, and whether they are done");
  command.footer(
      "The command of the parts runs here once more, but its work is done: programs and inputs "
      "must be\nthe same, and paths are relative to this folder. docs/parts.md has more.");
  command.action([options] { return merge(*options); });
}

} // namespace lanewise::cli
