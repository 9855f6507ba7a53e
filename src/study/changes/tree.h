// One side of a comparison: a folder, or a commit of a git repository.
#pragma once

#include <filesystem>
#include <string>

#include "base/fault.h"

namespace lanewise::changes {

struct Tree {
  std::string name;             ///< as the user has it
  std::filesystem::path folder; ///< of a checkout
  std::string commit = {};      ///< its digits, where it is one
};

/// A folder; FOLDER@REF, a commit of the repository there, which may be a bare one; or REF of the
/// repository in which the program runs. What LLK needs of a commit is taken out into the cache,
/// where it stays for the next time: nothing is written into the repository. Error: BadInput that
/// says what is not there, or what git says.
Expected<Tree> open_tree(const std::string& name);

} // namespace lanewise::changes
