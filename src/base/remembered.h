// Results that took long to compute, kept between runs in the cache (base/cache.h).
//
// A result is a text under a kind and a key. The key says everything that decides about it, and
// stands in the entry as a whole; so does the code that has computed it. An entry that is damaged,
// or of other code, is none: then the result is computed again. One that cannot be written is not
// kept, and nothing else follows from it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lanewise {

class Remembered {
 public:
  /// `cache` is the folder of the cache. `program` names the code that computes, to the bit.
  Remembered(std::filesystem::path cache, std::string program)
      : cache_(std::move(cache)), program_(std::move(program)) {}

  /// What this program has kept under the key; it then counts as used now. A damaged entry is taken
  /// away.
  std::optional<std::string> find(std::string_view kind, std::string_view key) const;

  /// Keeps a value, in the place of one that is there. Of a kind, what was not used for long and
  /// what is too much goes (kMostResults, kMostResultBytes). False if it cannot be written.
  bool keep(std::string_view kind, std::string_view key, std::string_view value) const;

  /// The file of an entry: named by a digest of program and key.
  std::filesystem::path file_of(std::string_view kind, std::string_view key) const;

 private:
  std::filesystem::path cache_;
  std::string program_;
};

/// Of a kind.
inline constexpr std::size_t kMostResults = 4096, kMostResultBytes = std::size_t{256} << 20U;

/// What an entry consists of.
struct RememberedEntry {
  std::string program, key, value;
  friend bool operator==(const RememberedEntry&, const RememberedEntry&) = default;
};

/// The bytes of a file of that name. Nothing back if a byte is not as it was written, or if this is
/// an entry of another name.
std::string entry_text(const RememberedEntry& entry, std::string_view name);
std::optional<RememberedEntry> parse_entry(std::string_view text, std::string_view name);

/// Names the code that this process runs, before anybody asks for results. The build of the command
/// line and of the Python module does so with a digest of the library's objects
/// (cmake/remembered.cmake); who uses the library otherwise remembers nothing. Always true.
bool identify_program(std::string identity);
/// "" if nobody has named it.
const std::string& program_identity();

/// From now on this process neither takes nor keeps results.
void stop_remembering();

/// The results of this process; nothing where none are to be taken or kept: the program has no
/// identity, $LANEWISE_REMEMBER is "off", stop_remembering() was called, or there is no cache.
std::optional<Remembered> remembered_results();

/// Whether a result of this process could not be kept.
bool failed_to_remember();

} // namespace lanewise
