#include "study/sweep/sweep.h"

#include <chrono>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "study/sweep/engine.h"
#include "study/sweep/facts.h"
#include "study/sweep/resume.h"
#include "study/sweep/worker.h"

namespace lanewise::sweep {

namespace {

namespace fs = std::filesystem;

/// The file of a sweep that can be interrupted; with an empty path nothing happens.
class ResumeFile {
 public:
  explicit ResumeFile(const SweepPlan& plan)
      : plan_(plan), path_(plan.options.resume_file), key_(sweep_key(plan)) {}

  /// Nothing, or what an earlier run has done. Writes the file if there is none, so that a path
  /// that cannot be written is an error at once, not after hours.
  Expected<SweepTotals> begin() {
    SweepTotals totals = empty_totals(plan_);
    if (path_.empty()) return totals;
    std::error_code ignored;
    if (!fs::exists(path_, ignored)) {
      if (auto saved = save(totals); !saved) return Unexpected(saved.error());
      return totals;
    }
    const auto bytes = read_file(path_);
    if (!bytes) return Unexpected(bytes.error());
    return read_sweep_state(*bytes, plan_, path_.string());
  }

  /// Every few seconds. A disk that is full just now may have room again later.
  void save_now_and_then(const SweepTotals& totals) {
    constexpr std::chrono::seconds kInterval{5};
    if (std::chrono::steady_clock::now() - saved_ < kInterval) return;
    if (const auto saved = save(totals); !saved) saved_ = std::chrono::steady_clock::now();
  }

  Expected<void> save(const SweepTotals& totals) {
    if (path_.empty()) return {};
    auto saved = write_file_atomically(path_, write_sweep_state(key_, totals));
    saved_ = std::chrono::steady_clock::now();
    return saved;
  }

  void remove() {
    std::error_code ignored; // a file that stays is only found complete by the next sweep
    if (!path_.empty()) fs::remove(path_, ignored);
  }

 private:
  const SweepPlan& plan_;
  fs::path path_;
  nlohmann::ordered_json key_;
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
};

/// Runs what an earlier run has left to do. Whether the end has been reached is in `totals`.
Expected<void> run_with_file(const SweepPlan& plan, SweepWorker worker, ResumeFile& file,
                             SweepTotals& totals) {
  SweepProgress progress{.done = plan.order.inputs_before(totals.chunks),
                         .total = plan.order.inputs(),
                         .resumed = plan.order.inputs_before(totals.chunks)};
  const auto report = [&] { return !plan.options.progress || plan.options.progress(progress); };
  const auto go_on = [&] {
    file.save_now_and_then(totals);
    progress.done = plan.order.inputs_before(totals.chunks);
    return report();
  };
  if (report()) {
    if (auto done = run_chunks(plan, std::move(worker), totals, go_on); !done) return done;
  }
  if (totals.chunks == plan.order.chunks()) {
    file.remove();
    return {};
  }
  return file.save(totals);
}

} // namespace

SweepProgram sweep_program(const execution::LoadedProgram& loaded) {
  return {loaded.arch, loaded.program, loaded.as_kernel(), loaded.kernel.has_value()};
}

Expected<SweepResult> sweep(std::span<const SweepProgram> programs,
                            const references::Reference& reference, const SweepOptions& options) {
  const auto plan =
      make_plan({programs.begin(), programs.end()}, &reference, reference.operands(), options);
  if (!plan) return Unexpected(plan.error());
  ResumeFile file(*plan);
  auto totals = file.begin();
  if (!totals) return Unexpected(totals.error());
  // Making a loop of native code takes seconds, in which somebody may be waiting.
  if (const std::uint64_t done = plan->order.inputs_before(totals->chunks); options.progress)
    options.progress({.done = done, .total = plan->order.inputs(), .resumed = done});
  auto worker = SweepWorker::prepare(*plan);
  if (!worker) return Unexpected(worker.error());
  const auto facts = facts_of(*plan, *worker);
  if (!facts) return Unexpected(facts.error());

  if (auto done = run_with_file(*plan, std::move(*worker), file, *totals); !done)
    return Unexpected(done.error());

  SweepResult result{.format = options.format,
                     .output_format = plan->output_format(),
                     .measure = options.measure,
                     .operands = plan->operands,
                     .space = options.space,
                     .total = plan->order.inputs(),
                     .done = plan->order.inputs_before(totals->chunks),
                     .chips = {}};
  for (std::size_t i = 0; i < programs.size(); ++i)
    result.chips.push_back(chip_result(*plan, (*facts)[i], totals->chips[i]));
  return result;
}

} // namespace lanewise::sweep
