// Kernels of which one file has many, for tests: g++ compiles the file once, with a statement that
// calls the function that the environment names.
#pragma once

#include <fstream>
#include <regex>
#include <string>

#include "sfpi/kernel_files.h"
#include "source/sfpi/kernel.h"

namespace lanewise::sfpi {

/// Calls one of the functions `void NAME()` of the file, under the conditions that they stand
/// under.
inline std::string choice_of_entries(const std::string& file) {
  constexpr const char* kCall =
      "if (__builtin_strcmp(lanewise_test_entry, \"{0}\") == 0) { {0}(); return; }\n";
  static const std::regex entry(R"(void (\w+)\(\) \{)"), condition("#(if|endif).*");
  std::string text =
      "const char* const lanewise_test_entry = std::getenv(\"LANEWISE_TEST_ENTRY\");\n";
  std::ifstream stream(file);
  std::smatch found;
  for (std::string line; std::getline(stream, line);) {
    if (std::regex_match(line, condition)) text += line + "\n";
    if (!std::regex_match(line, found, entry)) continue;
    std::string call = kCall;
    for (std::size_t at; (at = call.find("{0}")) != std::string::npos;)
      call.replace(at, 3, found[1].str());
    text += call;
  }
  return text + "throw lanewise_test_entry";
}

/// What the source's entry does, which record_kernel() would compile for itself.
inline Expected<compiler::Recording> record_entry(Arch arch, KernelSource source) {
  const Environment chosen("LANEWISE_TEST_ENTRY", source.entry);
  source.calls = {choice_of_entries(source.file)};
  return record_kernel(arch, source);
}

} // namespace lanewise::sfpi
