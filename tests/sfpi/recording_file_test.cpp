// Recordings as files: what is read is what was written, and damaged files end in one error.
#include "source/sfpi/recording_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "base/source_line.h"
#include "project.h"
#include "source/compiler/compiler.h"
#include "source/sfpi/kernel.h"

namespace lanewise::sfpi {
namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(in_project(file));
  return {std::istreambuf_iterator<char>(in), {}};
}

/// An example, as both chips have recorded it.
RecordedKernel recorded(const std::string& name) {
  KernelSource source;
  source.file = in_project("examples/" + name);
  RecordedKernel kernel{.file = name, .source = text_of("examples/" + name), .recordings = {}};
  for (auto& recording : record_kernel(kArchs, source)) {
    EXPECT_TRUE(recording.has_value()) << to_string(recording.error());
    if (recording) kernel.recordings.push_back(*std::move(recording));
  }
  return kernel;
}

std::vector<std::uint32_t> words_of(const compiler::Recording& recording) {
  std::vector<std::uint32_t> words;
  for (const ProgramWord& each : compiler::compile(recording, {}).program.words)
    words.push_back(each.word);
  return words;
}

/// A recording of four operations on Blackhole, as docs/recordings.md has it: load, load immediate
/// of 2 under a v_if, store. The numbers are of lanewise_recorder.h, opcodes of the ISA.
const char* const kSmall =
    R"~({"lanewise_recording": 2, "file": "small.cpp", "source": "void kernel() {}\n",
"chips": [{"arch": "bh", "epoch": 780, "shipped": false, "texts": ["x"],
"sites": [["", 0, 0, []], ["", 3, 0, [["small.cpp", "kernel()", 3]]]],
"nodes": [
[4, 0, 0, 112, 0, 7, 0, 1],
[1, 0, 0, 0, 0, 0, 1073741824, 1],
[12, 5, 0, 0, 0, 0, 0, 1, 0, 1],
[16, 0, 0, 0, 0, 0, 0, 1, 2],
[10, 0, 0, 0, 0, 0, 0, 1, 0, 1],
[19, 0, 0, 0, 0, 0, 1, 1],
[4, 0, 0, 114, 0, 7, 0, 1, -1, -1, -1, 4]]}]})~";

TEST(RecordingFile, IsReadAsItIsDocumented) {
  const auto kernel = parse_recording(kSmall, "small.recording");
  ASSERT_TRUE(kernel.has_value()) << to_string(kernel.error());
  EXPECT_EQ(kernel->file, "small.cpp");
  EXPECT_EQ(kernel->source, "void kernel() {}\n");
  ASSERT_EQ(kernel->recordings.size(), 1U);
  const compiler::Recording& recording = kernel->recordings[0];
  EXPECT_EQ(recording.arch, Arch::Blackhole);
  EXPECT_EQ(recording.epoch, 780);
  EXPECT_EQ(recording.texts, std::vector<std::string>{"x"});
  ASSERT_EQ(recording.nodes.size(), 7U);
  EXPECT_EQ(recording.nodes[1].kind, compiler::Kind::Constant);
  EXPECT_EQ(recording.nodes[1].imm, 0x40000000);
  EXPECT_EQ(recording.nodes[2].relation, compiler::Relation::GT);
  EXPECT_EQ(recording.nodes[4].context, 1U); // within the If
  EXPECT_EQ(recording.nodes[6].operand[3], 4U);
  EXPECT_EQ(recording.nodes[6].operand[0], kLanewiseNone);
  EXPECT_EQ(source_place(recording.sites[1].line), (SourcePlace{.file = "", .line = 3}));
  EXPECT_EQ(recording.sites[1].frames[0].function, "kernel()");
}

TEST(RecordingFile, ComesBackAsItWas) {
  for (const char* const name : {"exp.cpp", "softplus.cpp", "raw_words.cpp", "popcount.cpp"}) {
    const RecordedKernel kernel = recorded(name);
    const auto read = parse_recording(recording_text(kernel), "again.recording");
    ASSERT_TRUE(read.has_value()) << to_string(read.error());
    EXPECT_EQ(read->file, kernel.file);
    EXPECT_EQ(read->source, kernel.source);
    ASSERT_EQ(read->recordings.size(), kArchs.size());
    for (std::size_t i = 0; i < kArchs.size(); ++i) {
      const compiler::Recording &first = kernel.recordings[i], &second = read->recordings[i];
      EXPECT_EQ(compiler::to_text(second), compiler::to_text(first));
      EXPECT_EQ(second.sites, first.sites);
      EXPECT_EQ(second.epoch, first.epoch);
      EXPECT_EQ(second.is_shipped, first.is_shipped);
      EXPECT_EQ(words_of(second), words_of(first));
      ASSERT_FALSE(words_of(second).empty());
    }
    EXPECT_EQ(recording_text(*read), recording_text(kernel));
  }
}

/// The message for the small recording with `old_part` replaced.
std::string message_with(const std::string& old_part, const std::string& new_part) {
  std::string text = kSmall;
  const std::size_t at = text.find(old_part);
  EXPECT_NE(at, std::string::npos) << old_part;
  const auto read = parse_recording(text.replace(at, old_part.size(), new_part), "x.recording");
  if (read) return "";
  EXPECT_EQ(read.error().file, "x.recording");
  EXPECT_EQ(read.error().kind, FaultKind::BadInput);
  return to_string(read.error());
}

TEST(RecordingFile, SaysWhatIsWrong) {
  const auto says = [](const char* message, const char* old_part, const char* new_part) {
    const std::string found = message_with(old_part, new_part);
    EXPECT_NE(found.find(message), std::string::npos) << found;
  };
  says("it is no JSON", "{", "");
  says("another version of Lanewise", "recording\": 2", "recording\": 3");
  says("it has no lanewise_recording", "lanewise_recording", "recording");
  says("it has no source", "\"source\"", "\"text\"");
  says("a chip that is not known", "\"bh\"", "\"quasar\"");
  says("release of SFPI is not known", "780", "781");
  says("\"shipped\" is neither", "false", "0");
  says("a place that is not there", "1, -1, -1, -1, 4]", "2, -1, -1, -1, 4]");
  says("a number is missing, or too large", "1073741824", "2147483648");
  says("a number is missing, or too large", "[12, 5", "[12, 6");
  says("a number is missing, or too large", "[12, 5", "[27, 5");
  says("a list is missing", "[16, 0, 0, 0, 0, 0, 0, 1, 2]", "[16]");
  says("operand", "-1, -1, -1, 4]", "-1, -1, -1, 9]"); // of a node that comes later
  says("v_if", ",\n[19, 0, 0, 0, 0, 0, 1, 1]", "");
  EXPECT_EQ(message_with("\"x\"", "\"y\""), ""); // a label may be any
}

TEST(RecordingFile, AChipStandsOnce) {
  std::string text = kSmall;
  const std::size_t chips = text.find("[{\"arch\"") + 1;
  const std::string chip = text.substr(chips, text.size() - 2 - chips);
  const auto read = parse_recording(text.insert(chips, chip + ","), "x.recording");
  ASSERT_FALSE(read.has_value());
  EXPECT_NE(read.error().message.find("a chip twice"), std::string::npos);
}

/// Cut at every length, and with each byte changed: a recording that compiles, or one error.
TEST(RecordingFile, HostileTextsEndInOneError) {
  const std::string whole = kSmall;
  const auto read = [](const std::string& text) {
    const auto kernel = parse_recording(text, "x.recording");
    if (!kernel) {
      EXPECT_EQ(kernel.error().kind, FaultKind::BadInput);
      return;
    }
    for (const compiler::Recording& each : kernel->recordings) compiler::compile(each, {});
  };
  for (std::size_t size = 0; size < whole.size(); ++size) read(whole.substr(0, size));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char other : {'0', '9', '-', ',', ']', '"', '\xFF'}) {
      std::string changed = whole;
      changed[i] = other;
      read(changed);
    }
  }
}

} // namespace
} // namespace lanewise::sfpi
