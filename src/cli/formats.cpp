#include "cli/formats.h"

#include <fmt/format.h>

namespace lanewise::cli {

void add_format_option(const Command& command, std::string& format, const std::string& what) {
  command.option("--format", format, fmt::format("{} (default {})", what, format)).value("FORMAT");
}

void add_output_format_option(const Command& command, std::string& format, const std::string& what,
                              const std::string& than) {
  command.option("--out-format", format, fmt::format("{}, if it is another one{}", what, than))
      .value("FORMAT");
}

Expected<ChosenFormats> chosen_formats(const std::string& format,
                                       const std::string& output_format) {
  const auto known = formats::parse_format(format);
  if (!known) return Unexpected(known.error());
  ChosenFormats chosen{.format = *known, .output_format = {}};
  if (output_format.empty()) return chosen;
  const auto output = formats::parse_format(output_format);
  if (!output) return Unexpected(output.error());
  chosen.output_format = *output;
  return chosen;
}

} // namespace lanewise::cli
