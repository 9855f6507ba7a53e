// libFuzzer target: calls of llk-state are any text, and so is a test whose calls are marked. What
// is read says the same when it is written and read again; marks change nothing else.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "run/section/call_text.h"
#include "run/section/state_calls.h"

namespace {

using namespace lanewise;

void check_calls(const std::string& text) {
  const auto calls = section::parse_state_calls(text, 1);
  if (!calls) {
    if (calls.error().kind != FaultKind::BadInput) std::abort();
    return;
  }
  std::string again;
  for (const section::StateCall& call : *calls) {
    if (call.text.empty() || section::trimmed(call.text) != call.text) std::abort();
    // A comment to the end of the line would take the semicolon in.
    again += std::string(section::kSectionNames[call.thread]) + ": " + call.text + "\n;";
  }
  const auto twice = section::parse_state_calls(again, 1);
  if (!twice || *twice != *calls) std::abort();
}

void check_marks(const std::string& text) {
  const section::MarkedTest marked = section::mark_state_calls(text);
  if (std::ranges::count(marked.text, '\n') != std::ranges::count(text, '\n')) std::abort();
  if (marked.calls.empty() && marked.text != text) std::abort();
  std::string unmarked = marked.text;
  for (std::size_t i = 0; i < marked.calls.size(); ++i) {
    const std::string before = "{ lanewise_take(" + std::to_string(2 * i) + "); ";
    const std::string after = " lanewise_take(" + std::to_string(2 * i + 1) + "); }";
    const std::size_t first = unmarked.find(before);
    if (first == std::string::npos) std::abort();
    unmarked.erase(first, before.size());
    const std::size_t last = unmarked.find(after, first);
    if (last == std::string::npos) std::abort();
    unmarked.erase(last, after.size());
  }
  if (text.find("lanewise_take") == std::string::npos && unmarked != text) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check_calls(text);
  check_marks(text);
  return 0;
}
