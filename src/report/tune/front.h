// What can be had for an error: the front of 'lanewise tune --max-ulp' as text, JSON and picture.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

#include "number/formats/format.h"
#include "study/tune/front.h"

namespace lanewise::report {

struct FrontReport {
  std::string name;      ///< of the kernel
  std::string reference; ///< as the user wrote it; empty: the plain kernel's results
  double max_ulp = 0;
  formats::Format format = formats::Format::BF16; ///< of the inputs
  tune::Front front;
};

/// A table of the plain kernel and the points, and what was done.
std::string front_text(const FrontReport& report);

/// docs/tuning.md describes the fields.
nlohmann::json front_json(const FrontReport& report);

/// An SVG by itself, in light and in dark colours.
std::string front_svg(const FrontReport& report);

} // namespace lanewise::report
