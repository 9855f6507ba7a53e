#include "study/parts/part_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/cache.h"
#include "base/version.h"

namespace lanewise::parts {

namespace {

/// Raised whenever the lines, or what they mean, change.
constexpr unsigned kVersion = 1;
constexpr const char* kVersionName = "lanewise part";

/// Ends a line: digest of all bytes before, and what closes the object that they began.
constexpr std::string_view kSealStart = ",\"digest\":\"", kSealEnd = "\"}\n";

std::string seal_of(std::string_view content) {
  return fmt::format("{}{}{}", kSealStart, Digest().add(content).text(), kSealEnd);
}

Unexpected file_fault(const std::string& name, std::string message, std::string remedy) {
  Unexpected fault = bad_input(std::move(message), std::move(remedy));
  fault.value().file = name;
  return fault;
}

constexpr const char* kBeginAnew = "remove the file to begin anew, or name another one";

/// A line behind its digest; nothing if it is not as it was written.
std::optional<Json> parse_line(std::string_view line) {
  if (!is_sealed_line(line)) return std::nullopt;
  Json json = Json::parse(line, nullptr, false);
  return json.is_object() ? std::optional(std::move(json)) : std::nullopt;
}

bool are_words(const Json& json) {
  return json.is_array() &&
         std::ranges::all_of(json, [](const Json& word) { return word.is_string(); });
}

/// Nothing if it is no header of this version, whatever else it is.
std::optional<PartHeader> header_of(const Json& json) {
  const auto has = [&](const char* name) { return json.contains(name); };
  if (!has("command") || !has("added") || !has("arithmetic") || !has("part") || !has("of") ||
      !has("items") || !has("key"))
    return std::nullopt;
  for (const char* number : {"part", "of", "items"})
    if (!json[number].is_number_unsigned()) return std::nullopt;
  if (!are_words(json["command"]) || !are_words(json["added"]) || !json["key"].is_object() ||
      !json["arithmetic"].is_string())
    return std::nullopt;
  PartHeader header{.command = {json["command"], json["added"]},
                    .arithmetic = json["arithmetic"],
                    .part = {json["part"], json["of"]},
                    .items = json["items"],
                    .key = json["key"]};
  const Part& part = header.part;
  if (part.number < 1 || part.number > part.of || part.of > kMostParts) return std::nullopt;
  return header;
}

/// Takes a line behind the header. False if it makes no sense there.
bool take(const Json& json, PartFile& file) {
  if (file.ended) return false;
  if (const auto end = json.find("end"); end != json.end()) {
    file.ended = true;
    return *end == file.records.size();
  }
  const auto item = json.find("item");
  if (item == json.end() || !item->is_number_unsigned() || !json.contains("value")) return false;
  const auto number = item->get<std::uint64_t>();
  const ItemRange range = range_of(file.header.part, file.header.items);
  if (number < range.begin || number >= range.end) return false;
  file.records.insert_or_assign(number, json["value"]);
  return true;
}

Expected<PartHeader> parse_header(std::string_view line, const std::string& name) {
  const auto json = parse_line(line);
  if (!json || !json->contains(kVersionName))
    return file_fault(name,
                      "Lanewise has not written this, or not all of it: it is no part of any work",
                      kBeginAnew);
  const auto version_of = json->value("version", std::string());
  if ((*json)[kVersionName] != kVersion || version_of != version())
    return file_fault(name,
                      fmt::format("another version of Lanewise has written this: {} there, {} here",
                                  version_of, version()),
                      "do the part again with this version, or go on with that one");
  auto header = header_of(*json);
  if (!header) return file_fault(name, "the first line of this part makes no sense", kBeginAnew);
  return *std::move(header);
}

/// What one of several files has against it beside the first one; "" if nothing.
std::string difference(const PartFile& file, const PartFile& first) {
  const PartHeader &its = file.header, &other = first.header;
  const auto text = [](const PartHeader& header) {
    return fmt::format("lanewise {}", fmt::join(header.command.typed, " "));
  };
  if (its.part.of != other.part.of)
    return fmt::format("this is {}, and {} is {}", part_name(its.part), first.name,
                       part_name(other.part));
  if (its.command != other.command)
    return fmt::format("this is a part of '{}', and {} of '{}'", text(its), first.name,
                       text(other));
  if (its.items != other.items)
    return fmt::format("this is a part of {} items, and {} of {}", its.items, first.name,
                       other.items);
  for (const auto& [what, value] : other.key.items()) {
    const auto found = its.key.find(what);
    if (found == its.key.end() || *found != value)
      return fmt::format("this is a part of other work than {}: {} is {} there, {} here",
                         first.name, what, value.dump(),
                         found == its.key.end() ? "nothing" : found->dump());
  }
  return {};
}

/// "2, 5 and 7", of many only the first ones.
std::string numbers_text(const std::vector<std::uint64_t>& numbers) {
  constexpr std::size_t kMost = 8;
  const std::size_t shown = std::min(numbers.size(), kMost);
  std::string text = fmt::format(
      "{}", fmt::join(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (numbers.size() > shown) text += fmt::format(" and {} more", numbers.size() - shown);
  return text;
}

} // namespace

std::string sealed_line(const Json& object) {
  // What a user has named need not be UTF-8.
  std::string text = object.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.pop_back(); // the seal closes it
  return text + seal_of(text);
}

bool is_sealed_line(std::string_view line) {
  const std::size_t seal = kSealStart.size() + Digest::kDigits + kSealEnd.size();
  const std::size_t content = line.size() - std::min(line.size(), seal);
  return line.substr(content) == seal_of(line.substr(0, content));
}

std::string header_line(const PartHeader& header) {
  return sealed_line({{kVersionName, kVersion},
                      {"version", version()},
                      {"command", header.command.typed},
                      {"added", header.command.added},
                      {"arithmetic", header.arithmetic},
                      {"part", header.part.number},
                      {"of", header.part.of},
                      {"items", header.items},
                      {"key", header.key}});
}

std::string record_line(std::uint64_t item, const Json& value) {
  return sealed_line({{"item", item}, {"value", value}});
}

std::string end_line(std::uint64_t records) {
  return sealed_line({{"end", records}});
}

std::string part_file_text(const PartFile& file) {
  std::string text = header_line(file.header);
  for (const auto& [item, value] : file.records) text += record_line(item, value);
  if (file.ended) text += end_line(file.records.size());
  return text;
}

Expected<PartFile> parse_part_file(std::string_view text, const std::string& name) {
  PartFile file{.name = name, .header = {}, .records = {}};
  std::uint64_t number = 0;
  for (std::size_t begin = 0; begin < text.size() || number == 0;) {
    ++number;
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string_view line = text.substr(begin, end - begin);
    begin = end;
    if (number == 1) {
      auto header = parse_header(line, name);
      if (!header) return Unexpected(header.error());
      file.header = *std::move(header);
      continue;
    }
    if (!line.ends_with('\n')) {
      file.torn = true;
      break;
    }
    const auto json = parse_line(line);
    if (!json || !take(*json, file))
      return file_fault(name, fmt::format("line {} of this part is damaged", number), kBeginAnew);
  }
  return file;
}

Expected<void> check_key(const Json& stored, const Json& key, std::string_view work,
                         const std::string& name, std::string remedy) {
  for (const auto& [what, value] : key.items()) {
    const auto found = stored.find(what);
    if (found != stored.end() && *found == value) continue;
    const std::string other = found == stored.end() ? "nothing" : found->dump();
    return file_fault(name,
                      fmt::format("this is of another {}: {} is {} there, {} here", work, what,
                                  other, value.dump()),
                      std::move(remedy));
  }
  return {};
}

Expected<std::vector<PartFile>> gather_parts(std::vector<PartFile> files) {
  if (files.empty())
    return bad_input("there are no parts", "name the files that --part has written");
  for (const PartFile& file : files) {
    if (const std::string other = difference(file, files.front()); !other.empty())
      return file_fault(file.name, other, "name the files of one work");
  }
  std::ranges::stable_sort(files, {}, [](const PartFile& file) { return file.header.part.number; });
  const Part all = files.front().header.part;
  std::vector<std::uint64_t> missing;
  std::uint64_t wanted = 1;
  const PartFile* before = nullptr;
  for (const PartFile& file : files) {
    const Part& part = file.header.part;
    if (before != nullptr && before->header.part == part)
      return file_fault(file.name,
                        fmt::format("{} is there twice, also as {}", part_name(part), before->name),
                        "name each part once");
    for (; wanted < part.number; ++wanted) missing.push_back(wanted);
    wanted = part.number + 1;
    before = &file;
  }
  for (; wanted <= all.of; ++wanted) missing.push_back(wanted);
  if (!missing.empty())
    return bad_input(
        fmt::format("of {} parts these are missing: {}", all.of, numbers_text(missing)),
        "name the files of all parts; 'lanewise merge --command FILE' prints how a "
        "part is made");
  for (const PartFile& file : files) {
    if (!file.ended)
      return file_fault(file.name,
                        fmt::format("{} has not come to its end", part_name(file.header.part)),
                        "begin it again with the same command, and it goes on");
  }
  return files;
}

} // namespace lanewise::parts
