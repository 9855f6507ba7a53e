// Whether a text is well-formed XML, as far as pages and pictures need it.
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::test {

/// What is wrong, with the place; empty if nothing is: tags are balanced and nested, attributes
/// are quoted and do not occur twice, & begins one of the five entities (XML 1.0, sections 2.3, 3.1
/// and 4.6).
class XmlCheck {
 public:
  explicit XmlCheck(std::string_view text) : text_(text) {
    constexpr std::string_view kDoctype = "<!DOCTYPE html>";
    if (text_.substr(0, kDoctype.size()) == kDoctype) at_ = kDoctype.size();
    while (wrong_.empty() && at_ < text_.size()) {
      if (text_[at_] == '<') {
        tag();
      } else if (text_[at_] == '&') {
        entity();
      } else {
        ++at_;
      }
    }
    if (!open_.empty()) complain("not closed: " + open_.back());
  }

  const std::string& wrong() const { return wrong_; }
  std::size_t tags() const { return tags_; }

 private:
  void complain(const std::string& what) {
    if (wrong_.empty())
      wrong_ = what + " at: " + std::string(text_.substr(at_ > 20 ? at_ - 20 : 0, 60));
  }

  bool take(std::string_view part) {
    if (text_.substr(at_, part.size()) != part) return false;
    at_ += part.size();
    return true;
  }

  std::string name() {
    const std::size_t first = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '-' || text_[at_] == ':'))
      ++at_;
    if (first == at_) complain("a name is missing");
    return std::string(text_.substr(first, at_ - first));
  }

  void entity() {
    for (const char* each : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"}) {
      if (take(each)) return;
    }
    complain("no entity");
  }

  void attribute(std::vector<std::string>& known) {
    const std::string attribute = name();
    for (const std::string& other : known) {
      if (other == attribute) complain("twice: " + attribute);
    }
    known.push_back(attribute);
    if (!take("=\"")) return complain("no quoted value");
    while (wrong_.empty() && !take("\"")) {
      if (at_ >= text_.size() || text_[at_] == '<') return complain("in a value");
      if (text_[at_] == '&') {
        entity();
      } else {
        ++at_;
      }
    }
  }

  void tag() {
    ++tags_;
    if (take("</")) {
      const std::string closed = name();
      if (open_.empty() || open_.back() != closed) return complain("closes nothing: " + closed);
      open_.pop_back();
      if (!take(">")) complain("no >");
      return;
    }
    ++at_;
    open_.push_back(name());
    std::vector<std::string> attributes;
    while (wrong_.empty() && take(" ")) attribute(attributes);
    if (take("/>")) {
      open_.pop_back();
    } else if (!take(">")) {
      complain("no end of the tag");
    }
  }

  std::string_view text_;
  std::size_t at_ = 0, tags_ = 0;
  std::vector<std::string> open_;
  std::string wrong_;
};

} // namespace lanewise::test
