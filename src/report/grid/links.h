// What the links of the NoCs carried in a run in time.
#pragma once

#include <string>
#include <vector>

#include "chip/isa/noc_record.h"
#include "report/grid/time.h"
#include "report/table/table.h"

namespace lanewise::report {

struct LinkLoad {
  unsigned noc = 0;
  NocPlace begin = {}, end = {}; ///< routers, by physical place
  std::uint64_t bytes = 0;
  double share = 0; ///< of what it can carry in all cycles of the run
};

/// Those that carried something, the most first.
std::vector<LinkLoad> link_loads(const GridTime& time);

/// "NoC 0, from (1, 2) to (2, 2)".
std::string way_text(const LinkLoad& link);

/// "NoC 0, from (1, 2) to (2, 2): 4096 bytes, 12 % of what it can carry".
std::string link_text(const LinkLoad& link);

/// The first few.
Table links_table(const GridTime& time);

} // namespace lanewise::report
