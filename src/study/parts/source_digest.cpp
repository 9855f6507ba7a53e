#include "study/parts/source_digest.h"

#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include "base/cache.h"

namespace lanewise::parts {

namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& path) {
  const std::string name = path.filename().string();
  return !name.starts_with('.') && name != "__pycache__";
}

/// Paths below the folder.
std::set<std::string> files_of(const fs::path& folder) {
  std::set<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error)) {
    if (!is_source(each->path())) {
      each.disable_recursion_pending();
      continue;
    }
    std::error_code ignored;
    if (each->is_regular_file(ignored) && !each->is_symlink(ignored))
      files.insert(each->path().lexically_relative(folder).generic_string());
  }
  return files;
}

} // namespace

std::string source_digest(std::span<const fs::path> folders) {
  Digest digest;
  for (const fs::path& folder : folders) {
    const std::set<std::string> files = files_of(folder);
    digest.add(std::to_string(files.size()));
    for (const std::string& file : files) {
      std::ifstream stream(folder / file, std::ios::binary);
      digest.add(file).add(std::string{std::istreambuf_iterator<char>(stream), {}});
    }
  }
  return digest.text();
}

} // namespace lanewise::parts
