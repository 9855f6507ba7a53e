// What a part of some work leaves in a file, or long work so that it can go on: lines of JSON, each
// with a digest of itself. The first tells what work this is; then there is a line for each item
// that is done, and at the end of a finished part one that says so.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "study/parts/part.h"

namespace lanewise::parts {

using Json = nlohmann::ordered_json;

/// A JSON object in one line, with a digest of everything before as its last member.
std::string sealed_line(const Json& object);
/// Whether a line, with its end, is one that sealed_line() has given, byte for byte.
bool is_sealed_line(std::string_view line);

/// The words of a command as a user typed them, without the name of the program.
struct CommandWords {
  std::vector<std::string> typed;
  std::vector<std::string> added; ///< by .lanewise.toml
  friend bool operator==(const CommandWords&, const CommandWords&) = default;
};

struct PartHeader {
  CommandWords command; ///< empty where no command line began the work
  /// Of the machine: what may change the last bits of a reference before it is rounded
  /// (docs/parts.md), and nothing else.
  std::string arithmetic;
  Part part;
  std::uint64_t items = 0;   ///< of the whole work
  Json key = Json::object(); ///< what the work depends on: names with values, or digests of them
};

struct PartFile {
  std::string name; ///< of the file, for messages
  PartHeader header;
  std::map<std::uint64_t, Json> records; ///< by item
  bool ended = false;
  bool torn = false; ///< the last line is cut off, as a process leaves it that was ended
};

std::string header_line(const PartHeader& header);
std::string record_line(std::uint64_t item, const Json& value);
std::string end_line(std::uint64_t records);
std::string part_file_text(const PartFile& file);

/// Error: BadInput with `name`, for what Lanewise has not written, a damaged line, and a file of
/// another version. Of two lines for one item the later one counts.
Expected<PartFile> parse_part_file(std::string_view text, const std::string& name);

/// Error: BadInput if `stored`, of a file, is not this key, and in what it differs. `work` is what
/// the file is of, "sweep".
Expected<void> check_key(const Json& stored, const Json& key, std::string_view work,
                         const std::string& name, std::string remedy);

/// The parts in their order, if they are all parts of one work, each once and at its end. Error:
/// BadInput that names the file which does not belong to the first one, is there twice or has not
/// ended, or the parts that are missing.
Expected<std::vector<PartFile>> gather_parts(std::vector<PartFile> files);

} // namespace lanewise::parts
