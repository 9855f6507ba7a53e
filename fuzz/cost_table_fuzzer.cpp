// libFuzzer target: any text is a table of cycles whose rows have cases or are refused by name, or
// is itself refused with a line, a column and advice; so is a recorded comparison, which is written
// as it was read.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "study/silicon/case.h"
#include "study/silicon/record.h"

namespace {

void record(std::string_view text) {
  using namespace lanewise::silicon;
  const auto read = parse_record(text);
  if (!read) {
    const lanewise::Fault& fault = read.error();
    if (fault.line < 1 || fault.column < 1 || fault.remedy.empty()) std::abort();
    return;
  }
  const std::string written = record_text(*read);
  // A measurement of less than a hundredth of a cycle is none when it is written.
  const auto again = parse_record(written);
  if (again && record_text(*again) != written) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanewise::silicon;
  record({reinterpret_cast<const char*>(data), size});
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
