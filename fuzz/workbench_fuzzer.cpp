// What a browser sends to 'lanewise serve', and what g++ says of a text that came from there.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "report/workbench/problems.h"
#include "report/workbench/workbench.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto request = lanewise::report::parse_workbench_request(text);
  if (!request && request.error().message.empty()) std::abort(); // nobody could mend it
  nlohmann::json problems = nlohmann::json::array();
  lanewise::report::add_problems(problems, {.message = text}, "error", "k.cpp");
  if (problems.empty()) std::abort(); // a fault has become nothing
  return 0;
}
