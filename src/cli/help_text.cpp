#include "cli/help_text.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "cli/colour.h"

namespace lanewise::cli {

namespace {

/// Where the text of an option begins, if its form leaves room.
constexpr std::size_t kHelpColumn = 26;
constexpr std::size_t kLeastColumns = 60, kMostColumns = 110;

/// Adds `text` to the last line of `page`, which is `used` columns long; its further lines begin at
/// column `indent`. Where it has lines of its own, those behind the first, a table, stay as they
/// are.
void add_wrapped(std::string& page, std::string_view text, std::size_t used, std::size_t indent,
                 std::size_t columns) {
  const std::string margin = "\n" + std::string(indent, ' ');
  const std::size_t end_of_first = std::min(text.find('\n'), text.size());
  std::string_view words = text.substr(0, end_of_first);
  bool begins_line = true;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    if (!begins_line && used + 1 + word.size() > columns) {
      page += margin;
      used = indent;
    } else if (!begins_line) {
      page += ' ';
      ++used;
    }
    page += word;
    used += word.size();
    begins_line = false;
    words.remove_prefix(std::min(word.size() + 1, words.size()));
  }
  for (std::string_view rest = text.substr(end_of_first); !rest.empty();) {
    const std::string_view line = rest.substr(1, rest.find('\n', 1) - 1);
    page += margin;
    page += line;
    rest.remove_prefix(line.size() + 1);
  }
}

std::string help_of(const OptionDescription& option) {
  std::string text = option.help;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (std::size_t i = 0; i < option.excludes.size(); ++i)
    text += fmt::format("{} {}", i == 0 ? "; not with" : ",", option.excludes[i]);
  return text;
}

void add_option(std::string& page, const OptionDescription& option, std::size_t columns) {
  std::string form = "  " + option.form();
  std::size_t used = form.size();
  if (used + 2 > kHelpColumn) {
    form += '\n';
    used = 0;
  }
  page += form + std::string(kHelpColumn - used, ' ');
  add_wrapped(page, help_of(option), kHelpColumn, kHelpColumn, columns);
  page += '\n';
}

/// No line ends with spaces.
std::string without_trailing_spaces(std::string_view page) {
  std::string result;
  for (const char letter : page) {
    if (letter == '\n') result.erase(result.find_last_not_of(' ') + 1);
    result += letter;
  }
  return result;
}

/// "--call --init --entry".
std::string names_of(const OptionGroup& group) {
  std::string names;
  for (const OptionDescription* option : group.options)
    names += (names.empty() ? "" : " ") + option->long_name();
  return names;
}

void add_more(std::string& page, std::span<const OptionGroup> groups, std::size_t columns) {
  bool is_first = true;
  for (const OptionGroup& group : groups) {
    if (!group.more) continue;
    if (is_first) page += "\nMore, which --help-all explains:\n";
    is_first = false;
    page += "  ";
    add_wrapped(page, fmt::format("{}: {}", group.heading, names_of(group)), 2, 4, columns);
    page += '\n';
  }
}

} // namespace

std::string help_text(const CommandDescription& command, HelpDepth depth, std::size_t columns) {
  std::string page;
  add_wrapped(page, command.summary, 0, 0, columns);
  page += "\n\nUsage: ";
  add_wrapped(page, command.usage(), 7, 7, columns);
  page += '\n';
  const std::vector<OptionGroup> groups = groups_of(command);
  for (const OptionGroup& group : groups) {
    if (group.more && depth == HelpDepth::Short) continue;
    page += fmt::format("\n{}:\n", group.heading);
    for (const OptionDescription* option : group.options) add_option(page, *option, columns);
  }
  if (depth == HelpDepth::Short) add_more(page, groups, columns);
  if (!command.footer.empty()) {
    page += '\n';
    add_wrapped(page, command.footer, 0, 0, columns);
    page += '\n';
  }
  return without_trailing_spaces(page);
}

std::string help_text(std::span<const CommandDescription> commands, std::size_t columns) {
  std::string pages;
  for (const CommandDescription& command : commands) {
    if (!pages.empty()) pages += "\n" + std::string(columns, '-') + "\n\n";
    pages += help_text(command, HelpDepth::Whole, columns);
  }
  return pages;
}

void print_help(std::string_view text) {
  if (takes_colours(STDOUT_FILENO)) {
    fmt::print("{}", painted_help(text));
  } else {
    fmt::print("{}", text);
  }
}

std::size_t help_columns() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kMostColumns;
  return std::clamp<std::size_t>(size.ws_col, kLeastColumns, kMostColumns);
}

} // namespace lanewise::cli
