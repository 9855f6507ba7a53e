// libFuzzer target: the argument of fp16c is any text, and whatever is a number has a report.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "number/formats/number_argument.h"
#include "report/number/report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto argument = lanewise::formats::parse_number_argument(text);
  if (!argument) {
    if (argument.error().kind != lanewise::FaultKind::BadInput) std::abort();
    return 0;
  }
  const lanewise::report::NumberReport report{text, "", *argument};
  if (lanewise::report::number_text(report).empty()) std::abort();
  if (lanewise::report::number_json(report).empty()) std::abort();
  return 0;
}
