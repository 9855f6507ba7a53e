// From generated C++ that uses the library's own headers to a shared object, by the host's g++.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/fault.h"

namespace lanewise::sfpi {

struct LibraryRequest {
  std::string name;               ///< for messages
  std::string header = {};        ///< the same for many texts: precompiled once
  std::string text;               ///< the translation unit behind the header
  std::vector<std::string> flags; ///< of the processor
};

/// The shared object, from the cache if the same text was compiled before with the same headers and
/// compiler. Error: BadInput if there is no g++, if the headers are not where they were installed,
/// or if g++ fails.
Expected<std::filesystem::path> compile_library(const LibraryRequest& request);

/// What decides about such objects beside the request: the compiler, and the library's headers as
/// they lie there now, which can change without the program. "" where nothing can be compiled.
std::string host_library_version();

} // namespace lanewise::sfpi
