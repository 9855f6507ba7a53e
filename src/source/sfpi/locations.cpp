#include "source/sfpi/locations.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>

#include "base/process.h"
#include "base/source_line.h"
#include "source/sfpi/debug_frames.h"
#include "source/sfpi/kernel.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;
using compiler::Frame;
using compiler::Site;

bool is_below(const fs::path& file, const fs::path& folder) {
  const auto [rest, ignored] =
      std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return rest == folder.end();
}

/// File names as the user knows them.
class Names {
 public:
  explicit Names(const SourceFiles& files) : files_(files) {
    std::error_code ignored;
    here_ = fs::current_path(ignored);
    kernel_ = absolute(files.kernel);
    for (const fs::path& folder : files.hidden) hidden_.push_back(absolute(folder));
  }

  /// Nothing for files that the user does not want to see.
  std::optional<std::string> shown(const std::string& file) const {
    const fs::path path = absolute(file);
    if (path == kernel_) return files_.kernel;
    const bool is_generated = path.filename() == kGeneratedFile || path.filename() == kEntryPlace;
    if (is_generated) return std::nullopt;
    for (const fs::path& folder : hidden_) {
      if (is_below(path, folder)) return std::nullopt;
    }
    return is_below(path, here_) ? path.lexically_relative(here_).string() : path.string();
  }

 private:
  fs::path absolute(const fs::path& path) const { return (here_ / path).lexically_normal(); }

  const SourceFiles& files_;
  fs::path here_;
  fs::path kernel_;
  std::vector<fs::path> hidden_;
};

/// What a call says about the operations below it; nothing for most calls.
std::optional<ProgramPart> part_of(const Frame& frame) {
  // Of source/sfpi/include/llk/lanewise_harness.h; kernels may call these themselves.
  constexpr std::array<std::string_view, 3> kAroundTheKernel{
      "lanewise_llk::start", "lanewise_llk::next_face", "lanewise_llk::done"};
  constexpr std::array<std::string_view, 2> kBeforeTheFirstTile{"lanewise_llk::boot",
                                                                "lanewise_llk::init"};
  const auto calls = [&](std::string_view name) {
    return frame.function.find(name) != std::string::npos;
  };
  if (std::ranges::any_of(kAroundTheKernel, calls)) return ProgramPart::Around;
  if (std::ranges::any_of(kBeforeTheFirstTile, calls)) return ProgramPart::Init;
  const fs::path file = fs::path(frame.file).filename();
  if (file == kCallOption || file == kEntryPlace) return ProgramPart::Tile;
  if (file == kInitOption || file == kGeneratedFile) return ProgramPart::Init;
  return std::nullopt;
}

Site site_of(const CallStack& stack, const FramesByAddress& addresses, const Names& names,
             const std::string& kernel) {
  Site site;
  SourcePlace place;
  std::optional<ProgramPart> part; // the innermost call that says anything
  for (const std::uint64_t address : stack) {
    const auto known = addresses.find(address);
    if (known == addresses.end()) continue;
    for (const Frame& frame : known->second) {
      if (!part) part = part_of(frame);
      const auto file = names.shown(frame.file);
      if (!file) continue;
      if (site.frames.empty()) place = {*file == kernel ? "" : *file, frame.line};
      site.frames.push_back({*file, frame.function, frame.line});
    }
  }
  place.part = part.value_or(ProgramPart::Tile);
  site.line = line_number(place);
  return site;
}

/// An order for std::map.
struct Before {
  bool operator()(const Site& a, const Site& b) const {
    if (a.line != b.line) return a.line < b.line;
    return std::ranges::lexicographical_compare(
        a.frames, b.frames, [](const Frame& x, const Frame& y) {
          return std::tie(x.file, x.line, x.function) < std::tie(y.file, y.line, y.function);
        });
  }
};

} // namespace

Expected<std::vector<Site>> find_sites(const fs::path& object, const std::vector<CallStack>& stacks,
                                       const SourceFiles& files) {
  const auto addresses = read_frames(object, stacks);
  if (!addresses) return Unexpected(addresses.error());
  const Names names(files);
  std::vector<Site> sites;
  sites.reserve(stacks.size());
  for (const CallStack& stack : stacks) {
    sites.push_back(site_of(stack, *addresses, names, files.kernel));
  }
  return sites;
}

void set_sites(compiler::Recording& recording, const std::vector<Site>& sites) {
  std::map<Site, std::uint32_t, Before> numbers{{Site{}, 0}};
  std::vector<std::uint32_t> new_number(sites.size());
  recording.sites = {Site{}};
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const auto [place, is_new] =
        numbers.try_emplace(sites[i], static_cast<std::uint32_t>(recording.sites.size()));
    if (is_new) recording.sites.push_back(sites[i]);
    new_number[i] = place->second;
  }
  for (compiler::Node& node : recording.nodes) node.site = new_number[node.site];
}

} // namespace lanewise::sfpi
