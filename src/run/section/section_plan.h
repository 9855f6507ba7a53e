// What a section of a test is compiled from, for the host (test_source.h) and for a core
// (core_source.h).
#pragma once

#include <array>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "run/section/test_source.h"

namespace lanewise::section {

struct SectionPlan {
  std::filesystem::path build;       ///< the folder of build.h, in the cache
  std::filesystem::path macros;      ///< the header with words and configuration, beside it
  std::vector<std::string> includes; ///< -I and -iquote
};

using SectionPlans = std::array<SectionPlan, kThreads>;

/// Error: as of compile_sections().
Expected<SectionPlans> plan_sections(const TestSource& source);

/// The flags that a section has for either: the language, macros, folders.
std::vector<std::string> shared_flags(const TestSource& source, unsigned thread,
                                      const SectionPlan& plan);

/// The translation unit of a section. `first`: the headers that it begins with.
std::string section_text(const TestSource& source, unsigned thread, const SectionPlan& plan,
                         std::initializer_list<std::string_view> first);

/// Compiled at the same time, or from the cache. Error: BadInput, which names the section.
Expected<SectionObjects> compile_requests(
    const std::array<sfpi::ObjectRequest, kThreads>& requests);

} // namespace lanewise::section
