#include "cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/in_quotes.h"
#include "base/whole_number.h"
#include "cli/colour.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/config_file.h"
#include "cli/help_text.h"
#include "cli/output.h"
#include "cli/unknown_word.h"

namespace lanewise::cli {

namespace {

/// In front of the headings that --help only names.
const std::string kMore = "+";

const std::string kNoConfig = "--no-config", kHelpAll = "--help-all";

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
  if (command.get_parent() == nullptr) return "'lanewise help' lists what there is";
  return fmt::format("'lanewise {} --help-all' lists what there is", command.get_name());
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
std::string option_mistake(const CLI::App& command, const CLI::ParseError& error) {
  std::string unknown = unknown_option_of(command);
  if (!unknown.empty()) return unknown;
  const std::vector<std::string> words = command.remaining();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !words.empty()) {
    return fmt::format("'lanewise {}' has no use for {}; {}", command.get_name(),
                       in_quotes(words.front()), where_to_look(command));
  }
  // CLI11 repeats what it was given.
  const std::string parser_says = error.what();
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

namespace {

/// The option takes these, and its help says so: the parser has no words for it.
template <class Values>
void take_only(CLI::Option& option, const Values& values) {
  option.check(CLI::IsMember(values).description(""));
  option.type_name(fmt::format("{}", fmt::join(values, "|")));
}

template <class Value>
void take_from_to(CLI::Option& option, Value least, Value most) {
  option.check(CLI::Range(least, most).description(""));
  option.description(fmt::format("{}; {} to {}", option.get_description(), least, most));
}

} // namespace

Option Option::one_of(const std::vector<std::string>& values) const {
  if (option_ != nullptr) take_only(*option_, values);
  return *this;
}

Option Option::one_of(std::initializer_list<int> values) const {
  if (option_ != nullptr) take_only(*option_, std::vector<int>(values));
  return *this;
}

Option Option::range(std::uint64_t least, std::uint64_t most) const {
  if (option_ != nullptr) take_from_to(*option_, least, most);
  return *this;
}

Option Option::range(double least, double most) const {
  if (option_ != nullptr) take_from_to(*option_, least, most);
  return *this;
}

Option Option::value(const std::string& name) const {
  if (option_ != nullptr) option_->type_name(name);
  return *this;
}

Option Option::group(const std::string& heading) const {
  if (option_ != nullptr) option_->group(heading);
  return *this;
}

Option Option::more(const std::string& heading) const {
  return group(kMore + heading);
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
    added->type_name("X");
  } else if constexpr (std::is_integral_v<Type>) {
    added->type_name("N");
  }
  if constexpr (std::is_unsigned_v<Type>) {
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

Option Command::flag(const std::string& name, const std::function<void()>& given,
                     const std::string& help) const {
  if (action_ == nullptr) return Option(nullptr);
  return Option(app_->add_flag_callback(name, given, help));
}

void Command::footer(const std::string& text) const {
  if (action_ != nullptr) app_->footer(text);
}

void Command::allow_extras() const {
  if (action_ != nullptr) app_->allow_extras();
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

CommandLine::CommandLine(std::span<char* const> words, std::function<std::string()> version)
    : CommandLine(words, Commands::AskedOne) {
  app_->set_version_flag("--version", std::move(version));
}

CommandLine::CommandLine() : CommandLine({}, Commands::All) {}

CommandLine::CommandLine(std::span<char* const> words, Commands commands)
    : words_(words), app_(std::make_unique<CLI::App>("", "lanewise")), commands_(commands) {
  app_->require_subcommand(1);
  app_->set_help_flag("-h,--help", "This help; --help-all explains every option");
  app_->set_help_all_flag(kHelpAll);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add_command(const std::string& name, const std::string& summary) {
  const auto words = words_.subspan(std::min<std::size_t>(1, words_.size()));
  const auto asked = std::ranges::find_if(words, [](const char* word) { return word[0] != '-'; });
  names_.push_back(name);
  if (commands_ == Commands::AskedOne && (asked == words.end() || *asked != name))
    return {nullptr, nullptr};
  CLI::App* const app = app_->add_subcommand(name, summary);
  app->add_option_function<std::string>(
         "--color", [](const std::string& when) { choose_colours(when); },
         "Colours: auto (on terminals, unless NO_COLOR is set: default), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""))
      ->type_name("auto|always|never")
      ->trigger_on_parse();
  app->add_flag(kNoConfig)->description("Leave .lanewise.toml out (docs/cli.md)");
  return {app, &action_};
}

namespace {

OptionDescription described(const CLI::Option& option) {
  OptionDescription text;
  if (option.get_positional()) text.names.push_back(option.get_name(true));
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  text.word = text.names.size() == 1 && option.get_positional();
  if (option.get_items_expected_max() > 0) text.value = option.get_type_name();
  text.help = option.get_description();
  text.more = option.get_group().starts_with(kMore);
  text.group = option.get_group().substr(text.more ? kMore.size() : 0);
  if (text.group == "Options") text.group.clear();
  text.required = option.get_required();
  text.repeatable = option.get_expected_max() > 1;
  for (const CLI::Option* other : option.get_excludes())
    text.excludes.push_back(other->get_name(other->get_positional()));
  std::ranges::sort(text.excludes); // the parser has them by address
  return text;
}

CommandDescription described(const CLI::App& command) {
  CommandDescription text{.name = command.get_name(),
                          .summary = command.get_description(),
                          .footer = command.get_footer(),
                          .options = {}};
  for (const CLI::Option* option : command.get_options()) {
    // --help tells of --help-all.
    if (option->get_name() != kHelpAll) text.options.push_back(described(*option));
  }
  return text;
}

} // namespace

std::vector<CommandDescription> CommandLine::describe() const {
  std::vector<CommandDescription> commands;
  const CLI::App& app = *app_;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(described(*command));
  return commands;
}

std::string unknown_command(const std::string& word, const std::vector<std::string>& known) {
  return unknown_word("command", word, known, "'lanewise help' lists the commands");
}

ExitStatus CommandLine::run() {
  if (words_.size() <= 1) { // a new user asks what there is
    print_help(tasks_text());
    return ExitStatus::Success;
  }
  if (words_[1][0] != '-' && std::ranges::find(names_, words_[1]) == names_.end()) {
    tell("error: {}\n", unknown_command(words_[1], names_));
    return ExitStatus::BadInput;
  }
  const std::string file = asks_for_no_config() ? "" : find_config_file();
  std::vector<std::string> added;
  if (!file.empty()) {
    auto found =
        words_of_config(file, described(*app_->get_subcommand(words_[1])), words_.subspan(2));
    if (!found) return fail(found.error());
    added = std::move(*found);
  }
  const ExitStatus status = run_with(added);
  if (status == ExitStatus::BadInput && !added.empty())
    tell("note: {} adds {}\n", file, fmt::join(added, " "));
  return status;
}

bool CommandLine::asks_for_no_config() const {
  return words_[1][0] == '-' || std::ranges::any_of(words_, [](const char* text) {
           const std::string word = text;
           return word == kNoConfig || word == "-h" || word == "--help" || word == kHelpAll;
         });
}

ExitStatus CommandLine::run_with(const std::vector<std::string>& added) {
  std::vector<std::string> words(words_.begin() + 1, words_.end());
  words.insert(words.begin() + 1, added.begin(), added.end());
  remember_added(added);
  std::ranges::reverse(words); // the parser takes them from the end
  try {
    app_->parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return answer(error);
  }
  return action_();
}

ExitStatus CommandLine::answer(const CLI::ParseError& error) const {
  const auto chosen = app_->get_subcommands();
  const bool asks_all = dynamic_cast<const CLI::CallForAllHelp*>(&error) != nullptr;
  if (asks_all || dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr) {
    const HelpDepth depth = asks_all ? HelpDepth::Whole : HelpDepth::Short;
    if (!chosen.empty()) {
      print_help(help_text(described(*chosen.front()), depth, help_columns()));
    } else if (asks_all) {
      print_help(help_text(describe_commands(), help_columns()));
    } else {
      print_help(tasks_text());
    }
    return ExitStatus::Success;
  }
  if (error.get_exit_code() == 0) { // --version
    fmt::print("{}\n", error.what());
    return ExitStatus::Success;
  }
  tell("error: {}\n", option_mistake(chosen.empty() ? *app_ : *chosen.front(), error));
  return ExitStatus::BadInput;
}

} // namespace lanewise::cli
