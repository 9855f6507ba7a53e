#include "study/changes/reach.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

namespace lanewise::changes {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPythonTests = "tests/python_tests";

std::string contents_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// Files below a folder, by their names from there.
std::set<std::string> files_below(const fs::path& folder) {
  std::set<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name == "__pycache__" || name == ".git") {
      entry.disable_recursion_pending();
      continue;
    }
    std::error_code ignored;
    if (entry->is_regular_file(ignored))
      files.insert(entry->path().lexically_relative(folder).string());
  }
  return files;
}

bool is_cpp(std::string_view name) {
  constexpr std::array<std::string_view, 6> kEnds{".h", ".hpp", ".cpp", ".inc", ".cc", ".inl"};
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); });
}

/// What may be included, or says how it is compiled; no pages, no scripts.
bool is_source(std::string_view name) {
  return is_cpp(name) || name.find("sfpi-version") != name.npos || name.ends_with(".def");
}

bool same_source(const fs::path& first, const fs::path& second) {
  const std::string one = contents_of(first), other = contents_of(second);
  if (one == other) return true;
  return is_cpp(first.string()) && without_comments(one) == without_comments(other);
}

/// A folder of a tree, and what its files are called in both.
struct Part {
  std::string prefix;
  fs::path first, second;
};

std::vector<Part> parts_of(const checkouts::Checkout& first, const checkouts::Checkout& second) {
  std::vector<Part> parts{{"llk/", first.llk(), second.llk()}};
  for (const std::string name :
       {"tt_metal/hw/inc", "tt_metal/hw/ckernels", "tt_metal/hostdevcommon"})
    parts.push_back({"metal/" + name + "/", first.folder() / name, second.folder() / name});
  return parts;
}

/// The name in #include "name" or <name> of a line, if it is one.
std::optional<std::string> included_name(std::string_view line) {
  const auto skip = [&] {
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  };
  skip();
  if (!line.starts_with('#')) return std::nullopt;
  line.remove_prefix(1);
  skip();
  if (!line.starts_with("include")) return std::nullopt;
  line.remove_prefix(std::string_view("include").size());
  skip();
  if (line.empty() || (line.front() != '"' && line.front() != '<')) return std::nullopt;
  const std::size_t end = line.find_first_of("\">", 1);
  if (end == line.npos) return std::nullopt;
  return std::string(line.substr(1, end - 1));
}

/// Where a quote stands between digits of a number: 1'000.
bool follows_digit(const std::string& text) {
  return !text.empty() && std::isxdigit(static_cast<unsigned char>(text.back())) != 0;
}

} // namespace

std::string without_comments(std::string_view text) {
  std::string result;
  const auto end_line = [&] {
    while (!result.empty() && (result.back() == ' ' || result.back() == '\t')) result.pop_back();
    if (!result.empty() && result.back() != '\n') result += '\n';
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("//")) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (rest.starts_with("/*")) {
      const std::size_t end = text.find("*/", i + 2);
      i = end == text.npos ? text.size() : end + 1;
      result += ' ';
    } else if (rest.starts_with("R\"")) {
      const std::size_t open = text.find('(', i);
      const std::string close =
          open == text.npos ? "" : ")" + std::string(text.substr(i + 2, open - i - 2)) + "\"";
      const std::size_t end = open == text.npos ? text.npos : text.find(close, open);
      const std::size_t stop = end == text.npos ? text.size() : end + close.size();
      result += text.substr(i, stop - i);
      i = stop - 1;
    } else if (c == '"' || (c == '\'' && !follows_digit(result))) {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != c && text[end] != '\n')
        end += text[end] == '\\' ? 2 : 1;
      const std::size_t stop = std::min(end + 1, text.size());
      result += text.substr(i, stop - i);
      i = stop - 1;
    } else if (c == '\n') {
      end_line();
    } else if (c != '\r') {
      result += c;
    }
  }
  end_line();
  return result;
}

std::set<SharedName> changed_files(const checkouts::Checkout& first,
                                   const checkouts::Checkout& second) {
  std::set<SharedName> changed;
  for (const Part& part : parts_of(first, second)) {
    const std::set<std::string> before = files_below(part.first), after = files_below(part.second);
    std::set<std::string> all = before;
    all.insert(after.begin(), after.end());
    for (const std::string& name : all) {
      if (!is_source(name) || (part.prefix == "llk/" && name.starts_with(kPythonTests))) continue;
      const bool is_same = before.contains(name) && after.contains(name) &&
                           same_source(part.first / name, part.second / name);
      if (!is_same) changed.insert(part.prefix + name);
    }
  }
  if (first.sfpi_release() != second.sfpi_release()) changed.insert("metal/tt_metal/sfpi-version");
  return changed;
}

std::set<std::string> changed_python(const checkouts::Checkout& first,
                                     const checkouts::Checkout& second) {
  const fs::path one = first.llk() / kPythonTests, other = second.llk() / kPythonTests;
  std::set<std::string> all = files_below(one);
  all.merge(files_below(other));
  std::erase_if(all, [&](const std::string& name) {
    // Tests of performance and of other chips are not run.
    if (name.starts_with("perf_") || name.starts_with("quasar/")) return true;
    if (!name.ends_with(".py") && !name.ends_with(".yaml") && !name.ends_with(".json")) return true;
    return is_file(one / name) && is_file(other / name) &&
           contents_of(one / name) == contents_of(other / name);
  });
  return all;
}

SharedName shared_name(const checkouts::Checkout& checkout, const fs::path& file) {
  const fs::path normal = file.lexically_normal();
  const std::string below = normal.lexically_relative(checkout.llk().lexically_normal()).string();
  if (!below.starts_with("..") && !below.empty()) return "llk/" + below;
  return "metal/" + normal.lexically_relative(checkout.folder().lexically_normal()).string();
}

IncludeGraph::IncludeGraph(const checkouts::Checkout& checkout, Arch arch) : checkout_(checkout) {
  for (const fs::path& folder : checkout.test_include_folders(arch)) folders_.push_back(folder);
  for (const std::string& folder : checkout.include_folders(arch)) folders_.emplace_back(folder);
}

const std::vector<fs::path>& IncludeGraph::includes_of(const fs::path& file) {
  const auto [known, is_new] = known_.try_emplace(file);
  if (!is_new) return known->second;
  std::set<fs::path> found;
  std::ifstream stream(file, std::ios::binary);
  for (std::string line; std::getline(stream, line);) {
    const auto name = included_name(line);
    if (!name) continue;
    std::vector<fs::path> places{file.parent_path() / *name};
    for (const fs::path& folder : folders_) places.push_back(folder / *name);
    for (const fs::path& place : places) {
      if (is_file(place)) found.insert(place.lexically_normal());
    }
  }
  known->second.assign(found.begin(), found.end());
  return known->second;
}

std::set<SharedName> IncludeGraph::reached_by(const fs::path& file) {
  std::set<fs::path> seen{file.lexically_normal()};
  std::vector<fs::path> open(seen.begin(), seen.end());
  std::set<SharedName> names;
  while (!open.empty()) {
    const fs::path next = std::move(open.back());
    open.pop_back();
    names.insert(shared_name(checkout_, next));
    for (const fs::path& each : includes_of(next)) {
      if (seen.insert(each).second) open.push_back(each);
    }
  }
  return names;
}

bool IncludeGraph::reaches(const fs::path& file, const std::set<SharedName>& changed) {
  // Another release of SFPI is another compiler.
  if (std::ranges::any_of(
          changed, [](const SharedName& name) { return name.find("sfpi-version") != name.npos; }))
    return true;
  const std::set<SharedName> names = reached_by(file);
  return std::ranges::any_of(names, [&](const SharedName& name) { return changed.contains(name); });
}

std::vector<std::string> test_sources(const checkouts::Checkout& checkout) {
  std::vector<std::string> sources;
  for (const std::string& name : files_below(checkout.llk() / "tests" / "sources")) {
    if (name.ends_with(".cpp") && !name.starts_with("quasar/"))
      sources.push_back("tests/sources/" + name);
  }
  return sources;
}

std::vector<std::string> python_tests_of(const checkouts::Checkout& checkout,
                                         const std::set<std::string>& sources) {
  std::vector<std::string> tests;
  const fs::path folder = checkout.llk() / kPythonTests;
  for (const std::string& name : files_below(folder)) {
    const fs::path path(name);
    if (!path.filename().string().starts_with("test_") || path.extension() != ".py" ||
        name.starts_with("quasar/"))
      continue;
    const std::string text = contents_of(folder / name);
    const bool names_one = std::ranges::any_of(sources, [&](const std::string& source) {
      // A test may put the name together of a folder's and a file's, or without its ending (2025).
      const std::string stem = fs::path(source).stem().string();
      return text.find(stem + ".cpp") != text.npos || text.find("\"" + stem + "\"") != text.npos;
    });
    if (names_one) tests.push_back(name);
  }
  return tests;
}

} // namespace lanewise::changes
