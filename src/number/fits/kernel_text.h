// An approximation as a kernel with SFPI.
#pragma once

#include <string>

#include "number/fits/approximation.h"

namespace lanewise::fits {

/// A kernel for one tile: `void kernel()`. Results are rounded to nearest for 16-bit formats, since
/// stores cut them off. `command` stands in its first comment.
std::string polynomial_kernel(const FitRequest& request, const Polynomial& polynomial,
                              formats::Format format, const std::string& command);
std::string table_kernel(const FitRequest& request, const LineTable& table, formats::Format format,
                         const std::string& command);

} // namespace lanewise::fits
