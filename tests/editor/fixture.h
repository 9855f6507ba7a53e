// Documents for the tests of this room.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "editor/questions.h"

namespace lanewise::test {

/// As the command line would make it: nothing but what the name and the settings say.
inline Expected<execution::ProgramFile> plain_file(const std::string& name,
                                                   const editor::Settings& settings, Arch) {
  execution::ProgramFile file{.name = name};
  file.kernel.file = name;
  file.kernel.calls = settings.call;
  file.kernel.entry = settings.entry;
  return file;
}

/// A document with everything that was made of it.
struct Opened {
  Opened(const std::string& name, const std::string& text, editor::Settings given = {})
      : settings(std::move(given)),
        document(editor::make_document("file:///" + name, "", 1, text)),
        analyser(plain_file),
        analysis(analyser.analyse(document, settings)) {}

  Arch arch() const { return analysis.arch; }
  std::string hover_text(std::uint32_t line, std::uint32_t character) const {
    const nlohmann::json told = editor::hover(document, analysis, {line, character});
    return told.is_null() ? "" : told["contents"]["value"].get<std::string>();
  }
  std::vector<editor::Mend> mends() {
    return editor::mends(document, analysis, whole(), analyser, settings);
  }
  editor::Range whole() const { return {{0, 0}, {document.text.lines(), 0}}; }

  editor::Settings settings;
  editor::Document document;
  editor::Analyser analyser;
  editor::Analysis analysis;
};

inline editor::Settings for_chip(Arch arch) {
  return {.arch = std::string(arch_params(arch).names.id)};
}

/// A result of SFPMAD that is read in the next cycle: a hazard on Wormhole, a stall on Blackhole.
inline constexpr const char* kRow =
    "SFPLOAD L0, 0, 3, 0\n  SFPMAD L0, L0, L10, L1, 0 // ü\n  SFPSTORE L1, 0, 3, 0\n";

} // namespace lanewise::test
