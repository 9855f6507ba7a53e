// libFuzzer target: the file of a part, of any bytes, is read or refused; what was read can be
// written, and read again as the same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "study/parts/part_file.h"

namespace {

using namespace lanewise::parts;

/// Each line sealed, so that a fuzzer need not find digests; the first with a header's members.
std::string sealed(std::string_view text) {
  PartHeader header;
  header.items = 8;
  std::string file = header_line(header);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const Json line = Json::parse(text.substr(begin, end - begin), nullptr, false);
    if (line.is_object() && !line.empty()) file += sealed_line(line);
    begin = end + 1;
  }
  return file;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  for (const std::string& text : {std::string(input), sealed(input)}) {
    const auto file = parse_part_file(text, "fuzz");
    if (!file) continue;
    const std::string written = part_file_text(*file);
    const auto again = parse_part_file(written, "written");
    if (!again || part_file_text(*again) != written || again->ended != file->ended) std::abort();
  }
  return 0;
}
