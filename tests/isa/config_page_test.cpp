// docs/configuration.md has every field of chip/isa/config.def, and its words and bits.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "chip/isa/config.h"
#include "project.h"

namespace lanewise::isa {
namespace {

/// A field on the page, with what its row says: word and bits on either chip.
struct PageField {
  std::string blackhole, wormhole;
  unsigned number = 0; ///< the i of its family
};

/// "A_SEC[0..1]_B[0..3]" as eight names; the last bracket is i, and of a family of two brackets
/// the words are those of the first section.
void add_names(const std::string& pattern, PageField field, bool has_words,
               std::map<std::string, PageField>& names) {
  static const std::regex kRange(R"(\[(\d+)\.\.(\d+)\])");
  std::smatch range;
  if (!std::regex_search(pattern, range, kRange)) {
    if (!has_words) field.blackhole = field.wormhole = "";
    names.emplace(pattern, field);
    return;
  }
  const bool is_thcon = pattern.starts_with("THCON_SEC[");
  for (int i = std::stoi(range[1]); i <= std::stoi(range[2]); ++i) {
    if (!is_thcon) field.number = static_cast<unsigned>(i);
    add_names(range.prefix().str() + std::to_string(i) + range.suffix().str(), field,
              has_words && (!is_thcon || i == 0), names);
  }
}

std::map<std::string, PageField> names_of_page() {
  std::ifstream page(in_project("docs/configuration.md"));
  EXPECT_TRUE(page.is_open());
  static const std::regex kRow(R"(^\| `([A-Za-z0-9_.\[\]]+)` \| ([^|]+) \| ([^|]+) \|.*)");
  std::map<std::string, PageField> names;
  for (std::string line; std::getline(page, line);) {
    std::smatch row;
    if (std::regex_match(line, row, kRow)) add_names(row[1], {row[2], row[3]}, true, names);
  }
  return names;
}

void expect_place(const ConfigPlace& place, Arch arch, const std::string& cell, unsigned number) {
  if (cell == "-") {
    EXPECT_FALSE(place.exists(arch)) << place.name;
    return;
  }
  static const std::regex kPlace(R"((\d+)( \+ i)? \[(\d+)(?::(\d+))?\])");
  std::smatch text;
  if (!place.exists(arch) || !std::regex_match(cell, text, kPlace)) return;
  const unsigned high = static_cast<unsigned>(std::stoul(text[3]));
  const unsigned low = text[4].matched ? static_cast<unsigned>(std::stoul(text[4])) : high;
  EXPECT_EQ(place.on(arch).word, std::stoul(text[1]) + (text[2].matched ? number : 0))
      << place.name;
  EXPECT_EQ(place.on(arch).high, high) << place.name;
  EXPECT_EQ(place.on(arch).low, low) << place.name;
}

TEST(ConfigurationPage, HasEveryFieldWithItsPlace) {
  const auto names = names_of_page();
  for (const ConfigPlace& place : kConfigFields) {
    if (place.scope == ConfigScope::Debug) continue; // a section of its own
    const auto found = names.find(std::string(place.name));
    if (found == names.end()) {
      ADD_FAILURE() << place.name << " is not on docs/configuration.md";
      continue;
    }
    const PageField& field = found->second;
    if (field.blackhole.empty()) continue;
    expect_place(place, Arch::Blackhole, field.blackhole, field.number);
    expect_place(place, Arch::Wormhole, field.wormhole, field.number);
  }
}

TEST(ConfigurationPage, HasNoOther) {
  std::set<std::string_view> known;
  for (const ConfigPlace& place : kConfigFields) known.insert(place.name);
  for (const auto& [name, field] : names_of_page()) {
    const bool is_field = field.blackhole.empty() || name.find('_') != std::string::npos;
    const bool is_lane_switch = name.starts_with("ENABLE_") || name.starts_with("DISABLE_BACK");
    if (is_field && !is_lane_switch && !known.contains(name) &&
        std::isdigit(static_cast<unsigned char>(field.blackhole[0])) != 0)
      ADD_FAILURE() << name << " is no field";
  }
}

} // namespace
} // namespace lanewise::isa
