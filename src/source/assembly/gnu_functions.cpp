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

/// Whether a label is that of a function: "f", "_Z1fi", "f(int)", "ns::f(int)" are all "f".
bool is_called(const GnuFunction& function, std::string_view name) {
  if (function.name == name) return true;
  std::string text = demangled(function.name);
  text.resize(std::min(text.find_first_of("(<"), text.size()));
  if (text == name) return true;
  return text.ends_with(fmt::format("::{}", name)) || text.ends_with(fmt::format(" {}", name));
}

void keep_lines(std::vector<Fault>& faults, const GnuFunction& function) {
  std::erase_if(faults, [&](const Fault& fault) {
    return fault.line < function.line || fault.line > function.last_line;
  });
}

Unexpected no_such_function(const GnuText& text, std::string message, std::string remedy) {
  Unexpected fault = bad_input(std::move(message), std::move(remedy));
  fault.value().file = text.program.name;
  return fault;
}

} // namespace

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
    return no_such_function(text,
                            fmt::format("{} functions have Tensix words: {}", text.functions.size(),
                                        fmt::join(names, ", ")),
                            "choose one with --entry NAME");
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

Expected<GnuText> named_function(GnuText text, std::string_view name) {
  if (text.functions.empty())
    return no_such_function(
        text, "--entry chooses a function of the vendor's assembly, and this has none",
        "leave --entry out");
  const GnuFunction& first = text.functions.front();
  if (text.functions.size() == 1 && !is_called(first, name))
    return no_such_function(text,
                            fmt::format("there is no function {}; it has {}", name, first.name),
                            "check --entry, or leave it out");
  return only_function(std::move(text), name);
}

} // namespace lanewise::assembly
