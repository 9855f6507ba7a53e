// libFuzzer target: any text is a table of cycles whose rows have cases or are refused by name, or
// is itself refused with a line, a column and advice.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "study/silicon/case.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanewise::silicon;
  const auto rows = parse_cost_table({reinterpret_cast<const char*>(data), size});
  if (!rows) {
    const lanewise::Fault& fault = rows.error();
    if (fault.line < 1 || fault.column < 1 || fault.remedy.empty()) std::abort();
    return 0;
  }
  for (const CostRow& row : *rows) {
    if (!(row.least <= row.median && row.median <= row.most)) std::abort();
    const auto members = members_of(row);
    if (!members && members.error().message.empty()) std::abort();
    if (members && members->size() != row.inputs.size() * row.outputs.size() * row.wide.size())
      std::abort();
  }
  return 0;
}
