#include "cli/config_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <toml++/toml.h>
#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/in_quotes.h"
#include "base/near_names.h"
#include "base/text_file.h"
#include "cli/help_text.h"
#include "cli/output.h"

namespace lanewise::cli {

namespace {

constexpr const char* kFileName = ".lanewise.toml";

/// Keys at the top, for every command that has such an option.
constexpr std::array<std::string_view, 7> kCommonKeys{"arch",   "format", "metal", "include",
                                                      "define", "sfpi",   "color"};

bool is_own(const std::filesystem::path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 && (status.st_uid == ::geteuid() || status.st_uid == 0);
}

/// Reads one file for one command.
class ConfigReader {
 public:
  ConfigReader(const std::string& file, const CommandDescription& command,
               std::span<char* const> words)
      : file_(file), command_(command), words_(words) {}

  Expected<std::vector<std::string>> read(const toml::table& table);

 private:
  Expected<void> read_key(const toml::key& key, const toml::node& value);
  Expected<void> read_common(const toml::key& key, const toml::node& value);
  Expected<void> add(const OptionDescription& option, const toml::node& value);
  /// One value as a word of the command line.
  Expected<std::string> word_of(const OptionDescription& option, const toml::node& value) const;
  /// The option of that long name, or nullptr.
  const OptionDescription* option_called(std::string_view name) const;
  bool is_given(const OptionDescription& option) const;
  bool is_excluded(const OptionDescription& option) const;
  Unexpected mistake(const toml::source_region& place, std::string message,
                     std::string remedy) const;

  const std::string& file_;
  const CommandDescription& command_;
  std::span<char* const> words_;
  std::vector<std::string> result_;
};

Unexpected ConfigReader::mistake(const toml::source_region& place, std::string message,
                                 std::string remedy) const {
  Unexpected fault =
      bad_input(std::move(message), std::move(remedy), place.begin.line, place.begin.column);
  fault.value().file = file_;
  return fault;
}

const OptionDescription* ConfigReader::option_called(std::string_view name) const {
  const auto is_called = [name](const OptionDescription& option) {
    return !option.word && std::ranges::any_of(option.names, [name](const std::string& each) {
      return each.size() == name.size() + 2 && each.starts_with("--") && each.ends_with(name);
    });
  };
  const auto option = std::ranges::find_if(command_.options, is_called);
  return option == command_.options.end() ? nullptr : &*option;
}

/// Whether a word of the command line is, or begins, one of these names.
bool names_word(const std::vector<std::string>& names, std::string_view word) {
  return std::ranges::any_of(names, [word](const std::string& name) {
    return name.starts_with("--") ? word == name || word.starts_with(name + "=")
                                  : word.starts_with(name) && !word.starts_with("--");
  });
}

bool ConfigReader::is_given(const OptionDescription& option) const {
  return std::ranges::any_of(
      words_, [&option](const char* word) { return names_word(option.names, word); });
}

bool ConfigReader::is_excluded(const OptionDescription& option) const {
  return std::ranges::any_of(option.excludes, [this](const std::string& other) {
    return std::ranges::any_of(words_,
                               [&other](const char* word) { return names_word({other}, word); });
  });
}

Expected<std::string> ConfigReader::word_of(const OptionDescription& option,
                                            const toml::node& value) const {
  if (const auto text = value.value<std::string_view>(); value.is_string()) {
    const bool is_path = option.value == "DIR" || option.value == "FILE";
    if (!is_path) return std::string(*text);
    return (std::filesystem::path(file_).parent_path() / *text).string();
  }
  if (value.is_integer()) return fmt::format("{}", *value.value<std::int64_t>());
  if (value.is_floating_point()) return fmt::format("{}", *value.value<double>());
  return mistake(value.source(), fmt::format("{} takes no such value", option.long_name()),
                 "give a text or a number, or a list of them");
}

Expected<void> ConfigReader::add(const OptionDescription& option, const toml::node& value) {
  if (is_given(option) || is_excluded(option)) return {};
  if (option.value.empty()) {
    if (!value.is_boolean())
      return mistake(value.source(), option.long_name() + " takes no value", "give true or false");
    if (*value.value<bool>()) result_.push_back(option.long_name());
    return {};
  }
  const toml::array single{value};
  const toml::array* const list = value.as_array();
  for (const toml::node& each : list != nullptr ? *list : single) {
    auto word = word_of(option, each);
    if (!word) return Unexpected(word.error());
    // Joined: a value that begins with '-' is no option.
    result_.push_back(option.long_name().starts_with("--") ? option.long_name() + "=" + *word
                                                           : option.long_name() + *word);
    // Where there is room for one, it is the first.
    if (!option.repeatable) break;
  }
  return {};
}

Expected<void> ConfigReader::read_common(const toml::key& key, const toml::node& value) {
  if (std::ranges::find(kCommonKeys, key.str()) == kCommonKeys.end()) {
    return mistake(key.source(),
                   fmt::format("there is no key {}", in_quotes(std::string(key.str()))),
                   "arch, format, metal, include, define, sfpi and color stand at the top; other "
                   "options under [COMMAND]");
  }
  const OptionDescription* const option = option_called(key.str());
  return option == nullptr ? Expected<void>() : add(*option, value);
}

Expected<void> ConfigReader::read_key(const toml::key& key, const toml::node& value) {
  const OptionDescription* const option = option_called(key.str());
  if (option != nullptr && !names_word(option->names, "--help")) return add(*option, value);
  return mistake(key.source(), fmt::format("'{}' has no option --{}", command_.name, key.str()),
                 fmt::format("'lanewise {} --help-all' lists what there is", command_.name));
}

/// Whether there is such a command, in whatever part of the program.
bool is_command(std::string_view name) {
  return tasks_text().find(fmt::format("\n  {} ", name)) != std::string_view::npos;
}

Expected<std::vector<std::string>> ConfigReader::read(const toml::table& table) {
  // What stands under the command comes first, and what is there already stays.
  for (const auto& [name, node] : table) {
    const toml::table* const section = node.as_table();
    if (section == nullptr) continue;
    if (!is_command(name.str())) {
      return mistake(name.source(),
                     fmt::format("there is no command {}", in_quotes(std::string(name.str()))),
                     "'lanewise help' lists the commands");
    }
    if (name.str() != command_.name) continue;
    for (const auto& [key, value] : *section)
      if (auto done = read_key(key, value); !done) return Unexpected(done.error());
  }
  for (const auto& [key, value] : table) {
    const bool is_set_above = table[command_.name][key.str()].node() != nullptr;
    if (value.is_table() || is_set_above) continue;
    if (auto done = read_common(key, value); !done) return Unexpected(done.error());
  }
  return std::move(result_);
}

} // namespace

std::string find_config_file() {
  std::error_code ignored;
  const std::filesystem::path here = std::filesystem::current_path(ignored);
  for (std::filesystem::path folder = here; !folder.empty(); folder = folder.parent_path()) {
    const std::filesystem::path file = folder / kFileName;
    const bool is_there = std::filesystem::is_regular_file(file, ignored);
    if (is_there && (folder == here || is_own(file))) return file.string();
    if (is_there) {
      tell("warning: {} is left out: it belongs to another user\n", file.string());
      return {};
    }
    if (folder == folder.parent_path()) break;
  }
  return {};
}

Expected<std::vector<std::string>> words_of_config(const std::string& file,
                                                   const CommandDescription& command,
                                                   std::span<char* const> words) {
  const auto text = read_text_file(file);
  if (!text) return Unexpected(text.error());
  try {
    return ConfigReader(file, command, words).read(toml::parse(*text, file));
  } catch (const toml::parse_error& error) {
    Unexpected fault = bad_input(std::string(error.description()), "TOML is described at toml.io",
                                 error.source().begin.line, error.source().begin.column);
    fault.value().file = file;
    return fault;
  }
}

} // namespace lanewise::cli
