// Headers that are generated into a folder of the cache, one of them precompiled: what stands
// before every kernel (prelude.h), or before code that is generated of the library's own headers
// (host_library.h).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fault.h"
#include "source/sfpi/compilers.h"

namespace lanewise::sfpi {

struct PrecompiledHeader {
  std::filesystem::path folder; ///< named by a digest of all that decides about the header
  /// Names and texts of the folder's headers; the last one is precompiled. Texts are somebody
  /// else's.
  std::vector<std::pair<std::string, std::string_view>> headers;
  /// That must be the same for the header and what includes it, by which it stays usable (GCC
  /// manual, "Using Precompiled Headers"); the folder itself is searched behind those that they
  /// name.
  std::vector<std::string> flags;
};

/// Makes the folder if it is not there, complete as far as can be seen at once; of all folders
/// beside it, only the `most` that were used last are kept. A header that cannot be precompiled is
/// no error here: g++ then reads it as text, and says what is wrong with it.
Expected<void> prepare_header(const HostCompiler& compiler, const PrecompiledHeader& header,
                              std::size_t most);

/// Makes the folder again if its precompiled header is not as it was written, which takes some
/// milliseconds to find out; true if it was not. Error: as prepare_header(). Neither reads a file
/// again that it has found good and that has not changed since.
Expected<bool> mend_header(const HostCompiler& compiler, const PrecompiledHeader& header);

} // namespace lanewise::sfpi
