#include "source/sfpi/source_tokens.h"

#include <cctype>

#include "base/characters.h"

namespace lanewise::sfpi {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<SourceToken> run() {
    while (at_ < text_.size()) step();
    return std::move(tokens_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '\n') {
      advance();
      begins_line_ = true;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      advance();
    } else if (text_.substr(at_, 2) == "//" || (c == '#' && begins_line_)) {
      skip_line();
    } else if (text_.substr(at_, 2) == "/*") {
      skip_to("*/");
    } else if (c == '"' || c == '\'') {
      skip_literal(c);
    } else {
      take();
    }
  }

  void advance() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }

  /// To the end of the line, behind a backslash also of the next.
  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      const bool goes_on = text_[at_] == '\\' && at_ + 1 < text_.size();
      advance();
      if (goes_on) advance();
    }
  }

  void skip_to(std::string_view end) {
    while (at_ < text_.size() && text_.substr(at_, end.size()) != end) advance();
    for (std::size_t i = 0; i < end.size() && at_ < text_.size(); ++i) advance();
  }

  void skip_literal(char quote) {
    advance();
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      const bool escapes = text_[at_] == '\\' && at_ + 1 < text_.size();
      advance();
      if (escapes) advance();
    }
    if (at_ < text_.size()) advance();
  }

  void take() {
    begins_line_ = false;
    std::size_t length = 1;
    if (is_name_part(text_[at_])) { // 1'000'000 is one number
      while (at_ + length < text_.size() && (is_name_part(text_[at_ + length]) ||
                                             (text_[at_ + length] == '\'' && is_digit(text_[at_]))))
        ++length;
    }
    tokens_.push_back({text_.substr(at_, length), line_});
    at_ += length;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  bool begins_line_ = true;
  std::vector<SourceToken> tokens_;
};

} // namespace

std::vector<SourceToken> source_tokens(std::string_view text) {
  return Reader(text).run();
}

} // namespace lanewise::sfpi
