// One thread's part in a sweep: everything that is needed to look at one chunk after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "study/parts/part.h"
#include "study/sweep/chunk.h"
#include "study/sweep/counter.h"
#include "study/sweep/errors.h"
#include "study/sweep/merge.h"
#include "study/sweep/order.h"
#include "study/sweep/parts.h"
#include "study/sweep/program.h"
#include "study/sweep/sweep.h"

namespace lanewise::sweep {

/// What a sweep is about; the same for all threads.
struct SweepPlan {
  /// Of a comparison: the first programs, then as many second ones.
  std::vector<SweepProgram> programs;
  bool is_comparison = false;
  const references::Reference* reference = nullptr; ///< may be nullptr for a comparison
  unsigned operands = 1;
  const SweepOptions& options;
  SweepOrder order;
  SweepParts parts;
  parts::ItemRange chunks; ///< of the order, that are looked at

  std::uint64_t inputs() const {
    return order.inputs_before(chunks.end) - order.inputs_before(chunks.begin);
  }

  formats::Format output_format() const { return options.output_format.value_or(options.format); }
  bool generates() const;
  /// Whether anybody asks what registers held before a store.
  bool probes() const { return reference != nullptr || options.distance_parts; }
  bool counts_distances() const {
    return !is_comparison || reference != nullptr || options.distances || options.distance_parts;
  }
  Judgement judgement() const { return {output_format(), options.measure, options.worst_cases}; }
  bool looks_at_symmetry() const { return operands == 1 && !options.space.sample; }
  bool looks_at_monotonicity() const {
    return looks_at_symmetry() && !formats::is_integer(options.format) &&
           !formats::is_integer(output_format());
  }
  CountRules count_rules() const {
    return {options.format, judgement(), looks_at_symmetry(), looks_at_monotonicity()};
  }
};

/// Error: BadInput for what neither `reference` nor the formats have: operands, space, output tile.
Expected<SweepPlan> make_plan(std::vector<SweepProgram> programs,
                              const references::Reference* reference, unsigned operands,
                              const SweepOptions& options);

/// What a chunk has brought.
struct ChunkOutcome {
  std::vector<ChunkStatistics> chips; ///< for each program; only faults if there is no reference
  std::vector<ChunkDiff> diffs;       ///< for each pair of programs of a comparison
};

class SweepWorker {
 public:
  /// Error: BadInput for a .cfg setting that is wrong.
  static Expected<SweepWorker> prepare(const SweepPlan& plan);

  /// Chunks are asked for in their order. Of the worst cases of one, those that may be among the
  /// worst of all. Error: what the reference says.
  Expected<ChunkOutcome> run(std::uint64_t chunk);

  /// The special inputs (study/sweep/specials.h) on every program, with the faults that they lead
  /// to.
  struct Specials {
    std::vector<SweepCase> cases;
    std::vector<Fault> faults;
  };
  Expected<std::vector<Specials>> run_specials();

  const std::vector<ChunkRunner>& programs() const { return programs_; }

 private:
  explicit SweepWorker(const SweepPlan& plan)
      : plan_(&plan),
        evaluator_(plan.options.format, plan.output_format(), plan.reference, plan.options.domain),
        counter_(plan.count_rules(), plan.parts),
        distance_counter_({.format = plan.options.format, .judgement = plan.judgement()},
                          plan.parts) {}

  ChunkDiff compare(const FoundBits& first, const FoundBits& second);

  const SweepPlan* plan_;
  ChunkEvaluator evaluator_;
  ChunkCounter counter_, distance_counter_;
  std::vector<ChunkRunner> programs_;
  std::vector<FoundBits> found_;  ///< of each program
  std::vector<WorstSizes> worst_; ///< of each program, in the chunks until now, which rise
  SweepChunk chunk_;
  std::vector<PartSegment> segments_;
  ChunkErrors errors_;
  SweepChunk first_program_; ///< of a comparison: the inputs with what the first one gives
};

} // namespace lanewise::sweep
