// libFuzzer target: the file of an interrupted sweep, of any bytes, is read or refused; what was
// read can be written, and read again as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "study/sweep/resume.h"

namespace {

using namespace lanewise;
using namespace lanewise::sweep;

/// Stands for a function, of which a file has only the name.
class NoReference : public references::Reference {
 public:
  const std::string& text() const override { return text_; }
  const std::string& identity() const override { return text_; }
  unsigned operands() const override { return 1; }
  Expected<void> evaluate(formats::Format, std::span<const double>, std::span<const double>,
                          references::ReferenceResults&) const override {
    return {};
  }

 private:
  std::string text_ = "x";
};

const SweepPlan& plan() {
  static const NoReference reference;
  static const SweepOptions options{.worst_cases = 2};
  static const SweepPlan made = make_plan({SweepProgram{}}, &reference, 1, options).value();
  return made;
}

/// The file with these chips, so that a fuzzer need find neither key nor digest.
std::string with_key(std::string_view chips) {
  auto file = sweep_key(plan());
  file["chunks"] = 1;
  std::string text = file.dump();
  text.back() = ',';
  return sealed_sweep_state(text.append("\"chips\":").append(chips).append("}"));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  for (const std::string& text : {std::string(input), with_key(input)}) {
    const auto totals = read_sweep_state(std::as_bytes(std::span(text)), plan(), "fuzz");
    if (!totals) continue;
    const auto written = write_sweep_state(sweep_key(plan()), *totals);
    const auto again = read_sweep_state(written, plan(), "written");
    if (!again || write_sweep_state(sweep_key(plan()), *again) != written) std::abort();
  }
  return 0;
}
