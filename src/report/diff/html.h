// A comparison of two programs as a page.
#pragma once

#include <string>

#include "report/sweep/report.h"

namespace lanewise::report {

/// A page that needs nothing else: how many results differ and by how much, pictures of the
/// distance over the input, tables, assembly of both programs with cycles.
std::string diff_html(const DiffReport& report, const std::string& command = {});

} // namespace lanewise::report
