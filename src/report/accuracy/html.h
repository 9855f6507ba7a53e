// The accuracy of many kernels as a page.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/accuracy/table.h"

namespace lanewise::report {

/// A page that needs nothing else: a row for each kernel and chip with the figures of
/// accuracy_table(), and bars for the largest and mean error. A click on a heading sorts, a field
/// searches. `command` is what made it.
std::string accuracy_html(std::span<const AccuracyRow> rows, const std::string& command = {});

/// page.css, compiled in (cmake/embed.cmake).
std::string_view accuracy_style();

} // namespace lanewise::report
