#include "study/corpus/llk/coverage.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "base/characters.h"
#include "base/text_file.h"
#include "source/checkouts/declarations.h"

namespace lanewise::corpus {

namespace {

/// The functions that return nothing in the headers of a chip, and who calls them.
class Functions {
 public:
  void add(const std::string& header, const std::string& text) {
    const auto tokens = checkouts::tokens_of(text);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (!is_name_part(tokens[i].front())) continue;
      const std::string name(tokens[i]);
      const std::string_view before = i == 0 ? "" : tokens[i - 1];
      const std::string_view after = i + 1 == tokens.size() ? "" : tokens[i + 1];
      // A '<' is that of a specialisation.
      const bool is_declaration = before == "void" && (after == "(" || after == "<");
      if (!is_declaration) mentioned_.insert(name);
      if (is_declaration && after == "(") declared_[header].insert(name);
    }
  }

  std::set<std::string> entries(const std::string& header) const {
    const auto found = declared_.find(header);
    if (found == declared_.end()) return {};
    std::set<std::string> entries;
    std::ranges::set_difference(found->second, mentioned_, std::inserter(entries, entries.end()));
    return entries;
  }

 private:
  std::map<std::string, std::set<std::string>> declared_; ///< by header
  std::set<std::string> mentioned_;
};

bool runs_on(const LlkKernel& kernel, Arch arch) {
  return std::ranges::find(kernel.chips, arch) != kernel.chips.end();
}

/// Every name in what the kernels call.
std::set<std::string> called_names(std::span<const LlkKernel> kernels, Arch arch) {
  std::set<std::string> names;
  for (const LlkKernel& kernel : kernels) {
    if (!runs_on(kernel, arch)) continue;
    for (const std::string& text : {kernel.init, kernel.call}) {
      for (const std::string_view token : checkouts::tokens_of(text)) names.emplace(token);
    }
  }
  return names;
}

template <class T>
void add_once(std::vector<T>& list, const T& value) {
  if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

} // namespace

std::vector<LlkHeader> llk_headers(const checkouts::Checkout& checkout, std::span<const Arch> chips,
                                   std::span<const LlkKernel> kernels) {
  std::map<std::string, LlkHeader> headers;
  for (const Arch arch : chips) {
    const std::vector<std::string> names = checkout.headers(arch);
    Functions functions;
    for (const std::string& name : names)
      functions.add(name, read_text_file(checkout.header(arch, name).string()).value_or(""));
    const std::set<std::string> called = called_names(kernels, arch);
    for (const std::string& name : names) {
      LlkHeader& header = headers[name];
      header.name = name;
      header.chips.push_back(arch);
      for (const LlkKernel& kernel : kernels) {
        if (kernel.header == name && runs_on(kernel, arch)) add_once(header.kernels, kernel.name);
      }
      for (const std::string& entry : functions.entries(name)) {
        if (!called.contains(entry)) add_once(header.unchecked, entry);
      }
    }
  }
  std::vector<LlkHeader> all;
  all.reserve(all.size() + headers.size());
  for (auto& [name, header] : headers) all.push_back(std::move(header));
  return all;
}

} // namespace lanewise::corpus
