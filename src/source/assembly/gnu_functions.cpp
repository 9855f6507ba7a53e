// Functions of a text in the vendor's assembly, by their names.
#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <utility>

#include "source/assembly/gnu.h"

namespace lanewise::assembly {
namespace {

/// A name that the compiler made, as it stands in C++; other names as they are.
std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()) : name;
}

void keep_lines(std::vector<Fault>& faults, const GnuFunction& function) {
  std::erase_if(faults, [&](const Fault& fault) {
    return fault.line < function.line || fault.line > function.last_line;
  });
}

} // namespace

bool is_called(const GnuFunction& function, std::string_view name) {
  if (function.name == name) return true;
  std::string text = demangled(function.name);
  text.resize(std::min(text.find_first_of("(<"), text.size()));
  if (text == name) return true;
  return text.ends_with(fmt::format("::{}", name)) || text.ends_with(fmt::format(" {}", name));
}

Expected<GnuText> only_function(GnuText text, std::string_view name) {
  if (text.functions.size() < 2) return text;
  std::vector<GnuFunction> fitting;
  std::ranges::copy_if(text.functions, std::back_inserter(fitting),
                       [&](const GnuFunction& each) { return is_called(each, name); });
  if (fitting.size() != 1) {
    constexpr std::size_t kMostNamed = 10;
    std::vector<std::string> names;
    for (const GnuFunction& each : text.functions) {
      if (names.size() < kMostNamed) names.push_back(each.name);
    }
    if (text.functions.size() > kMostNamed) names.emplace_back("...");
    Fault fault = bad_input(fmt::format("{} functions have Tensix words: {}", text.functions.size(),
                                        fmt::join(names, ", ")),
                            "choose one with --entry NAME")
                      .value();
    fault.file = text.program.name;
    return Unexpected(std::move(fault));
  }
  const GnuFunction chosen = fitting.front();
  std::vector<ProgramWord>& words = text.program.words;
  const auto first = words.begin() + static_cast<std::ptrdiff_t>(chosen.first_word);
  words = std::vector<ProgramWord>(first, first + static_cast<std::ptrdiff_t>(chosen.words));
  keep_lines(text.doubts, chosen);
  keep_lines(text.computed, chosen);
  text.functions = {chosen};
  text.functions.front().first_word = 0;
  return text;
}

} // namespace lanewise::assembly
