#include "study/sweep/engine.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace lanewise::sweep {

namespace {

/// Chunks that may be done before the one that all wait for: enough that no thread idles while one
/// is at a chunk of several times the usual work, and a bound for memory.
constexpr std::uint64_t kWindowPerThread = 8;

/// More than any machine has; a wish beyond it only costs memory.
constexpr std::uint64_t kMostThreads = 512;

/// Threads that take chunk after chunk, the caller's among them: a result is mostly there when it
/// is asked for, and no thread has to be woken for it. Results come out in the order of the chunks.
class Crew {
 public:
  /// `threads` of at least 1, the caller's included.
  Crew(const SweepPlan& plan, SweepWorker own, std::uint64_t next, std::uint64_t threads)
      : plan_(plan),
        own_(std::move(own)),
        next_(next),
        wanted_(next),
        window_(threads * kWindowPerThread) {
    threads_.reserve(threads - 1);
    for (std::uint64_t i = 1; i < threads; ++i) {
      try {
        threads_.emplace_back([this] { prepare_and_work(); });
      } catch (const std::system_error&) {
        break; // the system has no more of them; those that run do all the work
      }
    }
  }

  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  ~Crew() {
    {
      const std::lock_guard lock(mutex_);
      stops_ = true;
    }
    may_take_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  /// The results of the next chunk. Until they are there, the caller's thread works as the others
  /// do.
  Expected<ChunkOutcome> take() {
    std::unique_lock lock(mutex_);
    while (!done_.contains(wanted_)) {
      if (may_claim()) {
        work_at_next(own_, lock);
      } else {
        is_done_.wait(lock, [this] { return done_.contains(wanted_); });
      }
    }
    auto node = done_.extract(wanted_);
    ++wanted_;
    lock.unlock();
    may_take_.notify_all();
    return std::move(node.mapped());
  }

 private:
  void prepare_and_work() {
    auto worker = SweepWorker::prepare(plan_);
    // The caller's own worker was prepared of the same plan, so that there is no error.
    if (!worker) return;
    std::unique_lock lock(mutex_);
    for (;;) {
      may_take_.wait(lock, [this] { return stops_ || is_all_taken() || may_claim(); });
      if (stops_ || is_all_taken()) return;
      work_at_next(*worker, lock);
      is_done_.notify_one();
    }
  }

  bool is_all_taken() const { return next_ == plan_.chunks.end; }
  bool may_claim() const { return !is_all_taken() && next_ - wanted_ < window_; }

  void work_at_next(SweepWorker& worker, std::unique_lock<std::mutex>& lock) {
    const std::uint64_t chunk = next_++;
    lock.unlock();
    auto outcome = worker.run(chunk);
    lock.lock();
    done_.emplace(chunk, std::move(outcome));
  }

  const SweepPlan& plan_;
  SweepWorker own_; ///< the caller's
  std::mutex mutex_;
  std::condition_variable may_take_, is_done_;
  std::map<std::uint64_t, Expected<ChunkOutcome>> done_;
  std::uint64_t next_;   ///< chunk that nobody has taken yet
  std::uint64_t wanted_; ///< chunk whose results come out next
  std::uint64_t window_;
  bool stops_ = false;
  std::vector<std::thread> threads_;
};

#if defined(__EMSCRIPTEN__)
constexpr bool kHasThreads = false; // of the module of a page (docs/browser.md)
#else
constexpr bool kHasThreads = true;
#endif

std::uint64_t thread_count(unsigned wanted, std::uint64_t chunks) {
  if (!kHasThreads) return 1;
  const std::uint64_t threads = wanted != 0 ? wanted : std::thread::hardware_concurrency();
  return std::clamp<std::uint64_t>(threads, 1, std::min(chunks, kMostThreads));
}

void merge_chunk(const SweepPlan& plan, const ChunkOutcome& outcome, SweepTotals& totals) {
  const Judgement judgement = plan.judgement();
  for (std::size_t i = 0; i < outcome.chips.size(); ++i)
    merge(judgement, totals.chips[i], outcome.chips[i]);
  for (std::size_t i = 0; i < outcome.diffs.size(); ++i)
    merge(judgement, totals.diffs[i], outcome.diffs[i]);
  ++totals.chunks;
}

} // namespace

SweepTotals empty_totals(const SweepPlan& plan) {
  SweepTotals totals;
  totals.chips.assign(plan.programs.size(), empty_totals(plan.parts));
  if (plan.is_comparison)
    totals.diffs.assign(plan.programs.size() / 2, {{}, empty_totals(plan.parts)});
  return totals;
}

void merge(const SweepPlan& plan, SweepTotals& all, const SweepTotals& more) {
  const Judgement judgement = plan.judgement();
  for (std::size_t i = 0; i < all.chips.size(); ++i) merge(judgement, all.chips[i], more.chips[i]);
  for (std::size_t i = 0; i < all.diffs.size(); ++i) merge(judgement, all.diffs[i], more.diffs[i]);
  all.chunks += more.chunks;
}

std::uint64_t inputs_done(const SweepPlan& plan, const SweepTotals& totals) {
  return plan.order.inputs_before(plan.chunks.begin + totals.chunks) -
         plan.order.inputs_before(plan.chunks.begin);
}

Expected<void> run_chunks(const SweepPlan& plan, SweepWorker first, SweepTotals& totals,
                          const std::function<bool()>& go_on) {
  const std::uint64_t chunks = plan.chunks.count();
  if (totals.chunks == chunks) return {};
  Crew crew(plan, std::move(first), plan.chunks.begin + totals.chunks,
            thread_count(plan.options.threads, chunks - totals.chunks));
  while (totals.chunks < chunks) {
    const auto outcome = crew.take();
    if (!outcome) return Unexpected(outcome.error());
    merge_chunk(plan, *outcome, totals);
    if (!go_on()) break;
  }
  return {};
}

} // namespace lanewise::sweep
