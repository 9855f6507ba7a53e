// Where the loads and stores of a function go, as far as its code says so along all paths.
#pragma once

#include <vector>

#include "binary/elf/code.h"

namespace lanewise::elf {

/// Fills `accessed`, `stores_to_fifo` and the `tensix` of stores, of the words of one function.
///
/// A register holds a number where every path from the function's beginning, and from the code
/// around it that calls into its middle, has put the same number there. An indirect jump is taken
/// for a switch: it may lead to each piece of code that nothing runs into from above. What no path
/// reaches begins with nothing known, as does the function itself.
void find_accesses(std::vector<CodeWord>& words, Arch arch);

} // namespace lanewise::elf
