// A line of a vector file, word by word.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/fault.h"
#include "base/in_quotes.h"

namespace lanewise::vectors {

/// The words of one line, taken one after the other. The first mistake stays; later takes give 0.
class Words {
 public:
  Words(std::string_view line, std::uint32_t number) : line_(line), number_(number) {
    line_ = line_.substr(0, line_.find('#'));
    skip_blanks();
  }

  bool at_end() const { return position_ == line_.size(); }
  bool failed() const { return mistake_.has_value(); }
  Unexpected mistake() const { return Unexpected(*mistake_); }
  std::uint32_t number() const { return number_; }

  std::string_view word(std::string_view what) {
    start_ = position_;
    if (at_end()) {
      fail(fmt::format("{} is missing", what));
      return {};
    }
    const std::size_t end = std::min(line_.find_first_of(" \t", position_), line_.size());
    const std::string_view taken = line_.substr(position_, end - position_);
    position_ = end;
    skip_blanks();
    return taken;
  }

  std::uint32_t hex(std::string_view what, std::uint32_t largest = 0xFFFFFFFFU) {
    return integer(what, 16, largest);
  }
  std::uint32_t decimal(std::string_view what, std::uint32_t largest) {
    return integer(what, 10, largest);
  }

  void finish() {
    start_ = position_;
    if (!at_end()) fail("has more on it than expected");
  }

  void fail(std::string message, std::string remedy = "see docs/conformance.md") {
    if (mistake_) return;
    mistake_ = bad_input(std::move(message), std::move(remedy), number_,
                         static_cast<std::uint32_t>(start_) + 1)
                   .value();
  }

 private:
  void skip_blanks() {
    while (position_ < line_.size() && (line_[position_] == ' ' || line_[position_] == '\t'))
      ++position_;
  }

  std::uint32_t integer(std::string_view what, int base, std::uint32_t largest) {
    const std::string_view text = word(what);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (failed()) return 0;
    if (error != std::errc{} || end != text.data() + text.size()) {
      fail(fmt::format("{} should be a {} number, not {}", what,
                       base == 16 ? "hexadecimal" : "decimal", in_quotes(text)));
      return 0;
    }
    if (value > largest) {
      fail(fmt::format("{} is {}, the largest is {}", what, text, largest));
      return 0;
    }
    return value;
  }

  std::string_view line_;
  std::uint32_t number_;
  std::size_t position_ = 0, start_ = 0;
  std::optional<Fault> mistake_;
};

} // namespace lanewise::vectors
