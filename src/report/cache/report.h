// What 'lanewise cache' says of the folder of the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/cache_contents.h"

namespace lanewise::report {

/// What a check of all entries has found.
struct CacheCheck {
  std::string folder;
  std::size_t whole = 0;
  std::size_t other_program = 0; ///< whole, of another build
  std::size_t unknown = 0;       ///< of kinds that have no seal
  std::vector<std::string> damaged, unfinished;
};

/// "812.4 MiB".
std::string bytes_text(std::uintmax_t bytes);

/// The folder, and a line for each kind: entries, bytes, and for how long the oldest was not used.
std::string cache_text(const CacheContents& contents);
/// {"folder", "entries", "bytes", "kinds": [{"name", "what", "entries", "bytes",
/// "oldest_use_days"}], "foreign": [paths that the cache has not written]}
nlohmann::ordered_json cache_json(const CacheContents& contents);

/// One line for each damaged entry, and a sum.
std::string check_text(const CacheCheck& check);
/// {"folder", "whole", "other_build", "unsealed", "damaged": [paths], "unfinished": [paths]}
nlohmann::ordered_json check_json(const CacheCheck& check);

/// Entries and bytes that go, or would go, by kind.
std::string prune_text(std::span<const CacheEntry> entries, bool only_tells);
/// {"removed": {KIND: {"entries", "bytes"}}, "dry_run"}
nlohmann::ordered_json prune_json(std::span<const CacheEntry> entries, bool only_tells);

} // namespace lanewise::report
