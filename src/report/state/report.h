// What calls of LLK leave behind, and how two ways to a state differ: text, Markdown, JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "chip/isa/arch.h"
#include "chip/tile/state_fields.h"
#include "run/section/state_calls.h"

namespace lanewise::report {

/// One way to a state.
struct StateWay {
  std::string name;
  std::vector<section::StateStep> steps;
  std::vector<tile::StateField> start; ///< of the tile; what it ends with, too, without steps
};

/// A field that two ways leave differently.
struct StateDifference {
  tile::FieldChange field; ///< before: at the end of the first way, after: of the second
  /// The call of each way that wrote it last, from 0; none: it is as at the start.
  std::optional<std::size_t> first_left_by, second_left_by;
};

struct StateReport {
  Arch arch = kDefaultArch;
  std::string file;                       ///< of the test; "" for calls
  std::vector<StateWay> ways;             ///< one, or two that are compared
  std::vector<tile::StateKind> only = {}; ///< kinds that are shown and compared; empty: all
};

/// Fields that stay different at the end, in the order of state_fields(). Precondition: two ways.
std::vector<StateDifference> state_differences(const StateReport& report);

/// Changes of which neighbouring lanes and columns with the same values are one.
std::vector<tile::FieldChange> joined_changes(std::vector<tile::FieldChange> changes);

std::string state_text(const StateReport& report);
std::string state_markdown(const StateReport& report);
nlohmann::json state_json(const StateReport& report);

} // namespace lanewise::report
