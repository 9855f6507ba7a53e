#include "run/vectors/conformance.h"

#include "chip/machine/executor.h"
#include "chip/machine/frontend/front_end.h"
#include "run/vectors/tile_conformance.h"
#include "run/vectors/vector_items.h"

namespace lanewise::vectors {

std::optional<Difference> run_case(const VectorCase& test) {
  if (test.tile) return run_tile_case(test);
  FrontEnd front_end(test.arch());
  const MicroProgram program =
      front_end.expand({.name = test.name, .words = test.words, .config = {}});
  for (const Fault& fault : program.faults) {
    if (fault.kind == FaultKind::Unsupported) {
      return Difference{.place = "not executed: " + to_string(fault),
                        .expected = "",
                        .found = "",
                        .line = fault.line};
    }
  }
  MachineState state = test.initial;
  execute(state, program.ops);
  for (const Expectation& expectation : test.expectations) {
    const VectorItemRow& row = row_of(expectation.item);
    if (auto difference = row.compare(test, expectation.values, {.machine = state})) {
      difference->line = expectation.line;
      return difference;
    }
  }
  return std::nullopt;
}

Expected<ConformanceResult> run_conformance(VectorReader& reader, const DifferenceReport& report,
                                            const ConformanceProgress& progress) {
  ConformanceResult result;
  for (;;) {
    auto test = reader.next();
    if (!test) return Unexpected(test.error());
    if (*test == nullptr) return result;
    ++result.cases;
    if (const auto difference = run_case(**test)) {
      ++result.differing;
      report(**test, *difference);
    }
    if (!progress(result)) return result;
  }
}

} // namespace lanewise::vectors
