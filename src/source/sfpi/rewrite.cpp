#include "source/sfpi/rewrite.h"

#include <algorithm>
#include <array>

#include "base/characters.h"

namespace lanewise::sfpi {
namespace {

/// Within a template the type of a lambda depends on the template's parameters, and so does what it
/// returns.
constexpr std::string_view kFalseWhenInstantiated =
    "[](auto lanewise_never) { return sizeof(lanewise_never) == 0; }(0)";

bool is_identifier_start(char c) {
  return is_name_start(c) || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_identifier_part(char c) {
  return is_identifier_start(c) || is_digit(c);
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

/// Where the pieces of a C++ text end. Every function takes the place of a piece's first character
/// and returns the place behind its last; a piece that is never closed ends with the text, or with
/// the line where it may not go on after it.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  char at(std::size_t place) const { return place < text_.size() ? text_[place] : '\0'; }
  bool starts_with(std::size_t place, std::string_view prefix) const {
    return text_.substr(std::min(place, text_.size())).starts_with(prefix);
  }
  std::string_view between(std::size_t first, std::size_t last) const {
    return text_.substr(first, last - first);
  }

  /// Up to the line end that no backslash hides.
  std::size_t line_end(std::size_t place) const {
    while (place < text_.size() && text_[place] != '\n') {
      place += starts_with(place, "\\\r\n") ? 3 : starts_with(place, "\\\n") ? 2 : 1;
    }
    return place;
  }

  std::size_t identifier_end(std::size_t place) const {
    while (place < text_.size() && is_identifier_part(text_[place])) ++place;
    return place;
  }

  /// A preprocessing number: 1.5e-3f, 0x1p+2, 1'000.
  std::size_t number_end(std::size_t place) const {
    while (place < text_.size()) {
      const char c = text_[place];
      const char next = at(place + 1);
      const bool is_signed_exponent =
          (c == 'e' || c == 'E' || c == 'p' || c == 'P') && (next == '+' || next == '-');
      const bool is_separator = c == '\'' && is_identifier_part(next);
      if (is_signed_exponent || is_separator) {
        place += 2;
      } else if (is_identifier_part(c) || c == '.') {
        ++place;
      } else {
        return place;
      }
    }
    return place;
  }

  /// A string or character literal.
  std::size_t literal_end(std::size_t place) const {
    const char quote = text_[place++];
    while (place < text_.size() && text_[place] != '\n') {
      const char c = text_[place];
      if (c == '\\') {
        place += starts_with(place, "\\\r\n") ? 3 : 2;
        continue;
      }
      ++place;
      if (c == quote) break;
    }
    return std::min(place, text_.size());
  }

  /// A raw string, from the quote behind its R.
  std::size_t raw_string_end(std::size_t place) const {
    constexpr std::size_t kLongestDelimiter = 16; // [lex.string]
    const std::size_t open = text_.find_first_of("() \\\t\v\f\n", place + 1);
    const bool is_raw =
        open != text_.npos && text_[open] == '(' && open - place - 1 <= kLongestDelimiter;
    if (!is_raw) return literal_end(place);
    const std::string closing = ")" + std::string(between(place + 1, open)) + "\"";
    const std::size_t close = text_.find(closing, open);
    return close == text_.npos ? text_.size() : close + closing.size();
  }

  /// A comment, or `place` itself where none begins.
  std::size_t comment_end(std::size_t place) const {
    if (starts_with(place, "//")) return line_end(place);
    if (!starts_with(place, "/*")) return place;
    const std::size_t close = text_.find("*/", place + 2);
    return close == text_.npos ? text_.size() : close + 2;
  }

  /// Past white space and comments.
  std::size_t skip_blanks(std::size_t place) const {
    for (;;) {
      const std::size_t before = place;
      while (place < text_.size() && is_space(text_[place])) ++place;
      place = comment_end(place);
      if (place == before) return place;
    }
  }

 private:
  std::string_view text_;
};

class Rewriter {
 public:
  Rewriter(std::string_view text, bool unrolls) : text_(text), scan_(text), unrolls_(unrolls) {}

  std::string result() {
    while (place_ < text_.size()) {
      const char c = text_[place_];
      if (c == '\n') {
        copy_to(place_ + 1);
        at_line_start_ = true;
        continue;
      }
      if (is_space(c)) {
        copy_to(place_ + 1);
        continue;
      }
      if (c == '#' && at_line_start_) {
        directive();
      } else if (const std::size_t end = scan_.comment_end(place_); end != place_) {
        copy_to(end); // a directive may still follow a comment
      } else {
        at_line_start_ = false;
        token(c);
      }
    }
    return std::move(out_);
  }

 private:
  void copy_to(std::size_t end) {
    out_ += text_.substr(place_, end - place_);
    place_ = end;
  }

  void token(char c) {
    const bool is_number = is_digit(c) || (c == '.' && is_digit(scan_.at(place_ + 1)));
    if (c == '"' || c == '\'') return copy_to(scan_.literal_end(place_));
    if (is_number) return copy_to(scan_.number_end(place_));
    if (is_identifier_start(c)) return identifier();
    copy_to(place_ + 1);
  }

  void identifier() {
    constexpr std::array<std::string_view, 5> kRawPrefixes{"R", "LR", "uR", "UR", "u8R"};
    const std::size_t end = scan_.identifier_end(place_);
    const std::string_view name = scan_.between(place_, end);
    copy_to(end);
    if (scan_.at(end) == '"' && std::ranges::find(kRawPrefixes, name) != kRawPrefixes.end()) {
      copy_to(scan_.raw_string_end(end));
    } else if (name == "static_assert" || name == "_Static_assert") {
      assertion();
    }
  }

  /// What follows the word static_assert.
  void assertion() {
    const std::size_t open = scan_.skip_blanks(place_);
    if (scan_.at(open) != '(') return;
    const std::size_t condition = scan_.skip_blanks(open + 1);
    const std::size_t end =
        is_identifier_part(scan_.at(condition)) ? scan_.number_end(condition) : condition;
    const std::string_view first = scan_.between(condition, end);
    if (first != "false" && first != "0") return;
    const std::size_t next = scan_.skip_blanks(end);
    const bool is_whole_operand =
        scan_.at(next) == ',' || scan_.at(next) == ')' || scan_.starts_with(next, "&&");
    if (!is_whole_operand) return;
    copy_to(condition);
    out_ += kFalseWhenInstantiated;
    place_ = end;
  }

  void directive() {
    const std::size_t end = scan_.line_end(place_);
    if (!is_unroll(end)) return copy_to(end);
    for (; place_ < end; ++place_) {
      if (text_[place_] == '\n') out_ += '\n';
    }
  }

  /// An unroll that is not to stay.
  bool is_unroll(std::size_t end) const {
    constexpr std::array<std::string_view, 3> kWords{"pragma", "GCC", "unroll"};
    std::size_t place = place_ + 1;
    for (const std::string_view word : kWords) {
      place = scan_.skip_blanks(place);
      const std::size_t word_end = scan_.identifier_end(place);
      if (word_end > end || scan_.between(place, word_end) != word) return false;
      place = word_end;
    }
    return !unrolls_ || !is_digit(scan_.at(scan_.skip_blanks(place)));
  }

  std::string_view text_;
  Scanner scan_;
  bool unrolls_;
  std::string out_;
  std::size_t place_ = 0;
  bool at_line_start_ = true;
};

} // namespace

std::string rewrite_for_host_compiler(std::string_view preprocessed, bool unrolls) {
  return Rewriter(preprocessed, unrolls).result();
}

} // namespace lanewise::sfpi
