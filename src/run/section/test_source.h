// A test of LLK: one file with a section for each thread of a tile, chosen by macro, and what its
// build system writes for it (tests/python_tests/helpers/test_config.py of tt-llk).
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fault.h"
#include "base/limits.h"
#include "chip/isa/arch.h"
#include "chip/machine/config_state.h"
#include "source/checkouts/checkout.h"
#include "source/sfpi/host_compiler.h"

namespace lanewise::section {

/// What the sections are called, by thread.
inline constexpr std::array<std::string_view, kThreads> kSectionNames{"unpack", "math", "pack"};

/// Where a test finds its parameters, and where a section says that it has ended. The macros
/// LANEWISE_PARAMETERS and LANEWISE_END_WORDS name other places, for tests of 2025.
inline constexpr std::uint32_t kParametersAddress = 0x20000;
inline constexpr std::uint32_t kEndWords = 0x1FFB8, kEndValue = 0xFF;

/// A value that a test is built with: a constant, and a member of its parameters.
struct TestParameter {
  std::string name, value; ///< the value is an expression of C++
};

struct TestSource {
  Arch arch = kDefaultArch;
  std::string file;                            ///< the test
  std::optional<checkouts::Checkout> checkout; ///< whose headers the test includes; or none
  std::string build_header; ///< the file that LLK's build system has written for the test; or ""
  /// A file of its own for each section, so that those with the same are compiled once; or "".
  std::array<std::string, kThreads> section_headers = {};
  std::vector<TestParameter> parameters; ///< where there is no such file
  std::vector<std::string> includes;     ///< further folders
  std::vector<std::string> defines;      ///< NAME or NAME=VALUE
  ProcessLimits limits = kKernelLimits;  ///< of g++ for each section, and of all three together
};

/// The release of SFPI (source/compiler/epoch.h) that a test is written to, by which its headers
/// are read and its vector code is compiled: that of its checkout, or the newest.
int sfpi_release(const TestSource& source);

/// The checkout of a test: of `folder`, or if that is empty, the one in which the file lies, if
/// any. Error: BadInput that says what is missing.
Expected<std::optional<checkouts::Checkout>> test_checkout(const std::string& folder,
                                                           const std::string& file, Arch arch);

/// "NAME=VALUE". Error: BadInput.
Expected<TestParameter> parse_test_parameter(std::string_view text);

using SectionObjects = std::array<std::filesystem::path, kThreads>;

/// The shared objects of the three sections, compiled at the same time, or from the cache. Error:
/// BadInput; what is not there, or what g++ says.
Expected<SectionObjects> compile_sections(const TestSource& source);

/// A section before it is compiled.
struct PreparedSection {
  sfpi::ObjectRequest request;
  sfpi::Preprocessed source;
};
using PreparedSections = std::array<PreparedSection, kThreads>;

/// What g++ makes of the sections' text before it compiles them, one after the other
/// (sfpi::preprocess_object()). Error: as of compile_sections().
Expected<PreparedSections> prepare_sections(const TestSource& source, const sfpi::LookAtText& look);
/// The object of one of them. Error: as of compile_sections().
Expected<std::filesystem::path> compile_prepared(const PreparedSection& section, unsigned thread);

} // namespace lanewise::section
