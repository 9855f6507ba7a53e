#include "base/private_folder.h"

#include <cstdlib>
#include <system_error>

namespace lanewise {

namespace fs = std::filesystem;

namespace {

/// Around the purpose; mkdtemp() replaces the X.
constexpr std::string_view kStart = "lanewise-", kEnd = "-XXXXXX";

fs::path folder_for_temporary_files() {
  std::error_code ignored;
  return fs::temp_directory_path(ignored);
}

} // namespace

bool is_private_folder_name(std::string_view name) {
  const std::size_t end = name.rfind('-');
  return name.starts_with(kStart) && end >= kStart.size() && end != std::string_view::npos &&
         name.size() - end == kEnd.size();
}

PrivateFolder::PrivateFolder(const std::string& purpose)
    : PrivateFolder(purpose, folder_for_temporary_files()) {}

PrivateFolder::PrivateFolder(const std::string& purpose, const fs::path& parent) {
  std::string name = (parent / std::string(kStart).append(purpose).append(kEnd)).string();
  if (!parent.empty() && ::mkdtemp(name.data()) != nullptr) path_ = name;
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (is_made()) fs::remove_all(path_, ignored);
}

} // namespace lanewise
