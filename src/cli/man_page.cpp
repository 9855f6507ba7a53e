#include "cli/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/version.h"

namespace lanewise::cli {

namespace {

constexpr std::string_view kCopyExactly = ".nf\n", kFillAgain = ".fi\n";

/// What man would take as its own is written so that it prints it; a hyphen can be copied.
std::string escaped(std::string_view text) {
  std::string result;
  bool begins_line = true;
  for (const char letter : text) {
    if (begins_line && (letter == '.' || letter == '\'')) result += "\\&";
    if (letter == '\\') {
      result += "\\e";
    } else if (letter == '-') {
      result += "\\-";
    } else {
      result += letter;
    }
    begins_line = letter == '\n';
  }
  return result;
}

std::string heading(std::string_view page) {
  std::string title(page);
  std::ranges::transform(title, title.begin(),
                         [](unsigned char letter) { return std::toupper(letter); });
  return fmt::format(".TH {} 1 \"\" \"lanewise {}\" \"Lanewise\"\n", escaped(title), version());
}

/// The text, whose lines stay apart if there are several.
std::string paragraph(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return escaped(text) + "\n";
  return fmt::format("{}\n{}{}\n{}", escaped(text.substr(0, end)), kCopyExactly,
                     escaped(text.substr(end + 1)), kFillAgain);
}

std::string option_entry(const OptionDescription& option) {
  return fmt::format(".TP\n.B {}\n{}", escaped(option.form()), paragraph(option.help));
}

} // namespace

std::string man_name(const CommandDescription& command) {
  return "lanewise-" + command.name;
}

std::string man_page(const CommandDescription& command) {
  const std::string name = man_name(command);
  std::string page = heading(name);
  page += fmt::format(".SH NAME\n{} \\- {}\n", escaped(name), escaped(command.summary));
  page += fmt::format(".SH SYNOPSIS\n.B {}\n", escaped(command.usage()));
  page += ".SH OPTIONS\n";
  for (const OptionGroup& group : groups_of(command)) {
    if (group.heading != "Options") page += fmt::format(".SS {}\n", escaped(group.heading));
    for (const OptionDescription* option : group.options) page += option_entry(*option);
  }
  if (!command.footer.empty()) page += ".SH NOTES\n" + paragraph(command.footer);
  return page + ".SH SEE ALSO\n.BR lanewise (1)\n";
}

std::string man_page(std::string_view tasks, std::span<const CommandDescription> commands) {
  const std::string_view summary = tasks.substr(0, tasks.find('\n'));
  const std::string_view rest = tasks.substr(summary.size() + 2);
  std::string page = heading("lanewise");
  page += fmt::format(".SH NAME\nlanewise \\- {}\n",
                      escaped(summary.substr(std::string_view("Lanewise: ").size())));
  page += ".SH SYNOPSIS\n.B lanewise\n.I command\n[options]\n";
  page += fmt::format(".SH DESCRIPTION\n{}{}{}", kCopyExactly, escaped(rest), kFillAgain);
  page += ".SH COMMANDS\n";
  for (const CommandDescription& command : commands)
    page +=
        fmt::format(".TP\n.BR {} (1)\n{}", escaped(man_name(command)), paragraph(command.summary));
  return page;
}

} // namespace lanewise::cli
