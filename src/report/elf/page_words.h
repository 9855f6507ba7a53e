// What the functions of a page of control flow are made of, as pictures.
#pragma once

#include <string>
#include <vector>

#include "report/elf/page_blocks.h"

namespace lanewise::report::flow_page {

/// A row for each function: its words, RISC-V and pushes by their sub-unit, and beside it the
/// pushes alone. Empty without functions.
std::string word_pictures(const std::vector<FlowFacts>& functions);

} // namespace lanewise::report::flow_page
