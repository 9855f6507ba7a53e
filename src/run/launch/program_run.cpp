#include "run/launch/program_run.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/fault_list.h"
#include "base/memory_file.h"
#include "base/process.h"
#include "base/processor_time.h"
#include "base/source_line.h"
#include "chip/noc/places.h"
#include "chip/tile/llk_semaphores.h"
#include "chip/tile/tile.h"
#include "run/launch/changed_noc.h"
#include "run/launch/checks.h"
#include "run/launch/freed.h"
#include "run/launch/images.h"
#include "run/launch/outcome_wire.h"
#include "run/launch/program_core.h"
#include "run/section/device_setup.h"
#include "run/section/section.h"
#include "run/section/shared_l1.h"

namespace lanewise::launch {

namespace {

using programs::kCores;

// --- In the kernels' process

/// Pages behind the arguments: a kernel that reads more than it has is noticed.
void guard_arguments(const programs::Layout& layout) {
  for (const programs::ArgumentPlace& place : layout.arguments)
    ::mprotect(std::bit_cast<void*>(std::uintptr_t{place.guard}), programs::kGuardBytes, PROT_NONE);
}

/// The kernel of a processor's arguments that begin a guard page; nothing for any other address.
std::optional<std::size_t> guarded_by(const programs::Layout& layout, std::uint32_t address) {
  for (std::size_t i = 0; i < layout.arguments.size(); ++i)
    if (address - layout.arguments[i].guard < programs::kGuardBytes) return i;
  return std::nullopt;
}

/// What ends the wait of a thread for the semaphore of Dst, MATH_PACK, in the words of kernels.
std::string_view hint_of(const tile::Blocked& blocked) {
  if (blocked.is_feeder || blocked.wait.what != tile::kMathPack) return "";
  if (blocked.wait.cause == tile::WaitCause::SemaphoreZero) return ": tile_regs_commit() raises it";
  if (blocked.wait.cause == tile::WaitCause::SemaphoreAtMax)
    return ": tile_regs_release() lowers it";
  return "";
}

/// Kernels on the cores of a tile.
class ProgramRun {
 public:
  ProgramRun(const Launch& launch, Beyond* beyond)
      : launch_(launch),
        beyond_(beyond),
        tile_(launch.program.arch, l1()),
        noc_(launch.program.arch, standpoint(launch.program, beyond != nullptr),
             {.l1 = l1(), .dram = dram_banks(launch.program, launch.memory.dram())},
             launch.how.schedule),
        checks_(launch.program, launch.layout,
                {.l1 = l1(),
                 .banks = dram_banks(launch.program, launch.memory.dram()),
                 .is_shared = beyond != nullptr,
                 .tell = sink(beyond)},
                launch.objects.tells_accesses),
        freed_(launch.program, launch.layout),
        barriers_(launch.how.mends, [this](const Mend& barrier) { checks_.pass(barrier); }) {}

  Expected<LaunchOutcome> run() {
    if (auto done = section::set_device_up(tile_); !done) return Unexpected(done.error());
    tile_.noc = &noc_;
    std::array<tile::Feeder*, kCores + 1> feeders{};
    for (unsigned core = 0; core < kCores; ++core) {
      if (launch_.objects.object[core].empty()) continue;
      auto loaded = ProgramCore::load(core, launch_.program, launch_.layout, launch_.objects, noc_,
                                      prints_, checks_, barriers_, launch_.how);
      if (!loaded) return Unexpected(loaded.error());
      cores_[core] = std::move(*loaded);
      feeders[core] = cores_[core].get();
      if (core < kThreads && launch_.how.keeps_stretches) cores_[core]->log_stretches(logs_[core]);
    }
    feeders[kCores] = &noc_;
    if (!launch_.how.mends.empty()) change_noc(noc_, launch_.how.mends, l1());
    watch();
    section::watch_sections(l1().size(), false, true);
    // Some of the time is kept for the report on who was where when it was over.
    const auto own_time = launch_.how.limits.time * 9 / 10;
    tile::RunLimits limits{.most_steps = ~std::uint64_t{0},
                           .stop =
                               [&] {
                                 outcome_.was_stopped = section::sections_are_to_stop();
                                 return outcome_.was_stopped || own_processor_time() >= own_time;
                               },
                           .hurry = [&] { return noc_.hurry() || wake_cores(); }};
    if (beyond_ != nullptr) {
      limits.waits_outside = [this] { return exchange(false); };
      limits.pause = [this] { exchange(true); };
      limits.pause_every = kEpoch;
    }
    const auto result = tile::run(tile_, feeders, launch_.how.schedule, limits);
    report();
    if (!result) {
      outcome_.failure = result.error();
      if (const auto& wrong = noc_.wrong_corners())
        add_mend(mend_at(Mend::Kind::OtherCorners, wrong->core, wrong->line), *outcome_.failure);
      return std::move(outcome_);
    }
    for (const tile::Blocked& blocked : result->blocked) {
      if (const auto line = passed_wait(blocked))
        outcome_.mends.push_back({.mend = mend_at(Mend::Kind::AtLeast, blocked.thread, *line),
                                  .blocked = outcome_.blocked.size()});
      outcome_.blocked.push_back(
          fmt::format("{} {} {}{}", blocked.is_feeder ? "the core" : "the thread",
                      programs::core_name(blocked.thread), blocked.reason, hint_of(blocked)));
    }
    outcome_.ran_out = result->ran_out;
    // Who is told to stop while it waits for others has no deadlock.
    if (section::sections_are_to_stop() && !outcome_.blocked.empty()) {
      outcome_.blocked.clear();
      outcome_.mends.clear();
      outcome_.ran_out = outcome_.was_stopped = true;
    }
    return std::move(outcome_);
  }

 private:
  /// Turns after which a core among others looks what has come.
  static constexpr std::uint64_t kEpoch = 1 << 13;

  std::span<std::uint8_t> l1() const { return launch_.memory.l1(launch_.program.core); }

  static noc::Standpoint standpoint(const programs::Program& program, bool is_in_grid) {
    noc::Standpoint from{.own = *noc::worker_place(program.arch, program.core.x, program.core.y),
                         .grid = std::nullopt};
    const programs::Core grid = programs::grid_of(program);
    if (is_in_grid)
      from.grid = NocPlace{static_cast<std::uint8_t>(grid.x), static_cast<std::uint8_t>(grid.y)};
    return from;
  }

  static Notes::Sink sink(Beyond* beyond) {
    if (beyond == nullptr) return {};
    return [beyond](std::span<const Note> notes) { beyond->tell(notes); };
  }

  /// Where a core waits for one value of a word that has passed it. What does not tell its accesses
  /// cannot be tried in another way.
  std::optional<std::uint32_t> passed_wait(const tile::Blocked& blocked) const {
    if (!blocked.is_feeder || blocked.thread >= kCores || cores_[blocked.thread] == nullptr ||
        !launch_.objects.tells_accesses)
      return std::nullopt;
    return cores_[blocked.thread]->passed_wait();
  }

  bool exchange(bool is_busy) {
    checks_.hand_over();
    return beyond_->exchange(noc_, is_busy, [this](const L1Range& range) {
      checks_.arrive(range.address, range.bytes);
      ++changes_;
    });
  }

  /// Those that doze look once more, each if others have changed something. False if none does.
  bool wake_cores() {
    std::uint64_t all = changes_;
    for (const auto& core : cores_) all += core != nullptr ? core->changes() : 0;
    bool any = false;
    for (const auto& core : cores_)
      any = (core != nullptr && core->wake(all - core->changes())) || any;
    return any;
  }

  void watch() {
    tile_.watch_core = [this](unsigned core, const tile::CoreAction& action) {
      checks_.act(core, action);
      if (action.kind != tile::CoreAction::Kind::Load) {
        if (core < kCores && cores_[core] != nullptr) cores_[core]->count_change();
        return;
      }
      if (const auto kernel = guarded_by(launch_.layout, action.address))
        read_too_far(core, *kernel, action);
    };
    tile_.watch = [this](const tile::Executed& executed) {
      checks_.execute(tile_.state(), executed);
    };
    noc_.watch = [this](const noc::NocEvent& event) {
      checks_.see(event);
      freed_.see(event);
      barriers_.see(event);
      if (event.transaction != nullptr && cores_[event.transaction->core] != nullptr)
        cores_[event.transaction->core]->see(event);
      changes_ += event.kind == noc::NocEvent::Kind::Landed ? 1 : 0;
    };
  }

  /// A runtime argument that the program does not have.
  void read_too_far(unsigned core, std::size_t kernel, const tile::CoreAction& action) {
    const programs::ArgumentPlace& place = launch_.layout.arguments[kernel];
    const std::uint32_t index = place.own_words + (action.address - place.guard) / 4;
    add(core, action.line,
        {.kind = FaultKind::UndefinedBehavior,
         .message = fmt::format("reads runtime argument {}, and the program gives this kernel {}",
                                index, place.own_words),
         .remedy = "set the argument, or read another one",
         .rule = "programs 17"});
  }

  /// "Lies in no buffer" is true of one that was given back, and says less.
  bool is_of_freed(const Found& found) const {
    return found.fault.rule == "programs 9" &&
           std::ranges::any_of(freed_.found, [&found](const Found& each) {
             return each.core == found.core && each.line == found.line;
           });
  }

  void add(unsigned core, std::uint32_t line, Fault fault, const std::optional<Mend>& mend = {}) {
    fault.line = line;
    fault.message = fmt::format("{}: {}", programs::core_name(core), fault.message);
    settle_place(fault);
    if (fault.file.empty()) fault.file = launch_.objects.source[core];
    if (mend) add_mend(*mend, fault);
    faults_.add(std::move(fault));
  }

  void add_mend(const Mend& mend, const Fault& fault) {
    outcome_.mends.push_back(
        {.mend = mend, .file = fault.file, .line = fault.line, .rule = fault.rule});
  }

  void report() {
    const bool all_ended = std::ranges::all_of(
        cores_, [](const auto& core) { return core == nullptr || core->has_ended(); });
    if (all_ended) checks_.finish(tile_.state());
    checks_.hand_over();
    for (unsigned core = 0; core < kCores; ++core)
      if (cores_[core] && cores_[core]->has_ended()) checks_.end(core);
    for (Found& found : freed_.found) add(found.core, found.line, found.fault);
    for (Found& found : checks_.take())
      if (!is_of_freed(found)) add(found.core, found.line, std::move(found.fault), found.mend);
    outcome_.faults = faults_.take();
    for (Fault fault : tile_.faults()) {
      if (fault.file.empty() && fault.line != 0) fault.file = launch_.objects.source[0];
      outcome_.faults.push_back(std::move(fault));
    }
    for (unsigned thread = 0; thread < kThreads; ++thread)
      outcome_.executed[thread] = tile_.state().thread[thread].executed;
    if (launch_.how.keeps_stretches) {
      auto& stretches = outcome_.stretches.emplace_back();
      for (unsigned thread = 0; thread < kThreads; ++thread)
        stretches[thread] = logs_[thread].taken();
    }
    outcome_.transactions = noc_.asked();
    for (const auto& core : cores_)
      if (core != nullptr) outcome_.traps += core->traps();
    outcome_.prints = prints_.finish();
  }

  const Launch& launch_;
  Beyond* beyond_;
  tile::Tile tile_;
  noc::Noc noc_;
  ProgramChecks checks_;
  FreedBuffers freed_;
  AddedBarriers barriers_;
  PrintLog prints_;
  std::array<section::StretchLog, kThreads> logs_;
  std::array<std::unique_ptr<ProgramCore>, kCores> cores_;
  FaultList faults_; ///< of kernels
  LaunchOutcome outcome_;
  std::uint64_t changes_ = 0; ///< by the NoC and from outside
};

} // namespace

ProcessLimits kernel_limits(const ProcessLimits& limits) {
  ProcessLimits all = beyond_this_process(limits);
  all.memory += section::kRegistersEnd - section::kRegisters; // addresses, but no memory
  return all;
}

Confinement kernel_confinement(const DeviceMemory& memory, const programs::Core& core,
                               std::vector<int> files) {
  std::ranges::copy(memory.files(core), std::back_inserter(files));
  return {.policy = Policy::KernelCode,
          .kept_files = std::move(files),
          .on_attempt = section::on_section_attempt};
}

Expected<FileDescriptor> make_outcome_file() {
  FileDescriptor file = make_memory_file("lanewise-launch");
  if (!file.is_open())
    return bad_input("cannot make a file in memory: " + std::generic_category().message(errno));
  return file;
}

[[noreturn]] void be_the_kernels(const Launch& launch, int file, Beyond* beyond) {
  Expected<LaunchOutcome> outcome = LaunchOutcome{};
  if (auto mapped = launch.memory.shared_l1(launch.program.core).map_at_its_addresses(false);
      !mapped) {
    outcome = Unexpected(mapped.error());
  } else {
    guard_arguments(launch.layout);
    outcome = ProgramRun(launch, beyond).run();
  }
  std::fflush(nullptr);
  if (!outcome) {
    Fault failure = outcome.error();
    outcome = LaunchOutcome{};
    outcome->failure = std::move(failure);
  }
  write_all(file, encode_outcome(*outcome));
  if (beyond != nullptr) beyond->end();
  ::_exit(EXIT_SUCCESS);
}

Unexpected no_outcome(const ProcessEnd& end, const ProcessLimits& limits) {
  if (end.was_late)
    return bad_input(
        fmt::format("the kernels did not end within {}", time_text(limits)),
        fmt::format("look for a loop without end, or allow more with {}", kTimeOption));
  if (end.attempt >= 0) return bad_input(attempt_message("a kernel", end.attempt), kAttemptRemedy);
  if (WIFSIGNALED(end.status))
    return bad_input(
        fmt::format("the kernels' process was ended by {}", signal_name(WTERMSIG(end.status))),
        "look for a recursion without end, or a pointer to where a core has nothing");
  return bad_input(fmt::format("the kernels ended their process with exit status {} and left no "
                               "result",
                               WEXITSTATUS(end.status)),
                   "let kernel_main() return instead");
}

} // namespace lanewise::launch
