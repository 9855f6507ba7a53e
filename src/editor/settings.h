// What an editor says about programs beside their text: the options of the command line, by the
// same names.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "editor/text.h"

namespace lanewise::editor {

struct Settings {
  std::string arch = std::string(arch_params(kDefaultArch).names.id);
  std::string format = "bf16"; ///< of the tiles in Dst
  std::string syntax = "auto"; ///< of assembly
  std::string entry = "kernel", init = {}, faces = {}, sfpi = {}, compiled = {}, metal = {};
  std::vector<std::string> call = {}, include = {}, define = {};

  friend bool operator==(const Settings&, const Settings&) = default;
};

/// Takes over the members of {"arch": "wh", "include": ["dir"], ...}; a list may be one string.
/// null changes nothing. Error: BadInput for anything else, and for a name that is no setting; what
/// was read before it has been taken over.
Expected<void> read_settings(Settings& settings, const nlohmann::json& object);

/// Takes over a line of the text's first lines like
///   // lanewise: arch=wh format=fp32 call='f<true, 8>(8)'
/// which counts more than what the editor says; lists are made longer. Error: as above, with the
/// line.
Expected<void> read_settings_line(Settings& settings, const Text& text);

/// Whether the text has such a line.
bool has_settings_line(const Text& text);

/// These settings as words of the command line, without those that are as they are by default.
std::vector<std::string> command_line_words(const Settings& settings);

} // namespace lanewise::editor
