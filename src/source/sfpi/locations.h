// From addresses in a kernel's object to places in its source.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "source/compiler/ir.h"
#include "source/sfpi/call_stack.h"

namespace lanewise::sfpi {

/// Which files are the user's.
struct SourceFiles {
  std::string kernel;                        ///< the main file, as the user names it
  std::vector<std::filesystem::path> hidden; ///< folders whose frames are left out
};

/// The names that the generated part of a kernel's translation unit goes by, and the call of the
/// kernel's function in it; both always hidden.
inline constexpr const char* kGeneratedFile = "<lanewise>";
inline constexpr const char* kEntryPlace = "--entry";

/// The place of each call stack, by the debug information of the object. A stack of which nothing
/// remains has an empty Site. Error: BadInput if the object cannot be read.
Expected<std::vector<compiler::Site>> find_sites(const std::filesystem::path& object,
                                                 const std::vector<CallStack>& stacks,
                                                 const SourceFiles& files);

/// Gives the recording's nodes numbers into a list of sites without doubles, and the recording that
/// list. `sites[i]` is the place of the nodes that have been at site i.
void set_sites(compiler::Recording& recording, const std::vector<compiler::Site>& sites);

} // namespace lanewise::sfpi
