// A function's control-flow graph as SVG, for a page.
#pragma once

#include <cstddef>
#include <string>

#include "report/elf/page_blocks.h"

namespace lanewise::report::flow_page {

/// The graph with the code of each block. `number`: of the function on its page, from which the ids
/// follow: "b3-7" is block 7 of function 3, "w3-21" its word 21 if that has a finding.
std::string graph_svg(const FlowFacts& facts, std::size_t number);

} // namespace lanewise::report::flow_page
