#include "base/private_folder.h"

#include <cstdlib>
#include <system_error>

namespace lanewise {

namespace fs = std::filesystem;

PrivateFolder::PrivateFolder(const std::string& purpose) {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  std::string name = (folder / ("lanewise-" + purpose + "-XXXXXX")).string();
  if (!error && ::mkdtemp(name.data()) != nullptr) path_ = name;
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (is_made()) fs::remove_all(path_, ignored);
}

} // namespace lanewise
