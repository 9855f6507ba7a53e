// A comparison of two programs as a page of tables, as a notebook shows it.
#pragma once

#include <string>

#include "report/sweep/report.h"

namespace lanewise::report {

/// The tables of diff_text() on a page that needs nothing else.
std::string diff_tables_page(const DiffReport& report);

} // namespace lanewise::report
