// --format and --out-format: what Dst and the result hold.
#pragma once

#include <optional>
#include <string>

#include "base/fault.h"
#include "cli/command_line.h"
#include "number/formats/format.h"

namespace lanewise::cli {

/// Adds --format: "`what` (default bf16)". What `format` holds already is the default.
void add_format_option(const Command& command, std::string& format, const std::string& what);

/// Adds --out-format: "`what`, if it is another one`than`".
void add_output_format_option(const Command& command, std::string& format, const std::string& what,
                              const std::string& than = "");

/// What the two options name. Nothing without --out-format.
struct ChosenFormats {
  formats::Format format;
  std::optional<formats::Format> output_format;
};

/// Error: BadInput for a name that no format has.
Expected<ChosenFormats> chosen_formats(const std::string& format, const std::string& output_format);

} // namespace lanewise::cli
