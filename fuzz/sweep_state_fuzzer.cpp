// libFuzzer target: the record of an interrupted sweep, of any JSON, is read or refused; what was
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

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The chips alone, so that a fuzzer need not find the rest.
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  nlohmann::ordered_json chips = nlohmann::ordered_json::parse(input, nullptr, false);
  if (chips.is_discarded()) return 0;
  const nlohmann::ordered_json record{
      {"chunks", 1}, {"chips", std::move(chips)}, {"pairs", nlohmann::ordered_json::array()}};
  const auto totals = totals_from_json(record, plan(), 0, "fuzz");
  if (!totals) return 0;
  const auto written = totals_to_json(*totals);
  const auto again = totals_from_json(written, plan(), 0, "written");
  if (!again || totals_to_json(*again) != written) std::abort();
  return 0;
}
