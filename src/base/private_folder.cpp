#include "base/private_folder.h"

#include <cstdlib>
#include <system_error>

namespace lanewise {

namespace fs = std::filesystem;

namespace {

fs::path folder_for_temporary_files() {
  std::error_code ignored;
  return fs::temp_directory_path(ignored);
}

} // namespace

PrivateFolder::PrivateFolder(const std::string& purpose)
    : PrivateFolder(purpose, folder_for_temporary_files()) {}

PrivateFolder::PrivateFolder(const std::string& purpose, const fs::path& parent) {
  std::string name = (parent / ("lanewise-" + purpose + "-XXXXXX")).string();
  if (!parent.empty() && ::mkdtemp(name.data()) != nullptr) path_ = name;
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (is_made()) fs::remove_all(path_, ignored);
}

} // namespace lanewise
