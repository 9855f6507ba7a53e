#include "editor/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/in_quotes.h"
#include "base/near_names.h"

namespace lanewise::editor {

namespace {

using nlohmann::json;

constexpr std::string_view kMark = "lanewise:";
constexpr std::uint32_t kFirstLines = 20;

/// A setting, and where it is kept: one value, or a list.
struct SettingPlace {
  std::string_view name;
  std::string Settings::*value;
  std::vector<std::string> Settings::*list;
};

constexpr std::array kSettings{SettingPlace{"arch", &Settings::arch, nullptr},
                               SettingPlace{"format", &Settings::format, nullptr},
                               SettingPlace{"syntax", &Settings::syntax, nullptr},
                               SettingPlace{"entry", &Settings::entry, nullptr},
                               SettingPlace{"init", &Settings::init, nullptr},
                               SettingPlace{"faces", &Settings::faces, nullptr},
                               SettingPlace{"sfpi", &Settings::sfpi, nullptr},
                               SettingPlace{"compiled", &Settings::compiled, nullptr},
                               SettingPlace{"metal", &Settings::metal, nullptr},
                               SettingPlace{"call", nullptr, &Settings::call},
                               SettingPlace{"include", nullptr, &Settings::include},
                               SettingPlace{"define", nullptr, &Settings::define}};

Expected<const SettingPlace*> setting_place(std::string_view name) {
  const auto found = std::ranges::find(kSettings, name, &SettingPlace::name);
  if (found != kSettings.end()) return &*found;
  std::vector<std::string_view> names;
  names.reserve(kSettings.size());
  for (const SettingPlace& each : kSettings) names.push_back(each.name);
  const auto near = near_names(name, names);
  return bad_input(fmt::format("there is no setting {}", in_quotes(name)),
                   near.empty() ? "docs/editor.md lists the settings"
                                : fmt::format("did you mean {}?", near.front()));
}

Expected<std::string> text_of(const json& value, std::string_view name) {
  if (value.is_string()) return value.get<std::string>();
  return bad_input(fmt::format("the setting {} is no text", in_quotes(name)), "give a string");
}

Expected<void> set_list(std::vector<std::string>& list, const json& value, std::string_view name) {
  list.clear();
  for (const json& each : value.is_array() ? value : json::array({value})) {
    auto text = text_of(each, name);
    if (!text) return Unexpected(text.error());
    list.push_back(std::move(*text));
  }
  return {};
}

/// What stands behind the mark in one of the first lines.
struct SettingsLine {
  std::uint32_t line = 0;
  std::string_view rest;
};

std::optional<SettingsLine> settings_line(const Text& text) {
  for (std::uint32_t i = 0; i < std::min(text.lines(), kFirstLines); ++i) {
    const std::string_view line = text.line(i);
    const std::size_t mark = line.find(kMark);
    if (mark != std::string_view::npos) return SettingsLine{i, line.substr(mark + kMark.size())};
  }
  return std::nullopt;
}

/// Takes NAME=VALUE, whose value may be in quotes of either kind, from the front. Nothing at the
/// end of the line, and where a comment in C ends.
std::optional<std::pair<std::string_view, std::string_view>> take_pair(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(" \t")));
  if (rest.empty() || rest.starts_with("*/")) return std::nullopt;
  const std::size_t name_end = rest.find_first_of("= \t");
  const std::string_view name = rest.substr(0, name_end);
  rest.remove_prefix(name.size());
  if (!rest.starts_with('=')) return std::pair{name, std::string_view()};
  rest.remove_prefix(1);
  const bool quoted = rest.starts_with('\'') || rest.starts_with('"');
  const std::string_view ends = quoted ? rest.substr(0, 1) : std::string_view(" \t");
  if (quoted) rest.remove_prefix(1);
  const std::string_view value = rest.substr(0, rest.find_first_of(ends));
  rest.remove_prefix(std::min(rest.size(), value.size() + (quoted ? 1 : 0)));
  return std::pair{name, value};
}

} // namespace

Expected<void> read_settings(Settings& settings, const json& object) {
  if (object.is_null()) return {};
  if (!object.is_object())
    return bad_input("the settings are no JSON object", "docs/editor.md lists the settings");
  for (const auto& [name, value] : object.items()) {
    const auto place = setting_place(name);
    if (!place) return Unexpected(place.error());
    if ((*place)->list != nullptr) {
      if (auto set = set_list(settings.*(*place)->list, value, name); !set) return set;
      continue;
    }
    auto text = text_of(value, name);
    if (!text) return Unexpected(text.error());
    settings.*(*place)->value = std::move(*text);
  }
  return {};
}

bool has_settings_line(const Text& text) {
  return settings_line(text).has_value();
}

Expected<void> read_settings_line(Settings& settings, const Text& text) {
  auto line = settings_line(text);
  if (!line) return {};
  while (const auto pair = take_pair(line->rest)) {
    const auto place = setting_place(pair->first);
    if (!place) {
      Fault fault = place.error();
      fault.line = line->line + 1;
      return Unexpected(std::move(fault));
    }
    if ((*place)->list != nullptr) {
      (settings.*(*place)->list).emplace_back(pair->second);
    } else {
      settings.*(*place)->value = pair->second;
    }
  }
  return {};
}

std::vector<std::string> command_line_words(const Settings& settings) {
  const Settings defaults;
  std::vector<std::string> words;
  for (const SettingPlace& each : kSettings) {
    const std::string option = fmt::format("--{}", each.name);
    if (each.value != nullptr && settings.*each.value != defaults.*each.value)
      words.insert(words.end(), {option, settings.*each.value});
    if (each.list == nullptr) continue;
    for (const std::string& value : settings.*each.list) words.insert(words.end(), {option, value});
  }
  return words;
}

} // namespace lanewise::editor
