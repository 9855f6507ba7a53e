// Files of measured series: noc_latencies.yaml of tt-metal, or a table (CSV).
#pragma once

#include <string>
#include <vector>

#include "base/fault.h"
#include "study/traffic/series.h"

namespace lanewise::traffic {

/// The columns of a table, as they stand in its first line.
inline constexpr std::string_view kSeriesColumns =
    "source,chip,what,mechanism,memory,transactions,subordinates,same_axis,stateful,loopback,b64,"
    "b128,b256,b512,b1024,b2048,b4096,b8192,b16384,b32768,b65536,unit";

/// The series of such a text. Of a table, rows of other patterns and units are left out. Error:
/// BadInput with the line.
Expected<std::vector<Series>> parse_series_table(const std::string& text);
Expected<std::vector<Series>> parse_series_yaml(const std::string& text);

/// A table where the name ends in ".csv". Errors as above, with the file.
Expected<std::vector<Series>> read_series(const std::string& file);

} // namespace lanewise::traffic
