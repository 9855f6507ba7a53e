#include "number/references/reference.h"

#include "number/references/lines.h"

namespace lanewise::references {

Expected<void> Reference::evaluate_inputs(formats::Format format, const ReferenceInputs& inputs,
                                          ReferenceResults& results) const {
  std::vector<double> x, y;
  reference_numbers(inputs.format, inputs.x, x);
  reference_numbers(inputs.format, inputs.y, y);
  return evaluate(format, x, y, results);
}

Expected<void> Reference::evaluate(formats::Format format, std::span<const double> x,
                                   std::span<const double> y,
                                   std::span<ReferenceValue> results) const {
  std::vector<std::uint32_t> bits(results.size());
  std::vector<double> exact(results.size());
  ReferenceResults lists{.bits = bits, .exact = exact, .undecided = {}};
  if (auto done = evaluate(format, x, y, lists); !done) return done;
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = {.exact = exact[i], .bits = bits[i]};
  for (const std::size_t i : lists.undecided) results[i].decided = false;
  return {};
}

} // namespace lanewise::references
