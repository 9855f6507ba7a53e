// What an editor's language server needs to understand kernels: the flags with which clang reads
// them against this project's host headers, without the vendor's toolchain.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "source/checkouts/checkout.h"

namespace lanewise::checkouts {

struct EditorSetup {
  Arch arch = kDefaultArch;
  std::optional<int> epoch = {}; ///< the release of SFPI; else the checkout's, or the newest
  std::vector<std::string> include_dirs = {}; ///< of the user's kernels
  std::optional<Checkout> checkout = {};      ///< whose headers kernels include, or are
  bool overwrites = false;                    ///< a file that something else has written, too
};

/// Writes `folder`/compile_flags.txt, and the generated headers that it names into the folder
/// .lanewise beside it. Returns what was written, compile_flags.txt last. Error: BadInput if there
/// is such a file that something else has written, or if it cannot be written; then nothing is
/// changed.
Expected<std::vector<std::filesystem::path>> write_editor_files(const std::filesystem::path& folder,
                                                                const EditorSetup& setup);

} // namespace lanewise::checkouts
