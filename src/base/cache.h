// The folder that keeps compiled kernels between runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/fault.h"

namespace lanewise {

/// A name for contents: two hashes of 64 bits, 128 bits together, which take eight bytes at a time.
class Digest {
 public:
  /// Digits of text().
  static constexpr std::size_t kDigits = 32;

  /// Adds a text; its length counts, so that "ab" + "c" differs from "a" + "bc".
  Digest& add(std::string_view text);
  /// The same of a text that comes in pieces: its length, and then the pieces, of which all but the
  /// last one have whole words of eight bytes.
  void begin(std::uint64_t size) { mix(size); }
  void append(std::string_view piece);
  /// 32 hexadecimal digits.
  std::string text() const;

 private:
  void mix(std::uint64_t word);

  static constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15U; // 2^64 / ((1 + sqrt 5) / 2)
  std::uint64_t first_ = Fnv1a().value(), second_ = kGoldenRatio;
};

/// $LANEWISE_CACHE, or lanewise/ in $XDG_CACHE_HOME, in ~/.cache or, where there is no home, in the
/// folder for temporary files. Created if it is not there.
/// Error: BadInput if it cannot be created or written, or if others may write it: what lies there
/// is loaded into a process of the user.
Expected<std::filesystem::path> cache_folder();

/// A new name in the folder of `target` for a file or folder that shall become `target`.
std::filesystem::path unfinished(const std::filesystem::path& target);

/// Gives a finished file or folder its name in one step. A file replaces what is there; of a
/// folder, the work of another process that was faster stays. Error: BadInput if it cannot be
/// renamed.
Expected<void> publish(const std::filesystem::path& unfinished,
                       const std::filesystem::path& target);

/// The digest of a file's name and bytes; empty if it cannot be read.
std::string file_digest(const std::filesystem::path& file, std::string_view name);

/// Appends to a file the digest of what it has, and of the name under which it will be found.
/// Loaders of objects ignore what follows their sections. Error: BadInput if it cannot be written.
Expected<void> seal(const std::filesystem::path& file, std::string_view name);

/// Whether a file is there, under the name that it was sealed for, and every byte as it was then. A
/// full disk, a crash or a copy may have left something else.
bool is_sealed(const std::filesystem::path& file);

/// The same of what is in memory: a text with its seal, and the text of one whose seal holds, as
/// seal() and is_sealed() have it for a file.
std::string sealed(std::string text, std::string_view name);
std::optional<std::string_view> unsealed(std::string_view text, std::string_view name);

/// Takes away an entry that is damaged, in one step.
void discard(const std::filesystem::path& entry);

/// Marks an entry as used now. False if there is no such entry.
bool touch(const std::filesystem::path& entry);

/// A file that is written for a compiler.
struct GeneratedFile {
  std::string name, text;
};

/// The folder of the cache, among those of a kind, with one file, or with these files; the same for
/// the same files, so that what is compiled from them stays usable. Error: BadInput if it cannot be
/// written.
Expected<std::filesystem::path> file_in_cache(std::string_view kind, std::string_view name,
                                              std::string_view text);
Expected<std::filesystem::path> files_in_cache(std::string_view kind,
                                               std::span<const GeneratedFile> files);

/// Removes the entries of a folder that have not been used for 30 days, and of the others the
/// oldest if there are more than `most`, or, of files, if they have more bytes together.
void drop_unused(const std::filesystem::path& folder, std::size_t most,
                 std::uintmax_t most_bytes = std::numeric_limits<std::uintmax_t>::max());

} // namespace lanewise
