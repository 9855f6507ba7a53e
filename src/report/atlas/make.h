// An atlas in its folder, made as far as it is not there yet:
//
//   index.html             the table           style.css, script.js   what pages share
//   op/ID.html             a page per kernel   picture/*.svg          their pictures
//   data/ID.FORMAT.json    an item with its key, sealed               atlas.json  all figures
//
// The same items give the same bytes, whatever was there before and however many work on them.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/fault.h"
#include "report/atlas/pages.h"
#include "study/corpus/atlas/items.h"
#include "study/parts/part.h"

namespace lanewise::report {

struct AtlasOptions {
  corpus::AtlasRequest request = {};
  std::filesystem::path folder = {};
  bool every_32bit = false;           ///< corpus::AtlasSettings
  unsigned jobs = 1;                  ///< items at a time
  std::filesystem::path tuned = {};   ///< what tune --corpus --resume has kept; may be empty
  std::filesystem::path against = {}; ///< an earlier atlas; may be empty
  /// Of the items only those of this part are measured, and no pages are written.
  parts::Part part = {};
};

// NOLINTNEXTLINE(bugprone-exception-escape): JSON is moved without one, which the check cannot see.
struct MadeAtlas {
  std::size_t items = 0;               ///< that there are, of the part
  std::size_t kept = 0;                ///< of these, that an earlier run has measured
  std::size_t measured = 0;            ///< by this one
  bool is_complete = true;             ///< else the pages are as they were
  std::size_t kernels = 0, failed = 0; ///< of the pages; chips of items that do not compile
  AtlasJson json;                      ///< of atlas.json
};

/// Measures what is not there, each item kept as soon as it is done, then writes the pages and
/// takes away those of kernels that are gone. `progress` gets what is being done; after false,
/// nothing more is begun, and what is measured stays for the next run. Error: BadInput as
/// atlas_contents(), TuneJournal::read() and atlas_changes() have it, or for a file that cannot be
/// written.
Expected<MadeAtlas> make_atlas(const AtlasOptions& options,
                               const std::function<bool(const std::string&)>& progress);

} // namespace lanewise::report
