#include "study/tune/block_tuning.h"

#include <algorithm>

#include "run/execution/tile_cost.h"
#include "study/tune/block.h"
#include "study/tune/block_proof.h"

namespace lanewise::tune {

namespace {

/// The candidate in the form in which it is printed. Its text is in `result`, if it holds.
Expected<void> prove_candidate(const Plain& plain, const TuneOptions& options, const Tuned& tuned,
                               TuneResult& result) {
  std::string text = text_of(tuned, options.form, options.name);
  const auto printed = read_printed(plain.arch, options.form, text, options.name);
  if (!printed) return Unexpected(printed.error());
  auto proof = prove_block(plain, tuned, *printed, options.proof);
  if (!proof) return Unexpected(proof.error());
  result.proof = std::move(*proof);
  if (!result.proof.holds) return {};
  result.tuned = tuned;
  result.text = std::move(text);
  result.interval = static_cast<unsigned>(tuned.predicted_cycles);
  return {};
}

Unexpected neither(const std::string& not_rows, Fault not_block) {
  if (not_block.kind == FaultKind::Unsupported && !not_rows.empty())
    not_block.message = not_rows + "; nor is it taken as a block: " + not_block.message;
  return Unexpected(std::move(not_block));
}

} // namespace

Expected<TuneResult> tune_as_block(const Plain& plain, const TuneOptions& options,
                                   const std::string& not_rows) {
  TuneResult result;
  result.arch = plain.arch;
  result.is_block = true;
  result.not_rows = not_rows;
  const auto block = tune_block(plain, options.proof.format);
  if (!block) return neither(not_rows, block.error());
  const auto cost = execution::tile_cost_of(
      plain.arch, plain.program, {.format = options.proof.format, .as_kernel = plain.as_kernel});
  if (!cost) return Unexpected(cost.error());
  result.plain_cycles = cost->pass.cycles;
  result.lowest_interval = static_cast<unsigned>(block->bound);
  result.lowest_resource = "issue slots";
  result.proof.failure = block->failure;
  const double most =
      std::min(result.plain_cycles, options.faster_than.value_or(result.plain_cycles));
  for (std::size_t i = block->candidates.size(); i-- > 0 && !result.tuned;) {
    const Tuned& tuned = block->candidates[i];
    if (static_cast<double>(tuned.predicted_cycles) >= most) continue;
    if (auto done = prove_candidate(plain, options, tuned, result); !done)
      return Unexpected(done.error());
  }
  return result;
}

Expected<TuneResult> faster_as_block(const Plain& plain, const TuneOptions& options,
                                     TuneResult rows) {
  if (rows.proof_was_ended) return rows;
  auto block = tune_as_block(plain, options, "");
  if (!block && block.error().kind != FaultKind::Unsupported) return block;
  if (!block || !block->tuned) return rows;
  block->stopped = rows.stopped;
  return block;
}

} // namespace lanewise::tune
