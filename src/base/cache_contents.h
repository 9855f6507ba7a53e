// What lies in the folder of the cache (base/cache.h), to be shown, checked and cleared.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace lanewise {

/// How it is seen that an entry is as it was written.
enum class EntryForm : std::uint8_t {
  Result,  ///< base/remembered.h
  Sealed,  ///< a file with a seal
  Header,  ///< a folder with a precompiled header and its digest
  Unsealed ///< texts that are written again where they are not there
};

/// Of a header's folder, the file with the digest of the precompiled header; empty where there is
/// none.
inline constexpr std::string_view kHeaderDigestName = "precompiled.digest";

/// A folder of the cache, with entries of one kind.
struct CacheKind {
  std::string_view name; ///< of the folder
  std::string_view what; ///< in a few words
  EntryForm form = EntryForm::Unsealed;
};
/// All there are.
std::span<const CacheKind> cache_kinds();
/// nullptr if there is none of that name.
const CacheKind* find_cache_kind(std::string_view name);

struct CacheEntry {
  std::filesystem::path path;
  std::uintmax_t bytes = 0; ///< with all that is in it
  std::filesystem::file_time_type used = {};
  bool is_unfinished = false; ///< somebody writes it just now, or was ended while he did
};

struct CacheContents {
  struct OfKind {
    const CacheKind* kind;
    std::vector<CacheEntry> entries; ///< by name
  };
  std::filesystem::path folder;
  std::vector<OfKind> kinds; ///< those that have a folder, in the order of cache_kinds()
  /// What is no kind, or no entry by its name: the cache has not written it.
  std::vector<std::filesystem::path> foreign;
};

/// What is there at the moment; what goes meanwhile is left out.
CacheContents read_cache(const std::filesystem::path& folder);

enum class EntryState : std::uint8_t {
  Whole,        ///< every byte is as it was written
  OtherProgram, ///< a result, whole, of other code than `program`: nobody takes it but that
  Unknown,      ///< nothing says so
  Damaged
};
EntryState entry_state(const CacheKind& kind, const std::filesystem::path& entry,
                       std::string_view program);

/// Which entries are to go: those for which anything of this is so.
struct PruneWish {
  bool all = false;
  std::optional<double> older_than = std::nullopt;         ///< days without use
  std::optional<std::uintmax_t> most_bytes = std::nullopt; ///< of what stays; the oldest go first
  std::vector<std::string> kinds = {};                     ///< of these alone; empty: all
};

/// Those entries. Error: BadInput if the folder has what the cache has not written: then it may be
/// a folder of other things, and nothing in it is touched; or for a kind that there is not.
Expected<std::vector<CacheEntry>> entries_to_prune(const CacheContents& contents,
                                                   const PruneWish& wish);

} // namespace lanewise
