#include "study/changes/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/cache.h"
#include "base/in_quotes.h"
#include "base/private_folder.h"
#include "base/process.h"
#include "base/text_file.h"

namespace lanewise::changes {
namespace {

namespace fs = std::filesystem;

/// Of tt-metal, what tests and kernels of LLK include; what is not there is left out. All of
/// tt-llk.
constexpr std::array<std::string_view, 6> kMetalParts{
    "tt_metal/hw",           "tt_metal/hostdevcommon",   "tt_metal/tt-llk",
    "tt_metal/sfpi-version", "tt_metal/sfpi-version.sh", "tt_metal/third_party/tt_llk"};

/// Trees of commits that are kept.
constexpr std::size_t kMostTrees = 16;

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::string without_end(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

/// What git prints. Error: what it says.
Expected<std::string> git(const fs::path& repository, const std::vector<std::string>& words) {
  // Only reads, so that it does not matter whose repository it is.
  std::vector<std::string> command{"git", "-c", "safe.directory=*", "-C", repository.string()};
  command.insert(command.end(), words.begin(), words.end());
  auto result = run_process(command);
  if (!result) return Unexpected(result.error());
  if (!result->succeeded()) return bad_input("git says: " + without_end(std::move(result->err)));
  return std::move(result->out);
}

/// Which parts of a commit are needed; none: all.
Expected<std::vector<std::string>> parts_of(const fs::path& repository, const std::string& commit) {
  std::vector<std::string> words{"ls-tree", "--name-only", "--full-tree", commit};
  words.insert(words.end(), kMetalParts.begin(), kMetalParts.end());
  const auto listed = git(repository, words);
  if (!listed) return Unexpected(listed.error());
  return lines_of(*listed);
}

Expected<void> extract(const fs::path& repository, const std::string& commit,
                       const fs::path& target) {
  const auto parts = parts_of(repository, commit);
  if (!parts) return Unexpected(parts.error());
  std::vector<std::string> words{"archive", "--format=tar", commit};
  words.insert(words.end(), parts->begin(), parts->end());
  // git archives the folder that it stands in; a repository's root is never in doubt.
  auto root = git(repository, {"rev-parse", "--show-cdup"});
  const fs::path at = root ? repository / without_end(*root) : repository;
  const auto archive = git(at, words);
  if (!archive) return Unexpected(archive.error());
  const PrivateFolder folder("tree", target.parent_path());
  const fs::path inside = folder.path() / "tree";
  std::error_code error;
  if (!folder.is_made() || !fs::create_directory(inside, error))
    return bad_input("cannot make a folder in " + target.parent_path().string(),
                     "set LANEWISE_CACHE to a folder of your own");
  const auto unpacked = run_process({"tar", "-x", "-C", inside.string()}, *archive);
  if (!unpacked) return Unexpected(unpacked.error());
  if (!unpacked->succeeded())
    return bad_input("tar says: " + without_end(unpacked->err), "look for a full disk");
  return publish(inside, target);
}

Unexpected no_tree(const std::string& name, std::string message) {
  return bad_input(fmt::format("{} is no tree: {}", in_quotes(name), std::move(message)),
                   "name a folder, FOLDER@REF, or a commit of the repository here");
}

Expected<Tree> tree_of_commit(const std::string& name, const fs::path& repository,
                              const std::string& ref) {
  // What begins with a dash would be an option.
  if (ref.empty() || ref.starts_with('-')) return no_tree(name, "there is no such folder");
  const auto found = git(repository, {"rev-parse", "--verify", "--quiet", ref + "^{commit}"});
  if (!found)
    return no_tree(name, fmt::format("there is no such folder, and no commit {} in {}",
                                     in_quotes(ref), in_quotes(repository.string())));
  const std::string commit = without_end(*found);
  const auto cache = cache_folder();
  if (!cache) return Unexpected(cache.error());
  std::error_code error;
  fs::create_directories(*cache / "trees", error);
  const fs::path folder = *cache / "trees" / commit;
  if (!is_folder(folder)) {
    if (auto extracted = extract(repository, commit, folder); !extracted)
      return no_tree(name, extracted.error().message);
    drop_unused(folder.parent_path(), kMostTrees);
  }
  touch(folder);
  return Tree{.name = name, .folder = folder, .commit = commit};
}

} // namespace

Expected<Tree> open_tree(const std::string& name) {
  if (is_folder(name)) {
    std::error_code error;
    const fs::path whole = fs::absolute(name, error);
    return Tree{.name = name, .folder = error ? fs::path(name) : whole.lexically_normal()};
  }
  for (std::size_t at = name.find('@'); at != std::string::npos; at = name.find('@', at + 1)) {
    const std::string folder = name.substr(0, at);
    if (is_folder(folder)) return tree_of_commit(name, folder, name.substr(at + 1));
  }
  return tree_of_commit(name, ".", name);
}

} // namespace lanewise::changes
