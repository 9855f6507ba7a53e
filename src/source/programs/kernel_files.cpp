#include "source/programs/kernel_files.h"

#include <filesystem>
#include <system_error>
#include <vector>

namespace lanewise::programs {

std::string find_kernel_file(const std::string& file, const std::string& named_in,
                             const std::string& checkout) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  std::vector<fs::path> folders{fs::path()};
  if (!named_in.empty()) {
    fs::path folder = fs::absolute(named_in, ignored).lexically_normal().parent_path();
    for (; folder.has_relative_path(); folder = folder.parent_path()) folders.push_back(folder);
  }
  if (!checkout.empty()) {
    folders.emplace_back(checkout);
    folders.push_back(fs::path(checkout) / "tt_metal" / "programming_examples");
  }
  for (const fs::path& folder : folders)
    if (fs::is_regular_file(folder / file, ignored)) return (folder / file).string();
  return file;
}

} // namespace lanewise::programs
