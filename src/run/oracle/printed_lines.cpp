#include "run/oracle/printed_lines.h"

#include <fmt/format.h>

#include <utility>

namespace lanewise::oracle {

void PrintedLines::add(const Printed& printed) {
  std::string text = to_text(printed);
  if (text == text_) {
    ++repeats_;
    return;
  }
  finish();
  write_(text);
  text_ = std::move(text);
}

void PrintedLines::finish() {
  if (repeats_ != 0)
    write_(fmt::format("  the same {} more time{}\n", repeats_, repeats_ == 1 ? "" : "s"));
  repeats_ = 0;
  text_.clear();
}

} // namespace lanewise::oracle
