#include "report/sweep/text.h"

#include <fmt/format.h>

#include "report/sweep/gates.h"
#include "report/sweep/headline.h"
#include "report/sweep/tables.h"

namespace lanewise::report {

namespace {

/// Paragraphs with an empty line between them; empty ones are left out.
class Paragraphs {
 public:
  void add(const std::string& paragraph) {
    if (paragraph.empty()) return;
    text_ += (text_.empty() ? "" : "\n") + paragraph;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string lines(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += sentence + "\n";
  return text;
}

/// Broken behind a comma or a semicolon where it is wider than a terminal.
std::string wrapped(const std::string& sentence) {
  constexpr std::size_t kWidest = 110;
  std::string text, rest = sentence;
  while (rest.size() > kWidest) {
    const std::size_t end = rest.find_last_of(",;", kWidest);
    if (end == std::string::npos) break;
    text += rest.substr(0, end + 1) + "\n   ";
    rest.erase(0, end + 1);
  }
  return text + rest + "\n";
}

std::string headed(std::string_view heading, const std::string& content) {
  return content.empty() ? "" : fmt::format("{}\n{}", heading, content);
}

std::string special_text(const SweepReport& report) {
  const std::string sentence = special_sentence(report);
  if (sentence.empty()) return "";
  return sentence + "\n" + table_text(special_table(report));
}

std::string headline_text(const SweepReport& report) {
  std::string text;
  for (const std::string& sentence : headlines(report)) text += wrapped(sentence);
  return text;
}

std::string gates_text(const SweepReport& report) {
  std::string text;
  for (const GateText& gate : gate_texts(report)) text += lines(gate_lines(gate));
  return text;
}

} // namespace

std::string sweep_text(const SweepReport& report, const SweepTextOptions& options) {
  Paragraphs paragraphs;
  paragraphs.add(sweep_title(report) + "\n" + sweep_inputs(report) + "\n" +
                 lines(result_sentences(report.result)) + headline_text(report));
  if (!report.result.chips.empty()) {
    paragraphs.add(table_text(ulp_table(report)));
    paragraphs.add(table_text(figure_table(report)));
    paragraphs.add(lines(store_sentences(report)));
    paragraphs.add(headed("Inputs of their own kind", table_text(class_table(report))));
    paragraphs.add(special_text(report));
    paragraphs.add(lines(shape_sentences(report)));
    if (options.decades)
      paragraphs.add(headed("|ULP| by decade of x", table_text(decade_table(report))));
    paragraphs.add(headed("Worst inputs", table_text(worst_table(report, options.worst))));
  }
  paragraphs.add(headed("Faults", lines(fault_texts(report))));
  paragraphs.add(gates_text(report));
  return paragraphs.text();
}

} // namespace lanewise::report
