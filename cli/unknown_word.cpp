#include "cli/unknown_word.h"

#include <fmt/format.h>

#include <string_view>

#include "isa/near_names.h"

namespace lanewise::cli {

namespace {

bool looks_like_option(const std::string& word) {
  return word.size() > 2 && word.starts_with("--");
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string where_to_look(const CLI::App& command) {
  return fmt::format("'{} --help' lists what there is", command.get_parent() == nullptr
                                                            ? "lanewise"
                                                            : "lanewise " + command.get_name());
}

} // namespace

std::string unknown_word(const std::string& kind, const std::string& word,
                         const std::vector<std::string>& known, const std::string& otherwise) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  const auto near = isa::near_names(word, names);
  return fmt::format("there is no {} '{}'; {}", kind, word,
                     near.empty() ? otherwise : fmt::format("did you mean {}?", near.front()));
}

std::vector<std::string> command_names(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::optional<std::string> unknown_option(const CLI::App& command) {
  for (const std::string& word : command.remaining()) {
    if (!looks_like_option(word)) continue;
    return unknown_word("option", word.substr(0, word.find('=')), option_names(command),
                        where_to_look(command));
  }
  return std::nullopt;
}

std::string option_mistake(const CLI::App& command, const std::string& parser_says) {
  const auto unknown = unknown_option(command);
  return unknown ? *unknown : fmt::format("{}; {}", parser_says, where_to_look(command));
}

} // namespace lanewise::cli
