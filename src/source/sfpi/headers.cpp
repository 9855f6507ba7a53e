#include "source/sfpi/headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/cache.h"
#include "base/in_quotes.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;

/// See look_for_headers_in(); empty if nobody has called it.
fs::path& told_prefix() {
  static fs::path prefix;
  return prefix;
}

/// A folder of the prefixes that are known while running: the one that was told, and that of the
/// running program, if that is known.
std::vector<fs::path> in_prefixes(const fs::path& folder) {
  std::vector<fs::path> folders;
  if (!told_prefix().empty()) folders.push_back(told_prefix() / folder);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(program.parent_path().parent_path() / folder);
  return folders;
}

std::vector<fs::path> candidates() {
  std::vector<fs::path> folders = in_prefixes("share/lanewise/sfpi/include");
  folders.emplace_back(LANEWISE_SFPI_INCLUDE_DIR);
  folders.emplace_back(LANEWISE_SFPI_INSTALL_DIR);
  return folders;
}

bool has_sfpi(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "sfpi.h", ignored);
}

} // namespace

void look_for_headers_in(fs::path prefix) {
  told_prefix() = std::move(prefix);
}

Expected<fs::path> sfpi_include_folder() {
  constexpr const char* kVariable = "LANEWISE_SFPI";
  if (const char* chosen = std::getenv(kVariable); chosen != nullptr && *chosen != '\0') {
    if (has_sfpi(chosen)) return fs::absolute(chosen);
    return bad_input(
        fmt::format("there is no sfpi.h in {}, which {} names", in_quotes(chosen), kVariable),
        "let it name the folder with sfpi.h, or unset it");
  }
  const std::vector<fs::path> folders = candidates();
  const auto found = std::ranges::find_if(folders, has_sfpi);
  if (found != folders.end()) return *found;
  return bad_input(
      "sfpi.h is not where it was installed",
      fmt::format("install lanewise again, or set {} to the folder with sfpi.h", kVariable));
}

Expected<fs::path> host_include_folder() {
  const auto sfpi = sfpi_include_folder();
  if (!sfpi) return Unexpected(sfpi.error());
  std::error_code ignored;
  fs::path folder = (*sfpi / "../../programs/include").lexically_normal();
  if (fs::is_directory(folder / "tt-metalium", ignored)) return folder;
  return bad_input(fmt::format("the headers of host programs are not in {}", folder.string()),
                   "install lanewise again");
}

Expected<std::vector<fs::path>> library_include_folders() {
  std::vector<std::vector<fs::path>> choices;
  for (const fs::path& folder : in_prefixes("share/lanewise/include")) choices.push_back({folder});
  choices.push_back({LANEWISE_SOURCE_DIR, LANEWISE_GENERATED_DIR});
  choices.push_back({LANEWISE_LIBRARY_INSTALL_DIR});
  std::error_code ignored;
  for (const auto& folders : choices) {
    if (fs::is_regular_file(folders.front() / "chip" / "machine" / "kernels" / "row.h", ignored))
      return folders;
  }
  return bad_input("the library's headers are not where they were installed",
                   "install lanewise again");
}

std::string folder_digest(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored)) files.push_back(entry->path());
  }
  std::ranges::sort(files); // directories have no order of their own
  Digest digest;
  for (const fs::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    digest.add(file.string()).add(text);
  }
  return digest.text();
}

} // namespace lanewise::sfpi
