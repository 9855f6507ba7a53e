// An item of an atlas as data: what its file keeps, its pages are made of, and other atlases are
// compared with.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "study/corpus/atlas/measure.h"

namespace lanewise::report {

using AtlasJson = nlohmann::ordered_json;

/// A file of the folder, by its path within it.
struct AtlasFile {
  std::string path, text;
};

/// What is known of an item; docs/atlas.md describes the fields. `numbers` and `sentences` are
/// those of a sweep's page, the others figures. It has no path of this machine.
AtlasJson atlas_entry(const corpus::AtlasItem& item, const std::string& key,
                      const corpus::MeasuredItem& measured);

/// Errors over the input, for wide and narrow windows, and the same near 0, as images; none where
/// nothing was measured.
std::vector<AtlasFile> atlas_pictures(const corpus::AtlasItem& item,
                                      const corpus::MeasuredItem& measured);

/// "exp.bf16": of an entry.
std::string item_name(const AtlasJson& entry);

/// The chip of an entry, or null.
const AtlasJson* entry_chip(const AtlasJson& entry, const std::string& arch);

} // namespace lanewise::report
