#include "study/sweep/worker.h"

#include <fmt/format.h>

#include <utility>

#include "number/formats/number_line.h"
#include "study/sweep/specials.h"

namespace lanewise::sweep {

namespace {

Expected<void> check_functions(const references::Reference* reference, unsigned operands,
                               const references::Reference* domain) {
  if (operands != 1 && operands != 2) {
    return bad_input(fmt::format("a sweep over {} operands", operands),
                     "sweeps have one operand or two");
  }
  if (reference != nullptr && reference->operands() != operands) {
    return bad_input(fmt::format("the reference has {} operands where there are {}",
                                 reference->operands(), operands),
                     "give a function of as many operands");
  }
  if (domain != nullptr && domain->operands() > operands) {
    return bad_input("the domain is a function of x and y, but the reference one of x alone",
                     "use x only, or a reference that has both");
  }
  return {};
}

/// What SrcA and SrcB can hold, and that all operands are somewhere.
Expected<void> check_sources(const SweepOptions& options, unsigned operands) {
  const SourceOperands& sources = options.sources;
  if (!sources.any()) return {};
  if (options.format != formats::Format::BF16 && options.format != formats::Format::FP16) {
    return bad_input(
        fmt::format("SrcA and SrcB do not hold every {}", formats::format_name(options.format)),
        "sweep bf16 or fp16 there; --out-format may be fp32");
  }
  if (sources.srca.value_or(0) >= operands || sources.srcb.value_or(0) >= operands) {
    return bad_input("y in SrcA or SrcB, but the function is one of x alone",
                     "give x there, or a function of x and y");
  }
  bool in_dst = false;
  for (unsigned operand = 0; operand < operands; ++operand)
    in_dst = in_dst || !sources.has(operand);
  if (in_dst && options.output_format.value_or(options.format) != options.format) {
    return bad_input("an operand in Dst beside one in SrcA or SrcB, and results of another format",
                     "leave --out-format out, or put both operands into the sources");
  }
  return {};
}

std::uint64_t count_changes(std::span<const std::uint32_t> first,
                            std::span<const std::uint32_t> second) {
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i < first.size(); ++i) changed += first[i] != second[i] ? 1 : 0;
  return changed;
}

} // namespace

Expected<SweepPlan> make_plan(std::vector<SweepProgram> programs,
                              const references::Reference* reference, unsigned operands,
                              const SweepOptions& options) {
  if (programs.empty()) return bad_input("a sweep without a program", "give at least one");
  if (auto fits = check_functions(reference, operands, options.domain); !fits)
    return Unexpected(fits.error());
  const formats::Format output_format = options.output_format.value_or(options.format);
  if (auto fits = execution::check_output_tile(output_format, options.output_tile); !fits)
    return Unexpected(fits.error());
  if (auto fits = check_sources(options, operands); !fits) return Unexpected(fits.error());
  auto order = SweepOrder::make(options.format, operands, options.space);
  if (!order) return Unexpected(order.error());
  SweepParts parts(order->patterns());
  const parts::ItemRange chunks{0, order->chunks()};
  return SweepPlan{.programs = std::move(programs),
                   .is_comparison = false,
                   .reference = reference,
                   .operands = operands,
                   .options = options,
                   .order = std::move(*order),
                   .parts = std::move(parts),
                   .chunks = chunks};
}

bool SweepPlan::generates() const {
  constexpr std::uint64_t kLong = 100'000'000; // half a second of interpretation on a core
  switch (options.generation) {
    case Generation::IfLong: return inputs() >= kLong;
    case Generation::Always: return true;
    case Generation::Never: break;
  }
  return false;
}

Expected<SweepWorker> SweepWorker::prepare(const SweepPlan& plan) {
  SweepWorker worker(plan);
  for (const SweepProgram& program : plan.programs) {
    auto runner = ChunkRunner::prepare(program, plan.options, plan.generates(), plan.probes());
    if (!runner) return Unexpected(runner.error());
    worker.programs_.push_back(std::move(*runner));
  }
  worker.found_.resize(worker.programs_.size());
  worker.worst_.assign(worker.programs_.size(), WorstSizes(plan.options.worst_cases));
  return worker;
}

Expected<ChunkOutcome> SweepWorker::run(std::uint64_t chunk) {
  plan_->order.fill(chunk, chunk_.inputs);
  if (plan_->counts_distances() || plan_->options.domain != nullptr) {
    if (auto done = evaluator_.evaluate(chunk_); !done) return Unexpected(done.error());
  }
  const bool keeps_parts = plan_->options.distance_parts && plan_->is_comparison;
  if (plan_->reference != nullptr || keeps_parts) {
    cut_into_segments(plan_->parts, chunk_.inputs.x, chunk_.inputs.positives, segments_);
  }

  ChunkOutcome outcome;
  for (std::size_t i = 0; i < programs_.size(); ++i) {
    programs_[i].run(chunk_.inputs, found_[i]);
    ChunkStatistics chip;
    if (plan_->reference != nullptr)
      chip = counter_.count(chunk_, found_[i], segments_, &worst_[i]);
    chip.statistics.faults = programs_[i].take_faults();
    outcome.chips.push_back(std::move(chip));
  }
  if (plan_->is_comparison) {
    const std::size_t pairs = programs_.size() / 2;
    if (keeps_parts) first_program_.inputs = chunk_.inputs;
    for (std::size_t i = 0; i < pairs; ++i)
      outcome.diffs.push_back(compare(found_[i], found_[pairs + i]));
  }
  return outcome;
}

ChunkDiff SweepWorker::compare(const FoundBits& first, const FoundBits& second) {
  if (!plan_->counts_distances() && first.found == second.found)
    return {.counts = {.inputs = first.found.size(), .changed = 0, .worst = {}}, .distance = {}};
  const formats::Format output_format = plan_->output_format();
  ChunkExpectation& expected = first_program_.expected;
  expected.resize(first.found.size());
  expected.bits = first.found;
  formats::with_line(output_format, [&]<class Line>(Line) {
    for (std::size_t i = 0; i < first.found.size(); ++i)
      expected.exact[i] = Line::number(first.found[i]);
  });
  expected.kind.assign(first.found.size(), InputKind::Counted);
  expected.finish(output_format);
  const ChunkResults chunk{chunk_.inputs, expected, second.found, errors_};
  ChunkDiff diff{.counts = {.inputs = first.found.size(),
                            .changed = count_changes(first.found, second.found),
                            .worst = {}},
                 .distance = {}};
  const Judgement judgement = plan_->judgement();
  const bool keeps_parts = plan_->options.distance_parts;
  const bool in_vectors = VectorCounter::can_count(judgement, first.found.size(), 1);
  if (keeps_parts) diff.distance = distance_counter_.count(first_program_, second, segments_);
  if (!keeps_parts && in_vectors)
    diff.distance.statistics.error = VectorCounter(judgement, chunk).errors();
  if (diff.counts.changed == 0 && (keeps_parts || in_vectors)) return diff;
  errors_.measure(judgement.measure, output_format, expected, second.found);
  if (!keeps_parts && !in_vectors)
    diff.distance.statistics.error = count_errors(output_format, chunk);
  diff.counts.worst = worst_changes(chunk, judgement.worst_cases);
  return diff;
}

Expected<std::vector<SweepWorker::Specials>> SweepWorker::run_specials() {
  chunk_.inputs =
      special_inputs(plan_->options.format, plan_->operands, plan_->options.space.range);
  if (auto done = evaluator_.evaluate(chunk_); !done) return Unexpected(done.error());
  std::vector<Specials> all;
  for (std::size_t i = 0; i < programs_.size(); ++i) {
    programs_[i].run(chunk_.inputs, found_[i]);
    Specials specials;
    const ChunkResults chunk{chunk_.inputs, chunk_.expected, found_[i].found, errors_};
    for (std::size_t k = 0; k < chunk.found.size(); ++k) specials.cases.push_back(chunk.at(k));
    specials.faults = programs_[i].take_faults();
    all.push_back(std::move(specials));
  }
  return all;
}

} // namespace lanewise::sweep
