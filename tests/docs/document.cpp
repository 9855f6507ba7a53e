#include "docs/document.h"

#include <fmt/format.h>

#include <utility>

namespace lanewise::docs {
namespace {

constexpr std::string_view kFence = "```";
constexpr std::string_view kPrompt = "$ ";
constexpr std::string_view kSkip = "<!-- doc-test: skip ";
constexpr std::string_view kCommentEnd = " -->";
constexpr std::string_view kSave = "ave this as `";

class Parser {
 public:
  Parser(std::string name, std::string_view text) {
    document_.name = std::move(name);
    document_.lines = split_lines(text);
  }

  Document parse() {
    while (at_ < lines().size()) {
      if (lines()[at_].starts_with(kFence)) {
        block();
      } else {
        prose();
      }
    }
    return std::move(document_);
  }

 private:
  const std::vector<std::string>& lines() const { return document_.lines; }

  void mistake(std::size_t line, const std::string& text) {
    document_.mistakes.push_back(fmt::format("{}:{}: {}", document_.name, line, text));
  }

  /// What stands between blocks; the last paragraph says what the next block is.
  void prose() {
    const std::string& line = lines()[at_++];
    if (line.empty()) {
      paragraph_ended_ = true;
      return;
    }
    const std::size_t around = kSkip.size() + kCommentEnd.size();
    if (line.starts_with(kSkip) && line.ends_with(kCommentEnd) && line.size() > around) {
      skipped_ = line.substr(kSkip.size(), line.size() - around);
      return;
    }
    if (line.starts_with("<!--") && line.find("doc-test") != std::string::npos) {
      mistake(at_, fmt::format("is no marker; write '{}REASON{}'", kSkip, kCommentEnd));
    }
    if (!skipped_.empty()) mistake(at_, "stands between a marker and its block");
    if (std::exchange(paragraph_ended_, false)) paragraph_.clear();
    paragraph_ += line + " ";
  }

  /// Everything up to the closing fence.
  void block() {
    const std::string_view language = std::string_view(lines()[at_]).substr(kFence.size());
    const bool is_console = language == "console";
    const std::size_t fence = at_++;
    const std::size_t first = at_;
    while (at_ < lines().size() && lines()[at_] != kFence) ++at_;
    if (at_ == lines().size()) return mistake(fence + 1, "the block has no end");
    const std::size_t end = at_++;

    Sample sample;
    sample.line = fence + 1;
    sample.skipped = std::exchange(skipped_, {});
    if (is_console) {
      add_commands(sample, first, end);
    } else {
      sample.saved_as = saved_name();
      for (std::size_t i = first; i < end; ++i) sample.contents += lines()[i] + "\n";
    }
    paragraph_.clear();
    if (!sample.skipped.empty() && !is_console && sample.saved_as.empty())
      mistake(sample.line, "the marker before the block leaves nothing out");
    if (is_console || !sample.saved_as.empty()) document_.samples.push_back(std::move(sample));
  }

  /// NAME in "Save this as `NAME`" of the last paragraph.
  std::string saved_name() const {
    const std::size_t at = paragraph_.find(kSave);
    if (at == std::string::npos) return {};
    const std::size_t name = at + kSave.size();
    return paragraph_.substr(name, paragraph_.find('`', name) - name);
  }

  void add_commands(Sample& sample, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      if (!lines()[i].starts_with(kPrompt)) {
        if (sample.commands.empty()) return mistake(i + 1, "output without a command before it");
        sample.commands.back().expected.push_back(lines()[i]);
        continue;
      }
      Command command;
      command.text = lines()[i].substr(kPrompt.size());
      command.line = i + 1;
      while (command.text.ends_with('\\') && i + 1 < end) command.text += "\n" + lines()[++i];
      command.first_expected = i + 1;
      sample.commands.push_back(std::move(command));
    }
    if (sample.commands.empty()) mistake(sample.line, "a console block without a command");
  }

  Document document_;
  std::size_t at_ = 0;
  std::string skipped_;   ///< the reason of a marker that waits for its block
  std::string paragraph_; ///< the last paragraph
  bool paragraph_ended_ = false;
};

} // namespace

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string join_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

Document parse_document(std::string name, std::string_view text) {
  return Parser(std::move(name), text).parse();
}

} // namespace lanewise::docs
