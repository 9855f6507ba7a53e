// What compiled kernels call of the C and C++ libraries.
#pragma once

#include <filesystem>

namespace lanewise::sfpi {

/// Whether all that a shared object takes from elsewhere are functions of a short list, which every
/// process of Lanewise has: those that g++ calls by itself, for exceptions, static variables, new
/// and copies. Such an object need not name a library. False if it cannot be read.
bool needs_common_functions_only(const std::filesystem::path& object);

/// For a process that is about to load such objects: what they look for is found, also where
/// Lanewise is itself a module of another program, which may have no C++ library of its own.
void offer_common_functions();

} // namespace lanewise::sfpi
