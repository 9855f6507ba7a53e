#include "run/host/host_source.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "base/in_quotes.h"
#include "base/text_file.h"
#include "source/sfpi/headers.h"
#include "source/sfpi/host_compiler.h"
#include "source/sfpi/locations.h"

namespace lanewise::host {

namespace {

namespace fs = std::filesystem;

/// As the loader of kernels wants it (source/sfpi/kernel_object.h); nothing is recorded. Whoever
/// sleeps wants the device to come to an end, which it has: all is done when a call returns.
constexpr std::string_view kStart = R"(
struct lanewise_recorder;
extern "C" {
lanewise_recorder* lanewise_current_recorder;
void lanewise_entry() {}
struct timespec;
int nanosleep(const struct timespec*, struct timespec*) { return 0; }
int usleep(unsigned) { return 0; }
unsigned sleep(unsigned) { return 0; }
}
)";

constexpr std::string_view kDocumented = "docs/programs.md lists what a host program can use";

/// Without what colours a terminal.
std::string plain(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      while (i < text.size() && text[i] != 'm' && text[i] != 'K') ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

/// A place in front of a message, and what stands behind it.
struct Placed {
  std::string_view file, rest;
  std::uint32_t line = 0, column = 0;
};

/// "FILE:LINE:COLUMN: REST" or "FILE:LINE: REST".
std::optional<Placed> placed(std::string_view text) {
  Placed result;
  const auto number = [&](std::uint32_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end == text.data() + text.size() || (*end != ':' && *end != ','))
      return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
    return true;
  };
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  result.file = text.substr(0, colon);
  text.remove_prefix(colon + 1);
  if (!number(result.line)) return std::nullopt;
  number(result.column);
  result.rest = text;
  return result;
}

/// What comes behind `word` in a text, if it is there.
std::optional<std::string_view> behind(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  return text.substr(at + word.size());
}

/// As much as is read of a message: types of templates have no end.
std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 160;
  if (text.size() <= kMost) return std::string(text);
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end; // whole letters
  return std::string(text.substr(0, end)) + " ...";
}

} // namespace

Fault compile_fault(std::string_view messages, const std::string& file, std::string_view headers) {
  const std::string text = plain(messages);
  const auto is_users = [&](std::string_view name) {
    return !name.starts_with("/usr/") && (headers.empty() || !name.starts_with(headers)) &&
           name != sfpi::kGeneratedFile;
  };
  Fault first{.kind = FaultKind::BadInput, .message = "", .remedy = std::string(kDocumented)};
  std::optional<Placed> reached; // the user's line that leads into a header
  std::size_t errors = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    constexpr std::string_view kIncluded = "In file included from ",
                               kFrom = "                 from ";
    for (const std::string_view start : {kIncluded, kFrom})
      if (line.starts_with(start)) line.remove_prefix(start.size());
    const auto place = placed(line);
    const bool is_here = place && is_users(place->file);
    auto says = behind(line, "error: ");
    if (!says && line.find("undefined reference to") != std::string_view::npos && place)
      says = place->rest.substr(std::min<std::size_t>(1, place->rest.size()));
    if (!says) {
      if (is_here) reached = place;
      continue;
    }
    ++errors;
    if (errors > 1) continue;
    const auto& told = is_here ? place : reached;
    first.file = told ? std::string(told->file) : file;
    first.line = told ? told->line : 0;
    constexpr std::string_view kNoFile = ": No such file or directory";
    first.message = says->ends_with(kNoFile)
                        ? fmt::format("there is no {} here",
                                      in_quotes(says->substr(0, says->size() - kNoFile.size())))
                        : "g++ says: " + shortened(*says);
  }
  if (errors == 0) {
    first.file = file;
    first.message = "g++ could not compile it: " + shortened(text.substr(0, text.find('\n')));
  }
  if (errors > 1) first.message += fmt::format(" (the first of {} errors)", errors);
  return first;
}

Expected<fs::path> compile_host(const HostSource& source) {
  const auto text = read_text_file(source.file);
  if (!text) return Unexpected(text.error());
  if (source.file.find_first_of("\"\\\n") != std::string::npos)
    return bad_input(fmt::format("g++ cannot name a file {}", in_quotes(source.file)), "rename it");
  const auto headers = sfpi::host_include_folder();
  if (!headers) return Unexpected(headers.error());
  const fs::path folder = fs::path(source.file).parent_path();
  std::vector<std::string> flags{"-std=c++20",
                                 "-O1",
                                 "-g1",
                                 "-fPIC",
                                 "-w",
                                 "-fmax-errors=20",
                                 "-fno-diagnostics-show-caret",
                                 "-iquote" + (folder.empty() ? "." : folder.string()),
                                 "-I" + headers->string()};
  for (const std::string& each : source.includes) flags.push_back("-I" + each);
  for (const std::string& each : source.defines) flags.push_back("-D" + each);
  return sfpi::compile_object(
      {.name = source.file,
       .text = fmt::format("#line 1 \"{}\"{}#line 1 \"{}\"\n{}", sfpi::kGeneratedFile, kStart,
                           source.file, *text),
       .flags = std::move(flags),
       .link_flags = {"-Wl,-Bsymbolic"},
       .libraries = {"-lfmt"},
       .needs_libraries = true,
       .version = {},
       .limits = source.limits,
       .tell = [&source, folder = headers->string()](std::string_view messages) {
         return compile_fault(messages, source.file, folder);
       }});
}

} // namespace lanewise::host
