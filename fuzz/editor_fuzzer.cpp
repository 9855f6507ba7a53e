// What an editor sends to 'lanewise lsp': frames of a stream, and a document of any kind, of which
// everything is asked that needs no program. The first byte chooses the kind and the chip.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "editor/frames.h"
#include "editor/questions.h"
#include "editor/settings.h"
#include "editor/statements.h"

namespace {

using namespace lanewise;

/// Where a stream is cut does not matter.
void cut_frames(std::string_view stream) {
  editor::FrameReader whole, bytes;
  const auto expected = whole.feed(stream);
  std::vector<Expected<std::string>> found;
  for (const char byte : stream) {
    for (auto& each : bytes.feed({&byte, 1})) found.push_back(std::move(each));
  }
  if (found != expected || whole.is_between() != bytes.is_between()) std::abort();
}

void ask(const editor::Document& document, Arch arch) {
  const editor::Analysis nothing{.arch = arch, .dialect = editor::dialect_of(document)};
  editor::Settings settings;
  (void)editor::read_settings_line(settings, document.text);
  (void)editor::semantic_tokens(document, arch);
  (void)editor::code_lenses(document, settings);
  // The first line, the last, and the ends and the middle of each.
  for (const std::uint32_t line : {0U, document.text.lines() - 1}) {
    const std::size_t bytes = document.text.line(line).size();
    for (const std::size_t byte : {std::size_t{0}, bytes / 2, bytes}) {
      const editor::Position position = document.text.position(line, byte);
      if (document.text.byte_of(position) > byte) std::abort();
      (void)editor::hover(document, nothing, position);
      (void)editor::definition(document, nothing, position);
      if (byte == bytes) (void)editor::completion(document, arch, position);
    }
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array kNames{"file:///a.tt", "file:///a.s", "file:///a.cpp", "file:///a.hex"};
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const char* const name = kNames[data[0] % kNames.size()];
  cut_frames(text);
  ask(editor::make_document(name, "", 1, text), kArchs[data[0] / kNames.size() % kArchs.size()]);
  return 0;
}
