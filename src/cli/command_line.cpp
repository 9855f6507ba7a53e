#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>
#include <type_traits>
#include <utility>

#include "base/in_quotes.h"
#include "base/whole_number.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/unknown_word.h"

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

std::vector<std::string> command_names(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::string where_to_look(const CLI::App& command) {
  return fmt::format("'{} --help' lists what there is", command.get_parent() == nullptr
                                                            ? "lanewise"
                                                            : "lanewise " + command.get_name());
}

/// What is to be said about the first option that a command does not have; "" if there is none.
std::string unknown_option_of(const CLI::App& command) {
  for (const std::string& word : command.remaining()) {
    if (!looks_like_option(word)) continue;
    return unknown_word("option", word.substr(0, word.find('=')), option_names(command),
                        where_to_look(command));
  }
  return {};
}

/// What is wrong with the options of a command: the first one that it does not have, else what the
/// parser says. How to list them comes last.
std::string option_mistake(const CLI::App& command, const std::string& parser_says) {
  std::string unknown = unknown_option_of(command);
  if (!unknown.empty()) return unknown;
  // CLI11 repeats what it was given.
  constexpr std::size_t kLongest = 400;
  const char* const rest = parser_says.size() > kLongest ? "..." : "";
  return fmt::format("{}{}; {}", parser_says.substr(0, kLongest), rest, where_to_look(command));
}

} // namespace

Option Option::required() const {
  if (option_ != nullptr) option_->required();
  return *this;
}

Option Option::delimiter(char separator) const {
  if (option_ != nullptr) option_->delimiter(separator);
  return *this;
}

Option Option::one_at_a_time() const {
  if (option_ != nullptr) option_->allow_extra_args(false);
  return *this;
}

Option Option::one_of(const std::vector<std::string>& values) const {
  if (option_ != nullptr) option_->check(CLI::IsMember(values));
  return *this;
}

Option Option::one_of(std::initializer_list<int> values) const {
  if (option_ != nullptr) option_->check(CLI::IsMember(values));
  return *this;
}

Option Option::range(std::uint64_t least, std::uint64_t most) const {
  if (option_ != nullptr) option_->check(CLI::Range(least, most));
  return *this;
}

Option Option::range(double least, double most) const {
  if (option_ != nullptr) option_->check(CLI::Range(least, most));
  return *this;
}

Option Option::group(const std::string& heading) const {
  if (option_ != nullptr) option_->group(heading);
  return *this;
}

Option Option::excludes(Option other) const {
  if (option_ != nullptr) option_->excludes(other.option_);
  return *this;
}

namespace {

/// What is wrong with a text as a number; "" if nothing is. CLI11 alone takes nan and inf, which no
/// option means, and its Range lets nan through.
std::string finite_number_mistake(const std::string& text) {
  double value = 0;
  if (CLI::detail::lexical_cast(text, value) && std::isfinite(value)) return {};
  return in_quotes(text) + " is no finite number";
}

template <class Value>
struct Number {
  using Type = Value;
};
template <class Value>
struct Number<std::optional<Value>> {
  using Type = Value;
};

/// What is wrong with a text as a whole number; "" if nothing is. CLI11 alone takes -1 for 2^64 -
/// 1, and everything above for that, too.
std::string whole_number_mistake(const std::string& text, std::uint64_t most) {
  const auto number = parse_whole_number(text);
  if (number && *number <= most) return {};
  return fmt::format("{} is no whole number from 0 to {}", in_quotes(text), most);
}

} // namespace

template <class Value>
Option Command::option(const std::string& names, Value& value, const std::string& help) const {
  if (action_ == nullptr) return Option(nullptr);
  CLI::Option* added = app_->add_option(names, value, help);
  using Type = typename Number<Value>::Type;
  if constexpr (std::is_same_v<Type, double>) {
    added->check(finite_number_mistake);
  } else if constexpr (std::is_unsigned_v<Type>) {
    added->check([](const std::string& text) {
      return whole_number_mistake(text, std::numeric_limits<Type>::max());
    });
  }
  return Option(added);
}

template Option Command::option(const std::string&, std::string&, const std::string&) const;
template Option Command::option(const std::string&, std::vector<std::string>&,
                                const std::string&) const;
template Option Command::option(const std::string&, int&, const std::string&) const;
template Option Command::option(const std::string&, std::uint32_t&, const std::string&) const;
template Option Command::option(const std::string&, std::uint64_t&, const std::string&) const;
template Option Command::option(const std::string&, double&, const std::string&) const;
template Option Command::option(const std::string&, std::optional<double>&,
                                const std::string&) const;
template Option Command::option(const std::string&, std::optional<std::uint64_t>&,
                                const std::string&) const;

Option Command::option(const std::string& names,
                       const std::function<void(const std::string&)>& take,
                       const std::string& help) const {
  if (action_ == nullptr) return Option(nullptr);
  return Option(app_->add_option_function<std::string>(names, take, help));
}

Option Command::flag(const std::string& name, bool& value, const std::string& help) const {
  if (action_ == nullptr) return Option(nullptr);
  return Option(app_->add_flag(name, value, help));
}

void Command::footer(const std::string& text) const {
  app_->footer(text);
}

void Command::allow_extras() const {
  app_->allow_extras();
}

void Command::action(Action action) const {
  if (action_ == nullptr) return;
  app_->callback(
      [chosen = action_, action = std::move(action)]() mutable { *chosen = std::move(action); });
}

std::vector<std::string> Command::extras() const {
  return app_->remaining();
}

std::string Command::unknown_option() const {
  return unknown_option_of(*app_);
}

CommandLine::CommandLine(std::span<char* const> words, const std::string& name,
                         const std::string& summary, std::function<std::string()> version,
                         const std::string& footer)
    : words_(words), app_(std::make_unique<CLI::App>(summary, name)) {
  app_->require_subcommand(1);
  app_->set_version_flag("--version", std::move(version));
  app_->footer(footer);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add_command(const std::string& name, const std::string& summary) {
  const auto words = words_.subspan(std::min<std::size_t>(1, words_.size()));
  const auto asked = std::ranges::find_if(words, [](const char* word) { return word[0] != '-'; });
  const bool is_asked = asked != words.end() && *asked == name;
  return {app_->add_subcommand(name, summary), is_asked ? &action_ : nullptr};
}

ExitStatus CommandLine::run() {
  const std::vector<std::string> commands = command_names(*app_);
  if (words_.size() > 1 && words_[1][0] != '-' &&
      std::ranges::find(commands, words_[1]) == commands.end()) {
    tell("error: {}\n",
         unknown_word("command", words_[1], commands, "'lanewise --help' lists the commands"));
    return ExitStatus::BadInput;
  }
  if (words_.size() <= 1) { // a new user asks what there is
    fmt::print("{}", app_->help());
    return ExitStatus::Success;
  }
  try {
    app_->parse(static_cast<int>(words_.size()), words_.data());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) { // --help, --version
      std::ostringstream text;
      app_->exit(error, text, text);
      fmt::print("{}", text.str());
      return ExitStatus::Success;
    }
    const auto chosen = app_->get_subcommands();
    tell("error: {}\n", option_mistake(chosen.empty() ? *app_ : *chosen.front(), error.what()));
    return ExitStatus::BadInput;
  }
  return action_();
}

} // namespace lanewise::cli
