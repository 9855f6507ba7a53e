#include "cli/description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lanewise::cli {

std::string OptionDescription::form() const {
  std::string text = fmt::format("{}", fmt::join(names, ","));
  if (!value.empty() && !word) text += " " + value;
  return repeatable ? text + " ..." : text;
}

std::vector<std::string> OptionDescription::choices() const {
  std::vector<std::string> values;
  if (value.find('|') == std::string::npos) return values;
  for (std::size_t from = 0; from <= value.size();) {
    const std::size_t end = std::min(value.find('|', from), value.size());
    values.push_back(value.substr(from, end - from));
    from = end + 1;
  }
  return values;
}

std::string CommandDescription::usage() const {
  std::string text = fmt::format("lanewise {} [options]", name);
  for (const OptionDescription& option : options) {
    if (!option.word) continue;
    text += option.required ? " " + option.form() : fmt::format(" [{}]", option.form());
  }
  return text;
}

std::vector<OptionGroup> groups_of(const CommandDescription& command) {
  std::vector<OptionGroup> groups;
  const auto add = [&groups](const OptionDescription& option, const std::string& heading) {
    auto group = std::ranges::find(groups, heading, &OptionGroup::heading);
    if (group == groups.end()) {
      groups.push_back({.heading = heading, .more = option.more, .options = {}});
      group = groups.end() - 1;
    }
    group->options.push_back(&option);
  };
  for (const OptionDescription& option : command.options)
    if (option.word) add(option, "Words");
  for (const OptionDescription& option : command.options)
    if (!option.word) add(option, option.group.empty() ? "Options" : option.group);
  return groups;
}

} // namespace lanewise::cli
