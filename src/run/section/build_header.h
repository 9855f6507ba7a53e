// build.h for a test whose parameters a user has written by hand.
#pragma once

#include <span>
#include <string>

#include "run/section/test_source.h"

namespace lanewise::section {

/// The text of build.h: every parameter as a constant, and as a member of the test's parameters;
/// what LLK's build system writes into each test has a value if none is given. `uses_llk`: with the
/// headers of LLK's tests that it includes.
std::string build_header_text(std::span<const TestParameter> parameters, bool uses_llk);

/// The folder of the cache with this text as build.h. The same for the same text, so that objects
/// stay usable. Error: BadInput if it cannot be written.
Expected<std::filesystem::path> build_header_folder(const std::string& text);

} // namespace lanewise::section
