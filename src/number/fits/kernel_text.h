// An approximation as a kernel with SFPI.
#pragma once

#include <string>

#include "number/fits/approximation.h"

namespace lanewise::fit {

/// A kernel for one tile: `void kernel()`. Results are rounded to nearest for 16-bit formats, since
/// stores cut them off. `command` stands in its first comment.
std::string polynomial_kernel(const FitRequest& request, const Polynomial& polynomial,
                              lab::Format format, const std::string& command);
std::string table_kernel(const FitRequest& request, const LineTable& table, lab::Format format,
                         const std::string& command);

} // namespace lanewise::fit
