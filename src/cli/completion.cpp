#include "cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "cli/value_lists.h"

namespace lanewise::cli {

namespace {

using Words = std::vector<std::string>;

/// What stands in $fpath and is sourced alike: the function, and how it is made known.
constexpr const char* kZshEnd = R"(
if [ "$funcstack[1]" = _lanewise ]; then
  _lanewise "$@"
else
  compdef _lanewise lanewise
fi
)";

constexpr const char* kBashEnd = R"(  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
  elif [ -n "$folders" ]; then
    compopt -o filenames
    COMPREPLY=($(compgen -d -- "$current"))
  fi
}
complete -o bashdefault -o default -F _lanewise lanewise ./lanewise
)";

/// What a list of choices shows beside one: the first sentence, or a part of it.
std::string in_short(const std::string& help) {
  constexpr std::size_t kLongest = 70;
  std::string text = help.substr(0, std::min(help.find_first_of(";:\n"), help.find(" (")));
  if (text.size() <= kLongest) return text;
  return text.substr(0, text.rfind(' ', kLongest)) + " ...";
}

/// In single quotes, as every shell reads it; without what would end them.
std::string quoted(std::string text) {
  std::erase(text, '\'');
  return "'" + text + "'";
}

Words option_names(const CommandDescription& command) {
  Words names;
  for (const OptionDescription& option : command.options) {
    if (!option.word) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  names.emplace_back("--help-all");
  return names;
}

/// The branch of bash's script for one option: what may stand behind it.
std::string bash_values(const OptionDescription& option,
                        std::span<const CommandDescription> commands) {
  if (option.value.empty()) return {};
  const std::string names = fmt::format("{}", fmt::join(option.names, " | "));
  if (option.value == "DIR") return fmt::format("        {}) folders=1 ;;\n", names);
  return fmt::format("        {}) values='{}' ;;\n", names,
                     fmt::join(listed_values(option, commands), " "));
}

std::string bash_branch(const CommandDescription& command,
                        std::span<const CommandDescription> commands) {
  std::string before, words;
  for (const OptionDescription& option : command.options) {
    if (!option.word) before += bash_values(option, commands);
    if (option.word && words.empty())
      words = fmt::format("{}", fmt::join(listed_values(option, commands), " "));
  }
  return fmt::format(
      "    {})\n      options='{}'\n      case $previous in\n{}        *) values='{}' ;;\n"
      "      esac\n      ;;\n",
      command.name, fmt::join(option_names(command), " "), before, words);
}

/// What zsh does for a value: names it, then lists it or looks for files.
std::string zsh_value(const OptionDescription& option,
                      std::span<const CommandDescription> commands) {
  const std::string name = option.word ? option.names.front() : "value";
  if (option.value == "DIR") return fmt::format(":{}:_files -/", name);
  if (const Words values = listed_values(option, commands); !values.empty())
    return fmt::format(":{}:({})", name, fmt::join(values, " "));
  return fmt::format(":{}:_files", name);
}

/// Brackets and colons separate the parts of zsh's line.
std::string zsh_text(const std::string& help) {
  std::string text;
  for (const char letter : in_short(help)) {
    if (letter == '[' || letter == ']' || letter == ':') text += '\\';
    text += letter;
  }
  return text;
}

std::string zsh_lines(const CommandDescription& command,
                      std::span<const CommandDescription> commands) {
  std::string lines;
  const auto add = [&lines](const std::string& line) {
    lines += fmt::format(" \\\n        {}", quoted(line));
  };
  for (const OptionDescription& option : command.options) {
    if (option.word) {
      add((option.repeatable ? "*" : "") + zsh_value(option, commands));
      continue;
    }
    for (const std::string& name : option.names) {
      add(fmt::format("{}{}[{}]{}", option.repeatable ? "*" : "", name, zsh_text(option.help),
                      option.value.empty() ? "" : zsh_value(option, commands)));
    }
  }
  return lines;
}

std::string fish_line(const CommandDescription& command, const OptionDescription& option,
                      std::span<const CommandDescription> commands) {
  std::string line =
      fmt::format("complete -c lanewise -n '__fish_seen_subcommand_from {}'", command.name);
  for (const std::string& name : option.names) {
    if (option.word) continue;
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  const Words values = listed_values(option, commands);
  if (!values.empty()) {
    line += fmt::format(" -x -a '{}'", fmt::join(values, " "));
  } else if (option.value == "DIR") {
    line += " -x -a '(__fish_complete_directories)'";
  } else if (!option.value.empty() && !option.word) {
    line += " -r -F";
  }
  return line + " -d " + quoted(in_short(option.help)) + "\n";
}

} // namespace

std::string bash_completion(std::span<const CommandDescription> commands) {
  Words names;
  std::string branches;
  for (const CommandDescription& command : commands) {
    names.push_back(command.name);
    branches += bash_branch(command, commands);
  }
  return fmt::format(R"(# Made by 'lanewise completion bash'.
_lanewise() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  local options='' values='' folders=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{} --help --help-all --version' -- "$current"))
    return
  fi
  # '=' is a word of its own.
  if [ "$current" = = ]; then
    current=
  elif [ "$previous" = = ]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  case ${{COMP_WORDS[1]}} in
{}{})",
                     fmt::join(names, " "), branches, kBashEnd);
}

std::string zsh_completion(std::span<const CommandDescription> commands) {
  std::string text =
      "#compdef lanewise\n# Made by 'lanewise completion zsh'.\n_lanewise() {\n"
      "  local -a commands\n  commands=(\n";
  for (const CommandDescription& command : commands)
    text += fmt::format("    {}\n", quoted(command.name + ":" + zsh_text(command.summary)));
  text +=
      "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in\n";
  for (const CommandDescription& command : commands) {
    text += fmt::format("    {})\n      _arguments{}\n      ;;\n", command.name,
                        zsh_lines(command, commands));
  }
  return text + "  esac\n}\n" + kZshEnd;
}

std::string fish_completion(std::span<const CommandDescription> commands) {
  std::string text = "# Made by 'lanewise completion fish'.\n";
  for (const CommandDescription& command : commands) {
    text += fmt::format("complete -c lanewise -n __fish_use_subcommand -f -a {} -d {}\n",
                        command.name, quoted(in_short(command.summary)));
    for (const OptionDescription& option : command.options) {
      if (option.word && listed_values(option, commands).empty()) continue;
      text += fish_line(command, option, commands);
    }
  }
  return text;
}

} // namespace lanewise::cli
