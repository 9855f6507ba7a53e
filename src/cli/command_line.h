// The command line: commands with their options. CLI11 does the work behind it; its headers take
// seconds to compile, and only command_line.cpp has them.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/description.h"
#include "cli/exit_status.h"

namespace CLI {
class App;
class Option;
class ParseError;
} // namespace CLI

namespace lanewise::cli {

/// What the chosen command does; returns the exit status.
using Action = std::function<ExitStatus()>;

/// An option of a command, or a word that it takes. Every function returns the option again. Of a
/// command that nobody has asked for, it is nothing, and the functions do nothing.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required() const;
  /// The character between the elements of a list.
  Option delimiter(char separator) const;
  /// One element of a list each time that it stands there: the word behind is not its next one.
  Option one_at_a_time() const;
  Option one_of(const std::vector<std::string>& values) const;
  Option one_of(std::initializer_list<int> values) const;
  Option range(std::uint64_t least, std::uint64_t most) const;
  Option range(double least, double most) const;
  /// What stands behind the option in help, man pages and completions: "FILE", "DIR", "CHIPS".
  /// Without, TEXT, or N and X for numbers.
  Option value(const std::string& name) const;
  /// The heading under which --help shows it.
  Option group(const std::string& heading) const;
  /// The same, of what --help only names and --help-all explains.
  Option more(const std::string& heading) const;
  /// Not together with another one.
  Option excludes(Option other) const;

 private:
  CLI::Option* option_;
};

/// A command while options are added to it. A copy is the same command. Of one that nobody has
/// asked for there is the name alone: to make all of them would take longer than most of them run.
class Command {
 public:
  /// `action`: where what it does is left. Both are nullptr if nobody has asked for it.
  Command(CLI::App* app, Action* action) : app_(app), action_(action) {}

  /// "-o,--out" with a value, or a word such as "program". `Value`: std::string, an unsigned
  /// integer, double, an std::optional of one, or a vector of strings.
  template <class Value>
  Option option(const std::string& names, Value& value, const std::string& help) const;
  /// Calls `take` with the value.
  Option option(const std::string& names, const std::function<void(const std::string&)>& take,
                const std::string& help) const;
  Option flag(const std::string& name, bool& value, const std::string& help) const;
  /// Calls `given` where it stands there.
  Option flag(const std::string& name, const std::function<void()>& given,
              const std::string& help) const;

  void footer(const std::string& text) const;
  /// Words that look like options and are none are no error: see extras().
  void allow_extras() const;
  void action(Action action) const;

  /// The words that no option has taken.
  std::vector<std::string> extras() const;
  /// What is to be said about the first of them that looks like an option; "" if none does.
  std::string unknown_option() const;

 private:
  CLI::App* app_;
  Action* action_;
};

/// All commands of the program.
class CommandLine {
 public:
  /// `words`: those of the program, with its name. `version` is asked where --version is given.
  CommandLine(std::span<char* const> words, std::function<std::string()> version);
  /// One that is described, not run: every command is there.
  CommandLine();
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command add_command(const std::string& name, const std::string& summary);

  /// Does what the words ask for. Returns the exit status; a mistake is told on standard error.
  ExitStatus run();

  /// The commands that are there, in the order in which they were added.
  std::vector<CommandDescription> describe() const;

 private:
  /// Which commands there are, besides their names.
  enum class Commands : bool { AskedOne, All };
  CommandLine(std::span<char* const> words, Commands commands);

  bool asks_for_no_config() const;
  /// With `added` behind the name of the command: what .lanewise.toml has for it.
  ExitStatus run_with(const std::vector<std::string>& added);
  /// What the parser ends with instead of an action: help, the version, or a mistake.
  ExitStatus answer(const CLI::ParseError& error) const;

  std::span<char* const> words_;
  std::unique_ptr<CLI::App> app_;
  std::vector<std::string> names_; ///< of all commands
  Action action_;
  Commands commands_;
};

/// "there is no command 'rum'; did you mean run?".
std::string unknown_command(const std::string& word, const std::vector<std::string>& known);

} // namespace lanewise::cli
