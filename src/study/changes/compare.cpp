#include "study/changes/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "study/changes/elements.h"

namespace lanewise::changes {
namespace {

/// L1 as a case leaves it, for looks at single places.
class Memory {
 public:
  Memory(const TestCase& of, const Outcome& outcome) {
    put(of.inputs);
    put(outcome.written);
  }

  std::uint8_t at(std::uint32_t address) const {
    const auto page = pages_.find(address / kPage);
    return page == pages_.end() ? 0 : page->second[address % kPage];
  }

  std::vector<std::uint8_t> bytes(std::uint32_t address, std::size_t count) const {
    std::vector<std::uint8_t> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = at(static_cast<std::uint32_t>(address + i));
    return all;
  }

 private:
  static constexpr std::uint32_t kPage = 1024;

  void put(const std::vector<tile::L1Input>& parts) {
    for (const tile::L1Input& part : parts) {
      for (std::size_t i = 0; i < part.bytes.size(); ++i) {
        const auto address = static_cast<std::uint32_t>(part.address + i);
        pages_[address / kPage][address % kPage] = static_cast<std::uint8_t>(part.bytes[i]);
      }
    }
  }

  std::map<std::uint32_t, std::array<std::uint8_t, kPage>> pages_;
};

bool same_inputs(const TestCase& first, const TestCase& second) {
  return std::ranges::equal(first.inputs, second.inputs, [](const auto& a, const auto& b) {
    return a.address == b.address && a.bytes == b.bytes;
  });
}

std::string value_text(const Element& element) {
  if (!element.value) return fmt::format("0x{:X}", element.bits);
  return fmt::format("{:.9g}", *element.value);
}

/// The distance of two elements goes into the largest ones.
void add_distance(ElementChanges& changes, const Element& before, const Element& after) {
  if (!before.value || !after.value) return;
  const bool was = std::isfinite(*before.value), is = std::isfinite(*after.value);
  if (was != is) ++changes.lost;
  if (!was || !is) return;
  changes.largest_absolute =
      std::max(changes.largest_absolute, std::abs(*after.value - *before.value));
  if (before.order && after.order) {
    const auto distance = static_cast<std::uint64_t>(std::abs(*after.order - *before.order));
    changes.largest_ulp = std::max(changes.largest_ulp, distance);
  }
}

std::optional<ElementChanges> compare_elements(const ResultPlace& place, const Memory& before,
                                               const Memory& after) {
  const ElementReader reader(place);
  ElementChanges changes;
  changes.face_columns = place.face_columns;
  changes.tiles = place.tiles;
  const unsigned face_rows = (place.faces + place.face_columns - 1) / place.face_columns;
  changes.faces.resize(place.faces);
  changes.rows.resize(std::size_t{face_rows} * place.face_rows);
  changes.columns.resize(std::size_t{place.face_columns} * kFaceColumns);
  for (unsigned tile = 0; tile < place.tiles; ++tile) {
    const auto address = place.address + tile * place.tile_bytes;
    const auto old_bytes = before.bytes(address, reader.bytes());
    const auto new_bytes = after.bytes(address, reader.bytes());
    changes.elements += reader.elements();
    if (old_bytes == new_bytes) continue;
    bool is_changed = false;
    for (unsigned i = 0; i < reader.elements(); ++i) {
      const Element old_one = reader.element(old_bytes, i), new_one = reader.element(new_bytes, i);
      if (old_one.bits == new_one.bits) continue;
      is_changed = true;
      const ElementPlace at = reader.place(i);
      if (changes.changed == 0) {
        changes.first = fmt::format("tile {}, row {}, column {}: {} becomes {}", tile, at.row,
                                    at.column, value_text(old_one), value_text(new_one));
      }
      ++changes.changed;
      ++changes.faces[at.face];
      ++changes.rows[at.row];
      ++changes.columns[at.column];
      add_distance(changes, old_one, new_one);
    }
    changes.tiles_changed += is_changed ? 1 : 0;
  }
  if (changes.changed == 0) return std::nullopt;
  return changes;
}

/// Bytes that a run has written beside the results, and that are not the same after both.
void compare_other_bytes(CaseDifference& difference, const std::optional<ResultPlace>& results,
                         const Outcome& old_one, const Outcome& new_one, const Memory& before,
                         const Memory& after) {
  std::map<std::uint32_t, bool> seen;
  const auto is_result = [&](std::uint32_t address) {
    return results && address >= results->address &&
           address - results->address < results->tiles * results->tile_bytes;
  };
  for (const auto* outcome : {&old_one, &new_one}) {
    for (const tile::L1Input& part : outcome->written) {
      for (std::size_t i = 0; i < part.bytes.size(); ++i) {
        const auto address = static_cast<std::uint32_t>(part.address + i);
        if (!is_result(address) && before.at(address) != after.at(address)) seen[address] = true;
      }
    }
  }
  difference.other_bytes = seen.size();
  if (!seen.empty()) difference.first_other = seen.begin()->first;
}

/// What of `these` is not in `those`, each as often as it is there more.
std::vector<Finding> without(const std::vector<Finding>& these, const std::vector<Finding>& those) {
  std::map<std::string, std::size_t> left;
  for (const Finding& each : those) ++left[each.what];
  std::vector<Finding> found;
  for (const Finding& each : these) {
    auto& count = left[each.what];
    if (count == 0) {
      found.push_back(each);
    } else {
      --count;
    }
  }
  return found;
}

std::vector<StateChange> compare_state(const section::EndState& before,
                                       const section::EndState& after) {
  std::map<std::string, StateChange> all;
  for (const auto& [name, value] : before) all[name].before = value;
  for (const auto& [name, value] : after) all[name].after = value;
  std::vector<StateChange> changes;
  for (auto& [name, change] : all) {
    if (change.before != change.after) changes.push_back({name, change.before, change.after});
  }
  return changes;
}

std::vector<CyclesChange> compare_cycles(const Outcome& before, const Outcome& after) {
  std::map<std::string, CyclesChange> all;
  for (const auto& [name, cycles] : before.cycles) all[name].before = cycles;
  for (const auto& [name, cycles] : after.cycles) all[name].after = cycles;
  std::vector<CyclesChange> changes;
  for (auto& [name, change] : all) {
    if (change.before != change.after) changes.push_back({name, change.before, change.after});
  }
  return changes;
}

void compare_runs(CaseDifference& difference, const TestCase& first, const Outcome& before,
                  const TestCase& second, const Outcome& after) {
  const Memory old_memory(first, before), new_memory(second, after);
  const bool same_place = first.result == second.result;
  if (first.result && same_place)
    difference.results = compare_elements(*first.result, old_memory, new_memory);
  // Bytes of results that moved no number, such as an exponent of zeros, are bytes of L1.
  compare_other_bytes(difference, difference.results ? first.result : std::nullopt, before, after,
                      old_memory, new_memory);
  if (before.ends != after.ends) {
    difference.ends_before = before.ends;
    difference.ends_after = after.ends;
  }
  difference.new_findings = without(after.findings, before.findings);
  difference.gone_findings = without(before.findings, after.findings);
  difference.cycles = compare_cycles(before, after);
  difference.state = compare_state(before.state, after.state);
  const bool moved = difference.has_results_moved() || before.ends != after.ends ||
                     !difference.new_findings.empty() || !difference.gone_findings.empty() ||
                     before.executed != after.executed || !difference.cycles.empty() ||
                     !difference.state.empty();
  difference.verdict = moved ? Verdict::Moved : Verdict::Same;
}

/// "0", "0 and 2", "0 to 15", "0, 4 and 8 to 11".
std::string numbers_text(const std::vector<std::uint64_t>& counts, std::string_view prefix = "") {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    std::size_t end = i;
    while (end + 1 < counts.size() && counts[end + 1] != 0) ++end;
    if (end > i + 1) {
      parts.push_back(fmt::format("{0}{1} to {0}{2}", prefix, i, end));
    } else {
      for (std::size_t k = i; k <= end; ++k) parts.push_back(fmt::format("{}{}", prefix, k));
    }
    i = end;
  }
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

std::size_t counted(const std::vector<std::uint64_t>& counts) {
  return static_cast<std::size_t>(
      std::ranges::count_if(counts, [](std::uint64_t each) { return each != 0; }));
}

} // namespace

void share_tiles(const TestCase& first, TestCase& second) {
  if (!first.result || first.result != second.result || first.result->address < kTilesAddress)
    return;
  std::vector<tile::L1Input> inputs;
  // The part of each input on one side of the border.
  const auto take = [&](const std::vector<tile::L1Input>& from, bool tiles) {
    for (const tile::L1Input& part : from) {
      const std::uint64_t begin = part.address, end = begin + part.bytes.size();
      const std::uint64_t border = std::clamp<std::uint64_t>(kTilesAddress, begin, end);
      const std::uint64_t first_byte = tiles ? border : begin, last_byte = tiles ? end : border;
      if (first_byte == last_byte) continue;
      inputs.push_back(
          {.address = static_cast<std::uint32_t>(first_byte),
           .bytes = {part.bytes.begin() + static_cast<std::ptrdiff_t>(first_byte - begin),
                     part.bytes.begin() + static_cast<std::ptrdiff_t>(last_byte - begin)}});
    }
  };
  take(second.inputs, false);
  take(first.inputs, true);
  // As they were, where nothing is another.
  if (!same_inputs(first, second)) second.inputs = std::move(inputs);
}

bool is_difference(Verdict verdict) {
  return verdict == Verdict::Moved || verdict == Verdict::FailsBefore ||
         verdict == Verdict::FailsAfter;
}

CaseDifference compare(const TestCase& first, const Outcome& before, const TestCase& second,
                       const Outcome& after) {
  CaseDifference difference{.kind = first.kind,
                            .arch = first.arch,
                            .id = first.id,
                            .group = first.group,
                            .source = first.source,
                            .parameters = first.parameters,
                            .error_before = before.error,
                            .error_after = after.error};
  difference.inputs_differ = !same_inputs(first, second);
  difference.executed_before = before.executed;
  difference.executed_after = after.executed;
  if (!before.error.empty() || !after.error.empty()) {
    difference.verdict = before.error.empty()  ? Verdict::FailsAfter
                         : after.error.empty() ? Verdict::FailsBefore
                                               : Verdict::FailsBoth;
    return difference;
  }
  if (!difference.inputs_differ && !before.texts.empty() && before.texts == after.texts) {
    difference.verdict = Verdict::NotReached;
    return difference;
  }
  compare_runs(difference, first, before, second, after);
  return difference;
}

std::string places_text(const ElementChanges& changes) {
  std::uint64_t right = 0, left = 0;
  for (std::size_t face = 0; face < changes.faces.size(); ++face) {
    const bool is_right = changes.face_columns > 1 && face % changes.face_columns != 0;
    (is_right ? right : left) += changes.faces[face];
  }
  const std::size_t faces = counted(changes.faces);
  std::string text =
      faces == changes.faces.size() && faces > 1
          ? "all faces"
          : fmt::format("face{} {}", faces == 1 ? "" : "s", numbers_text(changes.faces, "F"));
  if (changes.face_columns > 1 && left == 0) text += " (right-hand faces only)";
  if (changes.face_columns > 1 && right == 0) text += " (left-hand faces only)";
  const auto add = [&](std::string_view what, const std::vector<std::uint64_t>& counts) {
    const std::size_t count = counted(counts);
    if (count == counts.size() && count > 1) return;
    text += fmt::format(", {}{} {}", what, count == 1 ? "" : "s", numbers_text(counts));
  };
  add("row", changes.rows);
  add("column", changes.columns);
  return text;
}

} // namespace lanewise::changes
