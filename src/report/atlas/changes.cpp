#include "report/atlas/changes.h"

#include <fmt/format.h>

#include <array>

#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

/// A number, or what stands in its place.
std::string figure(const AtlasJson& chip, const std::string& path) {
  const AtlasJson::json_pointer pointer(path);
  if (!chip.contains(pointer)) return "none";
  const AtlasJson& value = chip.at(pointer);
  if (value.is_array()) return std::to_string(value.size());
  if (value.is_number()) return ulp_text(value.get<double>(), 6);
  return value.is_string() ? value.get<std::string>() : "none";
}

struct Compared {
  const char *path, *name;
};
constexpr std::array kCompared{Compared{"/cycles", "cycles"},
                               Compared{"/init_cycles", "cycles of init"},
                               Compared{"/errors/ulp/largest", "largest error"},
                               Compared{"/errors/ulp/mean", "mean error"},
                               Compared{"/errors/ulp/lost", "lost results"},
                               Compared{"/hazards", "hazards"},
                               Compared{"/failure", "does not compile"}};

std::vector<std::string> chip_changes(const AtlasJson& before, const AtlasJson& now) {
  const std::string arch = now.at("arch");
  std::vector<std::string> texts;
  for (const Compared& each : kCompared) {
    const std::string old = figure(before, each.path), fresh = figure(now, each.path);
    if (old != fresh) texts.push_back(fmt::format("{}: {} {} → {}", arch, each.name, old, fresh));
  }
  if (texts.empty() && figure(before, "/words") != figure(now, "/words"))
    texts.push_back(fmt::format("{}: other words, the same figures", arch));
  return texts;
}

std::vector<std::string> item_changes(const AtlasJson& before, const AtlasJson& now) {
  std::vector<std::string> texts;
  for (const AtlasJson& chip : now.at("chips")) {
    const AtlasJson* old = entry_chip(before, chip.at("arch"));
    if (old == nullptr) {
      texts.push_back(chip.at("arch").get<std::string>() + ": new");
      continue;
    }
    for (std::string& text : chip_changes(*old, chip)) texts.push_back(std::move(text));
  }
  return texts;
}

AtlasChanges changes_of(const AtlasJson& earlier, const AtlasJson& now) {
  std::map<std::string, const AtlasJson*> before;
  for (const AtlasJson& entry : earlier.at("items")) before.emplace(item_name(entry), &entry);
  AtlasChanges changes;
  for (const AtlasJson& entry : now.at("items")) {
    const std::string name = item_name(entry);
    const auto found = before.find(name);
    std::vector<std::string> texts{"new"};
    if (found != before.end()) {
      texts = item_changes(*found->second, entry);
      before.erase(found);
    }
    if (!texts.empty()) changes.of_items.emplace(name, std::move(texts));
  }
  for (const auto& [name, entry] : before) changes.gone.push_back(name);
  return changes;
}

} // namespace

Expected<AtlasChanges> atlas_changes(const AtlasJson& earlier, const AtlasJson& now,
                                     const std::string& name) {
  constexpr const char* kRemedy = "name an atlas's folder, or its atlas.json";
  try {
    if (earlier.at("format") == kAtlasFormat && earlier.at("version") == kAtlasJsonVersion)
      return changes_of(earlier, now);
  } catch (const AtlasJson::exception&) { // a field is missing, or of another type
  }
  Unexpected fault = bad_input("this is no atlas of this version", kRemedy);
  fault.value().file = name;
  return fault;
}

} // namespace lanewise::report
