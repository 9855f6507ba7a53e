#include "cli/part_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <utility>

#include "cli/command.h"
#include "cli/output.h"

namespace lanewise::cli {

namespace {

constexpr const char* kPartGroup = "In parts, and what goes on (docs/parts.md)";

std::optional<std::vector<parts::PartFile>> given_parts;
parts::CommandWords given_command; ///< of these

/// Options of a run, each with a value.
constexpr std::array<std::string_view, 5> kRunOptions{"--part", "--part-file", "--resume",
                                                      "--threads", "--jobs"};

parts::CommandWords words_of_command() {
  std::vector<std::string> typed;
  for (char* const* word = typed_words() + 1; *word != nullptr; ++word) typed.emplace_back(*word);
  return {without_run_options(typed), without_run_options(added_words())};
}

} // namespace

void add_part_option(const Command& command, PartOptions& options) {
  command
      .option(
          "--part", options.part,
          "Only the K-th of N parts, which goes into --part-file; 'lanewise merge' makes of the "
          "files of all parts what one run gives")
      .value("K/N")
      .group(kPartGroup);
  command
      .option("--part-file", options.file,
              "The file of the part; a part that was stopped goes on from it (default: the "
              "command's name with K-of-N.part)")
      .value("FILE")
      .group(kPartGroup);
}

void add_part_options(const Command& command, PartOptions& options) {
  add_part_option(command, options);
  command
      .option("--resume", options.resume,
              "Keep the state of the whole work in this file, and go on from it after an "
              "interruption")
      .value("FILE")
      .group(kPartGroup);
}

Expected<parts::SharedWork> shared_work(const PartOptions& options, std::string_view command) {
  if (given_parts) return parts::SharedWork::merged(*std::exchange(given_parts, std::nullopt));
  if (options.part.empty()) {
    if (!options.file.empty())
      return bad_input("--part-file is for a part", "name it with --part K/N, or use --resume");
    if (options.resume.empty()) return parts::SharedWork();
    if (auto possible = check_can_write(options.resume); !possible)
      return Unexpected(possible.error());
    return parts::SharedWork::resumable(options.resume);
  }
  if (!options.resume.empty())
    return bad_input("--part and --resume contradict each other",
                     "leave --resume out: a part goes on from its own file");
  const auto part = parts::parse_part(options.part);
  if (!part) return Unexpected(part.error());
  const std::string file = !options.file.empty()
                               ? options.file
                               : fmt::format("{}.{}-of-{}.part", command, part->number, part->of);
  if (auto possible = check_can_write(file); !possible) return Unexpected(possible.error());
  return parts::SharedWork::part(*part, words_of_command(), file);
}

ExitStatus tell_of_part(const parts::SharedWork& work, std::uint64_t done, std::uint64_t all,
                        std::string_view items) {
  const parts::Part& part = work.number();
  fmt::print("{}: {} of {} {} in {}\n", parts::part_name(part), done, all, items,
             work.path().string());
  if (done != all) tell("stopped before the end; the same command goes on\n");
  return exit_status(done == all);
}

std::string how_to_go_on(const parts::SharedWork& work, std::string_view name) {
  if (work.keeps()) return fmt::format("the same command goes on from {}", work.path().string());
  return fmt::format("with --resume FILE a {} can go on where it was stopped", name);
}

std::vector<std::string> without_run_options(const std::vector<std::string>& words) {
  std::vector<std::string> left;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view name = std::string_view(words[i]).substr(0, words[i].find('='));
    if (std::ranges::find(kRunOptions, name) == kRunOptions.end()) {
      left.push_back(words[i]);
    } else if (name.size() == words[i].size()) {
      ++i; // its value
    }
  }
  return left;
}

parts::Json command_key() {
  const bool is_merged = !given_command.typed.empty();
  const parts::CommandWords words = is_merged ? given_command : words_of_command();
  return {{"command", words.typed}, {"added", words.added}};
}

void give_parts(std::vector<parts::PartFile> parts) {
  given_command = parts.front().header.command;
  given_parts = std::move(parts);
}

} // namespace lanewise::cli
