#include "base/cache_contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <system_error>
#include <utility>

#include "base/cache.h"
#include "base/in_quotes.h"
#include "base/private_folder.h"
#include "base/remembered.h"
#include "base/text_file.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

constexpr std::array kKinds{
    CacheKind{"sweeps", "results of sweeps", EntryForm::Result},
    CacheKind{"tunings", "programs that the tuner has found", EntryForm::Result},
    CacheKind{"proofs", "proofs of the tuner", EntryForm::Result},
    CacheKind{"objects", "compiled kernels", EntryForm::Sealed},
    CacheKind{"notes", "which compiled kernel belongs to which source"},
    CacheKind{"headers", "precompiled headers of kernels", EntryForm::Header},
    CacheKind{"libraries", "loops as native code", EntryForm::Sealed},
    CacheKind{"library_headers", "precompiled headers of such loops", EntryForm::Header},
    CacheKind{"compilers", "what compilers say of their version"},
    CacheKind{"programs", "generated sources of kernels"},
    CacheKind{"build", "generated headers of tests of LLK"},
    CacheKind{"link", "scripts of the linker"},
    CacheKind{"state", "generated sources of llk-state"},
    CacheKind{"clock", "generated sources of clock"},
    CacheKind{"trees", "commits that llk-diff has taken out of a repository"},
};

constexpr std::string_view kUnfinishedEnd = ".tmp";

/// A digest, or the name of a commit, and behind it nothing or an end such as ".so".
bool is_name_of_entry(std::string_view name) {
  constexpr std::size_t kCommitDigits = 40;
  const std::size_t digits = std::min(name.find_first_not_of("0123456789abcdef"), name.size());
  return (digits == Digest::kDigits || digits == kCommitDigits) &&
         (digits == name.size() || name[digits] == '.');
}

/// A link is none: what it leads to is somebody else's.
bool is_real(const fs::path& path, fs::file_type type) {
  std::error_code ignored;
  return fs::symlink_status(path, ignored).type() == type;
}

bool is_real_folder(const fs::path& path) {
  return is_real(path, fs::file_type::directory);
}

std::uintmax_t bytes_of(const fs::path& path) {
  std::error_code error;
  if (const auto size = fs::file_size(path, error); !error) return size;
  std::uintmax_t bytes = 0;
  for (fs::recursive_directory_iterator each(path, error), end; !error && each != end;
       each.increment(error)) {
    std::error_code ignored;
    if (each->is_regular_file(ignored)) bytes += each->file_size(ignored);
  }
  return bytes;
}

/// The names in a folder, sorted.
std::vector<fs::path> paths_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error))
    paths.push_back(each->path());
  std::ranges::sort(paths);
  return paths;
}

CacheContents::OfKind read_kind(const CacheKind& kind, const fs::path& folder,
                                std::vector<fs::path>& foreign) {
  CacheContents::OfKind found{.kind = &kind, .entries = {}};
  for (const fs::path& path : paths_in(folder)) {
    const std::string name = path.filename().string();
    std::error_code gone;
    const auto used = fs::last_write_time(path, gone);
    const bool is_left = is_private_folder_name(name) && is_real_folder(path);
    const bool is_entry =
        is_name_of_entry(name) && (is_real_folder(path) || is_real(path, fs::file_type::regular));
    if (!is_entry && !is_left) {
      foreign.push_back(path);
    } else if (!gone) {
      found.entries.push_back({.path = path,
                               .bytes = bytes_of(path),
                               .used = used,
                               .is_unfinished = is_left || name.ends_with(kUnfinishedEnd)});
    }
  }
  return found;
}

EntryState state_of_result(const fs::path& entry, std::string_view program) {
  const auto text = read_text_file(entry.string());
  const auto parsed = text ? parse_entry(*text, entry.filename().string()) : std::nullopt;
  if (!parsed) return EntryState::Damaged;
  return parsed->program == program ? EntryState::Whole : EntryState::OtherProgram;
}

EntryState state_of_header(const fs::path& folder) {
  const auto digest = read_text_file((folder / kHeaderDigestName).string());
  if (!digest) return EntryState::Damaged;
  // One that could not be precompiled has an empty digest, and no such file.
  std::string found;
  for (const fs::path& path : paths_in(folder)) {
    if (path.extension() == ".gch") found = file_digest(path, path.filename().string());
  }
  return found == *digest ? EntryState::Whole : EntryState::Damaged;
}

Expected<void> check_wish(const CacheContents& contents, const PruneWish& wish) {
  if (!contents.foreign.empty())
    return bad_input(
        fmt::format("{} has {}, which is none of the cache's: nothing is removed",
                    contents.folder.string(), in_quotes(contents.foreign.front().string())),
        "move it elsewhere, or name the folder of the cache with LANEWISE_CACHE");
  for (const std::string& kind : wish.kinds) {
    if (find_cache_kind(kind) == nullptr)
      return bad_input(fmt::format("the cache has no kind {}", in_quotes(kind)),
                       "'lanewise cache' lists them");
  }
  return {};
}

} // namespace

std::span<const CacheKind> cache_kinds() {
  return kKinds;
}

const CacheKind* find_cache_kind(std::string_view name) {
  const auto* const kind = std::ranges::find(kKinds, name, &CacheKind::name);
  return kind == kKinds.end() ? nullptr : kind;
}

CacheContents read_cache(const fs::path& folder) {
  CacheContents contents{.folder = folder, .kinds = {}, .foreign = {}};
  for (const CacheKind& kind : kKinds) {
    const fs::path path = folder / kind.name;
    if (is_real_folder(path)) contents.kinds.push_back(read_kind(kind, path, contents.foreign));
  }
  for (const fs::path& path : paths_in(folder)) {
    const bool is_kind = find_cache_kind(path.filename().string()) != nullptr;
    if (!is_kind || !is_real_folder(path)) contents.foreign.push_back(path);
  }
  return contents;
}

EntryState entry_state(const CacheKind& kind, const fs::path& entry, std::string_view program) {
  switch (kind.form) {
    case EntryForm::Result: return state_of_result(entry, program);
    case EntryForm::Sealed: return is_sealed(entry) ? EntryState::Whole : EntryState::Damaged;
    case EntryForm::Header: return state_of_header(entry);
    case EntryForm::Unsealed: break;
  }
  return EntryState::Unknown;
}

Expected<std::vector<CacheEntry>> entries_to_prune(const CacheContents& contents,
                                                   const PruneWish& wish) {
  if (auto possible = check_wish(contents, wish); !possible) return Unexpected(possible.error());
  std::vector<CacheEntry> entries;
  for (const auto& of_kind : contents.kinds) {
    const bool is_wanted =
        wish.kinds.empty() || std::ranges::find(wish.kinds, of_kind.kind->name) != wish.kinds.end();
    if (is_wanted) entries.insert(entries.end(), of_kind.entries.begin(), of_kind.entries.end());
  }
  std::ranges::stable_sort(entries, std::greater<>(), &CacheEntry::used);
  const auto now = fs::file_time_type::clock::now();
  std::uintmax_t kept = 0;
  std::erase_if(entries, [&](const CacheEntry& entry) {
    const std::chrono::duration<double, std::ratio<86400>> unused = now - entry.used;
    const bool is_old = wish.older_than && unused.count() > *wish.older_than;
    const bool is_too_much = wish.most_bytes && kept + entry.bytes > *wish.most_bytes;
    const bool goes = wish.all || is_old || is_too_much;
    if (!goes) kept += entry.bytes;
    return !goes;
  });
  return entries;
}

} // namespace lanewise
