// Positions in code units of UTF-16, settings, and frames of messages.
#include "editor/text.h"

#include <gtest/gtest.h>

#include "editor/document.h"
#include "editor/frames.h"
#include "editor/settings.h"

namespace lanewise {
namespace {

using editor::FrameReader;
using editor::Position;
using editor::Settings;
using editor::Text;

TEST(EditorText, ColumnsAreCodeUnitsOfUtf16) {
  // One byte, two, three, and four, which are two units.
  const Text text("a\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80z\nb");
  constexpr std::array<std::pair<std::size_t, std::uint32_t>, 6> kPlaces{
      {{0, 0}, {1, 1}, {3, 2}, {6, 3}, {10, 5}, {11, 6}}};
  for (const auto& [byte, unit] : kPlaces) {
    EXPECT_EQ(text.position(0, byte), (Position{0, unit}));
    EXPECT_EQ(text.byte_of({0, unit}), byte);
  }
  EXPECT_EQ(text.byte_of({0, 4}), 6U); // in the middle of the last one
  EXPECT_EQ(text.byte_of({0, 99}), 11U);
  EXPECT_EQ(text.position(0, 99), (Position{0, 6}));
  EXPECT_EQ(text.byte_of({9, 3}), 0U);
}

TEST(EditorText, BytesThatAreNoCharacterCountAsOne) {
  const Text text("\x80\xC3x\xF0\x9F");
  EXPECT_EQ(text.position(0, 2), (Position{0, 2}));
  EXPECT_EQ(text.byte_of({0, 3}), 3U);
}

TEST(EditorText, LinesHaveNoEnds) {
  const Text text("  a \r\n\n\tb");
  ASSERT_EQ(text.lines(), 3U);
  EXPECT_EQ(text.line(0), "  a ");
  EXPECT_EQ(text.line(1), "");
  EXPECT_EQ(text.line(2), "\tb");
  EXPECT_EQ(text.line(7), "");
  EXPECT_EQ(text.content_of(0), (editor::Range{{0, 2}, {0, 3}}));
  EXPECT_EQ(text.content_of(1), (editor::Range{{1, 0}, {1, 0}}));
  EXPECT_EQ(Text("a\n").lines(), 2U);
}

TEST(EditorFrames, AreCutWhereverTheStreamIs) {
  const std::string stream = editor::frame("{}") + editor::frame("") + editor::frame("\r\n\r\n[1]");
  for (std::size_t step = 1; step <= stream.size(); ++step) {
    FrameReader reader;
    std::vector<std::string> found;
    for (std::size_t at = 0; at < stream.size(); at += step) {
      for (const auto& content : reader.feed(stream.substr(at, step)))
        found.push_back(content.value());
    }
    EXPECT_EQ(found, (std::vector<std::string>{"{}", "", "\r\n\r\n[1]"})) << step;
    EXPECT_TRUE(reader.is_between());
  }
}

TEST(EditorFrames, OtherFieldsAndCaseDoNotMatter) {
  FrameReader reader;
  const auto found = reader.feed("Content-Type: x\r\ncontent-length:2\r\n\r\n{}");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].value(), "{}");
}

TEST(EditorFrames, WhatIsNoMessageIsToldAndPassedOver) {
  for (const char* header : {"X: 1", "Content-Length: x", "Content-Length:", "Content-Length: -2",
                             "Content-Length: 2 ", "Content-Length: 99999999999999999999999"}) {
    FrameReader reader;
    const auto found = reader.feed(std::string(header) + "\r\n\r\n" + editor::frame("{}"));
    ASSERT_EQ(found.size(), 2U) << header;
    EXPECT_FALSE(found[0]) << header;
    EXPECT_EQ(found[1].value(), "{}") << header;
  }
}

TEST(EditorFrames, LargeOnesArePassedOver) {
  FrameReader reader;
  const std::size_t size = FrameReader::kLargest + 1;
  EXPECT_FALSE(reader.feed("Content-Length: " + std::to_string(size) + "\r\n\r\n").front());
  EXPECT_FALSE(reader.is_between());
  const auto found = reader.feed(std::string(size, 'x') + editor::frame("{}"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].value(), "{}");
  const auto endless = reader.feed(std::string(FrameReader::kLargestHeader + 1, 'x'));
  ASSERT_EQ(endless.size(), 1U);
  EXPECT_FALSE(endless[0]);
}

TEST(EditorSettings, AreThoseOfTheCommandLine) {
  Settings settings;
  ASSERT_TRUE(editor::read_settings(
      settings, {{"arch", "wh"}, {"include", {"a", "b"}}, {"call", "f<true, 8>(8)"}}));
  EXPECT_EQ(settings.arch, "wh");
  EXPECT_EQ(editor::command_line_words(settings),
            (std::vector<std::string>{"--arch", "wh", "--call", "f<true, 8>(8)", "--include", "a",
                                      "--include", "b"}));
  EXPECT_TRUE(editor::read_settings(settings, nullptr));
  for (const nlohmann::json& wrong :
       {nlohmann::json{{"nothing", "x"}}, {{"arch", 1}}, {{"include", {1}}}, nlohmann::json(3)})
    EXPECT_FALSE(editor::read_settings(settings, wrong)) << wrong;
}

TEST(EditorSettings, ALineOfTheTextCountsMore) {
  Settings settings;
  const Text text("\n/* lanewise: arch=wh call='f<true, 8>(8)' include=a include=\"b c\" */\n");
  ASSERT_TRUE(editor::read_settings_line(settings, text));
  const Settings expected{.arch = "wh", .call = {"f<true, 8>(8)"}, .include = {"a", "b c"}};
  EXPECT_EQ(settings, expected);
  const auto wrong = editor::read_settings_line(settings, Text("\n// lanewise: formt=fp32"));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().line, 2U);
  EXPECT_EQ(wrong.error().remedy, "did you mean format?");
  EXPECT_FALSE(editor::has_settings_line(Text(std::string(20, '\n') + "lanewise: arch=wh")));
}

TEST(EditorDocument, IsWhatItsNameAndTextSay) {
  using editor::Dialect;
  const auto dialect = [](const char* uri, const char* text, const char* language = "") {
    return editor::dialect_of(editor::make_document(uri, language, 1, text));
  };
  EXPECT_EQ(dialect("file:///a.tt", "SFPNOP"), Dialect::Ours);
  EXPECT_EQ(dialect("file:///a.tt", "  .thread math"), Dialect::Tile);
  EXPECT_EQ(dialect("file:///a.s", "ttnop"), Dialect::Vendors);
  EXPECT_EQ(dialect("file:///a.s", "\tmovq\t%rax, %rbx"), Dialect::Other);
  EXPECT_EQ(dialect("file:///a.hex", ""), Dialect::Words);
  EXPECT_EQ(dialect("file:///a.cpp", "#include <sfpi.h>"), Dialect::Kernel);
  EXPECT_EQ(dialect("file:///a.cpp", "int main() {}"), Dialect::Other);
  EXPECT_EQ(dialect("untitled:x", "TTI_SFPNOP;", "cpp"), Dialect::Kernel);
  EXPECT_EQ(editor::path_of("file:///a%20b/%C3%BC%zz%"), "/a b/\xC3\xBC%zz%");
}

} // namespace
} // namespace lanewise
