// The pages of an atlas, made of its entries.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/atlas/changes.h"
#include "report/atlas/entry.h"
#include "study/corpus/tune/outcome.h"

namespace lanewise::report {

/// Everything that pages say beyond the entries.
struct AtlasContext {
  std::string command;    ///< that makes the folder, without paths
  std::string checkout;   ///< "DIR", in commands; empty: the examples
  bool has_tuned = false; ///< results of the tuner were named
  std::map<std::string, corpus::TuneOutcome> tuned = {}; ///< by a chip's "identity"
  bool has_changes = false;                              ///< there is an earlier atlas
  AtlasChanges changes = {};
  std::size_t absent = 0; ///< kernels of tt-llk that are known and not in the checkout
};

/// index.html: a row for each chip of each entry, with search, filters, comparison.
std::string atlas_index(std::span<const AtlasJson> entries, const AtlasContext& context);

/// op/ID.html: all entries of one kernel, a section for each format.
std::string atlas_page(std::span<const AtlasJson* const> entries, const AtlasContext& context);

// What both say.

/// "564", "none".
std::string cycles_text(const AtlasJson& chip);
/// "480 (-14.9 %)"; else why there is no such number.
std::string tuned_text(const AtlasJson& chip, const AtlasContext& context);
std::string bound_text(const AtlasJson& chip);
/// "2 hazards, 1 warning", "none".
std::string hazards_text(const AtlasJson& chip);
/// Of an entry; empty where nothing has changed.
std::vector<std::string> changes_of(const AtlasJson& entry, const AtlasContext& context);

std::string atlas_style();  ///< style.css: all that pages share
std::string atlas_script(); ///< script.js: of index.html

// Files of this folder that are compiled in (cmake/embed.cmake).
std::string_view atlas_own_style();  ///< atlas.css
std::string_view atlas_own_script(); ///< atlas.js

} // namespace lanewise::report
