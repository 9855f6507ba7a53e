#include "run/section/places.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/source_line.h"
#include "source/sfpi/headers.h"
#include "source/sfpi/locations.h"

namespace lanewise::section {
namespace {

namespace fs = std::filesystem;

fs::path absolute_path(const fs::path& path) {
  std::error_code ignored;
  return (fs::current_path(ignored) / path).lexically_normal();
}

bool lies_below(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
         folder.end();
}

} // namespace

SectionPlaces::SectionPlaces(sfpi::FrameReader reader, std::string source, const fs::path& hidden,
                             Told told)
    : reader_(std::move(reader)),
      source_(std::move(source)),
      path_(absolute_path(source_)),
      hidden_(absolute_path(hidden)),
      told_(told) {}

Expected<SectionPlaces> SectionPlaces::open(const fs::path& object, std::string source, Told told) {
  const auto headers = sfpi::sfpi_include_folder();
  if (!headers) return Unexpected(headers.error());
  auto reader = sfpi::FrameReader::open(object);
  if (!reader) return Unexpected(reader.error());
  return SectionPlaces(std::move(*reader), std::move(source), *headers, told);
}

std::uint32_t SectionPlaces::line_of(const sfpi::KernelObject& object,
                                     std::vector<std::uint64_t> stack) {
  stack.resize(object.to_file_addresses(stack));
  std::uint32_t innermost = 0;
  for (const std::uint64_t address : stack) {
    const auto [place, is_new] = known_.try_emplace(address);
    if (is_new) place->second = lines_at(address);
    if (told_ == Told::Source && place->second.in_source != 0) return place->second.in_source;
    if (innermost == 0) innermost = place->second.innermost;
    if (told_ == Told::Innermost && innermost != 0) break;
  }
  return innermost;
}

SectionPlaces::Lines SectionPlaces::lines_at(std::uint64_t file_address) {
  Lines lines;
  for (const compiler::Frame& frame : reader_.frames_at(file_address)) {
    const Named& file = named(frame.file);
    if (!file) continue;
    const std::uint32_t line = line_number({.file = *file, .line = frame.line});
    if (lines.innermost == 0) lines.innermost = line;
    if (file->empty() && lines.in_source == 0) lines.in_source = line;
  }
  return lines;
}

const SectionPlaces::Named& SectionPlaces::named(const std::string& file) {
  const auto [known, is_new] = files_.try_emplace(file);
  if (!is_new) return known->second;
  const fs::path path = absolute_path(file);
  const bool is_hidden = lies_below(path, hidden_) || lies_below(path, "/usr") ||
                         path.filename() == sfpi::kGeneratedFile;
  if (path == path_)
    known->second = "";
  else if (!is_hidden)
    known->second = path.string();
  return known->second;
}

} // namespace lanewise::section
