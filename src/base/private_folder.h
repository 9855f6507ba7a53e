// Folders for temporary files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace lanewise {

/// A folder that only the user can read, for as long as the object lives.
class PrivateFolder {
 public:
  /// lanewise-<purpose>-XXXXXX in the folder for temporary files ($TMPDIR).
  explicit PrivateFolder(const std::string& purpose);
  /// The same in another folder, from which what was made can be renamed to its place.
  PrivateFolder(const std::string& purpose, const std::filesystem::path& parent);
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  ~PrivateFolder();

  bool is_made() const { return !path_.empty(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Whether a folder of that name is one that a PrivateFolder has made: where one is left, its
/// process was ended.
bool is_private_folder_name(std::string_view name);

} // namespace lanewise
