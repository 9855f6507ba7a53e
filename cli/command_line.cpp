#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>
#include <utility>

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
  const std::string unknown = unknown_option_of(command);
  return unknown.empty() ? fmt::format("{}; {}", parser_says, where_to_look(command)) : unknown;
}

} // namespace

Option Option::required() const {
  option_->required();
  return *this;
}

Option Option::delimiter(char separator) const {
  option_->delimiter(separator);
  return *this;
}

Option Option::one_at_a_time() const {
  option_->allow_extra_args(false);
  return *this;
}

Option Option::one_of(std::initializer_list<std::string> values) const {
  option_->check(CLI::IsMember(values));
  return *this;
}

Option Option::one_of(std::initializer_list<int> values) const {
  option_->check(CLI::IsMember(values));
  return *this;
}

Option Option::range(std::uint64_t least, std::uint64_t most) const {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option Option::range(double least, double most) const {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option Option::group(const std::string& heading) const {
  option_->group(heading);
  return *this;
}

Option Option::excludes(Option other) const {
  option_->excludes(other.option_);
  return *this;
}

template <class Value>
Option Command::option(const std::string& names, Value& value, const std::string& help) const {
  return Option(app_->add_option(names, value, help));
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
  return Option(app_->add_option_function<std::string>(names, take, help));
}

Option Command::flag(const std::string& name, bool& value, const std::string& help) const {
  return Option(app_->add_flag(name, value, help));
}

void Command::footer(const std::string& text) const {
  app_->footer(text);
}

void Command::allow_extras() const {
  app_->allow_extras();
}

void Command::action(Action action) const {
  app_->callback(
      [chosen = action_, action = std::move(action)]() mutable { *chosen = std::move(action); });
}

std::vector<std::string> Command::extras() const {
  return app_->remaining();
}

std::string Command::unknown_option() const {
  return unknown_option_of(*app_);
}

CommandLine::CommandLine(const std::string& name, const std::string& summary,
                         const std::string& version, const std::string& footer)
    : app_(std::make_unique<CLI::App>(summary, name)) {
  app_->require_subcommand(1);
  app_->set_version_flag("--version", name + " " + version);
  app_->footer(footer);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add_command(const std::string& name, const std::string& summary) {
  return {app_->add_subcommand(name, summary), &action_};
}

ExitStatus CommandLine::run(int argc, char** argv) {
  const std::vector<std::string> commands = command_names(*app_);
  if (argc > 1 && argv[1][0] != '-' && std::ranges::find(commands, argv[1]) == commands.end()) {
    tell("error: {}\n",
         unknown_word("command", argv[1], commands, "'lanewise --help' lists the commands"));
    return ExitStatus::BadInput;
  }
  try {
    app_->parse(argc, argv);
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
