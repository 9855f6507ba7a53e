#include "number/references/reference.h"

namespace lanewise::references {

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
