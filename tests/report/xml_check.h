// Whether pages and pictures are well-formed XML, by libxml2.
#pragma once

#include <fmt/format.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

#include <memory>
#include <string>
#include <string_view>

namespace lanewise::test {

class XmlCheck {
 public:
  explicit XmlCheck(std::string_view text) : document_(read(text)) {
    if (document_) return;
    const auto* error = ::xmlGetLastError();
    wrong_ = error == nullptr
                 ? "there is no document"
                 : fmt::format("line {}, column {}: {}", error->line, error->int2, error->message);
  }

  /// What is wrong, with the place; empty if nothing is.
  const std::string& wrong() const { return wrong_; }
  std::size_t elements() const { return elements_in(::xmlDocGetRootElement(document_.get())); }

 private:
  struct Free {
    void operator()(xmlDoc* document) const { ::xmlFreeDoc(document); }
  };

  static xmlDoc* read(std::string_view text) {
    ::xmlResetLastError();
    return ::xmlReadMemory(text.data(), static_cast<int>(text.size()), nullptr, nullptr,
                           XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  }

  /// The element and what is in it.
  static std::size_t elements_in(xmlNode* element) {
    std::size_t count = 1;
    for (auto* each = ::xmlFirstElementChild(element); each != nullptr;
         each = ::xmlNextElementSibling(each)) {
      count += elements_in(each);
    }
    return count;
  }

  std::unique_ptr<xmlDoc, Free> document_;
  std::string wrong_;
};

} // namespace lanewise::test
