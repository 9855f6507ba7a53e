// What a section of a test is compiled from, for the host (test_source.h) and for a core
// (core_source.h).
#pragma once

#include <array>
#include <cstddef>
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

/// One for each section, or for all sections of several kinds, one kind behind the other.
using SectionRequests = std::vector<sfpi::ObjectRequest>;

/// For the host.
SectionRequests section_requests(const TestSource& source, const SectionPlans& plans);

/// Compiled at the same time, or from the cache; an object for each request. Error: BadInput, which
/// names the section; of the first request that has one.
Expected<std::vector<std::filesystem::path>> compile_requests(const SectionRequests& requests);

/// Those of the sections from request `first` on.
SectionObjects objects_of(const std::vector<std::filesystem::path>& compiled,
                          std::size_t first = 0);

} // namespace lanewise::section
