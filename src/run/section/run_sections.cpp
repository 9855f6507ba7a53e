#include "run/section/run_sections.h"

#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/confinement.h"
#include "base/memory_file.h"
#include "base/process.h"
#include "base/processor_time.h"
#include "base/supervisor.h"
#include "chip/tile/core_hazards.h"
#include "chip/tile/program_run.h"
#include "chip/tile/thread_hazards.h"
#include "chip/tile/tile.h"
#include "run/section/core.h"
#include "run/section/device_setup.h"
#include "run/section/outcome_wire.h"
#include "run/section/shared_l1.h"
#include "source/sfpi/kernel_object.h"

namespace lanewise::section {
namespace {

Expected<void> put_into(std::span<std::uint8_t> l1, const tile::L1Input& input) {
  if (input.address > l1.size() || input.bytes.size() > l1.size() - input.address) {
    return bad_input(fmt::format("{} bytes from 0x{:X} on are not in L1, which has 0x{:X}",
                                 input.bytes.size(), input.address, l1.size()),
                     "give a smaller address or a shorter file");
  }
  if (!input.bytes.empty())
    std::memcpy(l1.data() + input.address, input.bytes.data(), input.bytes.size());
  return {};
}

// --- In the sections' process

/// The core of one section, with what it runs.
struct LoadedSection {
  std::unique_ptr<sfpi::KernelObject> object;
  std::unique_ptr<SectionCore> core;
};

Expected<LoadedSection> load_section(unsigned thread, const TestSource& source,
                                     const std::filesystem::path& path) {
  auto object = sfpi::KernelObject::load(path);
  if (!object) {
    return bad_input(
        fmt::format("cannot load the compiled section {}: {}", path.string(), object.error()),
        "delete it, and it will be compiled again");
  }
  auto places = SectionPlaces::open(path, source.file);
  if (!places) return Unexpected(places.error());
  LoadedSection section{.object = std::make_unique<sfpi::KernelObject>(std::move(*object)),
                        .core = nullptr};
  section.core = std::make_unique<SectionCore>(thread, source.arch, sfpi_release(source),
                                               *section.object, std::move(*places));
  if (!section.core->prepare()) return bad_input("there is no memory for a section's stack");
  return section;
}

/// Waits for a host that takes part, where nobody else can go on.
class HostPatience {
 public:
  explicit HostPatience(std::span<const std::uint8_t> l1) : l1_(l1) {}

  /// False if nothing in L1 has changed for long.
  bool waits() {
    pause();
    const auto now = std::chrono::steady_clock::now();
    const std::size_t l1 = std::hash<std::string_view>{}(
        {reinterpret_cast<const char*>(l1_.data()), l1_.size()}); // NOLINT: bytes
    if (l1 != seen_) since_ = now;
    seen_ = l1;
    return now - since_ < kPatience;
  }

 private:
  /// A wait for nothing: confined processes may not sleep in another way.
  static void pause() {
    constexpr timespec kLook{.tv_sec = 0, .tv_nsec = 1'000'000};
    std::uint32_t nobody_writes_here = 0;
    ::syscall(SYS_futex, &nobody_writes_here, FUTEX_WAIT_PRIVATE, 0, &kLook, nullptr, 0);
  }

  static constexpr auto kPatience = std::chrono::seconds(10);

  std::span<const std::uint8_t> l1_;
  std::size_t seen_ = 0;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

/// The device as LLK's tests find it, with the fields of --config.
Expected<void> set_up(tile::Tile& tile, const SectionsRun& how) {
  if (auto done = set_device_up(tile); !done) return done;
  return tile::set_config_of_all_threads(tile.state(), how.config);
}

Expected<SectionsOutcome> run_loaded(const TestSource& source, const SectionObjects& objects,
                                     const SharedL1& l1, const SectionsRun& how) {
  tile::Tile tile(source.arch, l1.bytes());
  if (auto done = set_up(tile, how); !done) return Unexpected(done.error());
  tile::ThreadHazards hazards(source.arch);
  tile::CoreHazards core_hazards(tile);
  Snapshots snapshots;
  if (how.finds_hazards || how.attributes_state) {
    tile.watch = [&](const tile::Executed& each) {
      if (how.finds_hazards) {
        hazards.observe(each);
        core_hazards.observe(each);
      }
      if (how.attributes_state) snapshots.observe(tile, each.thread);
    };
  }
  std::array<StretchLog, kThreads> logs;
  std::array<LoadedSection, kThreads> sections;
  std::array<tile::Feeder*, kThreads> feeders{};
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    auto loaded = load_section(thread, source, objects[thread]);
    if (!loaded) return Unexpected(loaded.error());
    sections[thread] = std::move(*loaded);
    if (how.keeps_stretches) sections[thread].core->log_stretches(logs[thread]);
    if (how.takes_snapshots) sections[thread].core->take_snapshots(snapshots);
    feeders[thread] = sections[thread].core.get();
  }
  // Some of the time is kept for the report on who was where when it was over.
  const auto own_time = source.limits.time * 9 / 10;
  watch_sections(how.watches_l1() ? l1.bytes().size() : 0, how.has_host());
  HostPatience host(l1.bytes());
  SectionsOutcome outcome;
  if (how.traces_cores || how.finds_hazards || how.attributes_state) {
    tile.watch_core = [&](unsigned core, const tile::CoreAction& action) {
      if (how.traces_cores) outcome.traces[core].actions.push_back(action);
      if (how.finds_hazards) core_hazards.act(core, action);
      if (how.attributes_state) snapshots.observe(tile, core);
    };
  }
  tile::RunLimits limits{.stop = [&] {
    outcome.was_stopped = sections_are_to_stop();
    return outcome.was_stopped || own_processor_time() >= own_time;
  }};
  if (how.has_host())
    limits.waits_outside = [&] { return !sections_are_to_stop() && host.waits(); };
  const auto result = tile::run(tile, feeders, how.schedule, limits);
  outcome.faults = tile.faults();
  std::ranges::move(hazards.faults(), std::back_inserter(outcome.faults));
  std::ranges::move(core_hazards.faults(), std::back_inserter(outcome.faults));
  for (unsigned thread = 0; thread < kThreads; ++thread)
    outcome.executed[thread] = tile.state().thread[thread].executed;
  for (unsigned thread = 0; thread < kThreads; ++thread)
    outcome.traces[thread].ended = sections[thread].core->has_ended();
  for (const LoadedSection& each : sections) outcome.traps += each.core->traps();
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    const void* const buffer = sections[thread].object->find(kZoneBufferName);
    if (buffer == nullptr) continue;
    std::ranges::move(take_times(thread, *static_cast<const ZoneBuffer*>(buffer), l1.bytes(),
                                 tile.clock().readings()),
                      std::back_inserter(outcome.zones));
  }
  for (unsigned thread = 0; thread < kThreads; ++thread)
    outcome.stretches[thread] = logs[thread].taken();
  outcome.snapshots = std::move(snapshots.taken());
  if (how.keeps_state) outcome.state = end_state(tile.state());
  if (!result) {
    outcome.failure = result.error();
    return outcome;
  }
  for (const tile::Blocked& blocked : result->blocked) outcome.blocked.push_back(text_of(blocked));
  outcome.ran_out = result->ran_out;
  return outcome;
}

[[noreturn]] void be_the_sections(const TestSource& source, const SectionObjects& objects,
                                  const SharedL1& l1, const SectionsRun& how, int file) {
  Expected<SectionsOutcome> outcome = SectionsOutcome{};
  if (auto mapped = l1.map_at_its_addresses(how.watches_l1()); !mapped) {
    outcome = Unexpected(mapped.error());
  } else {
    outcome = run_loaded(source, objects, l1, how);
  }
  std::fflush(nullptr);
  if (!outcome) {
    Fault failure = outcome.error();
    outcome = SectionsOutcome{};
    outcome->failure = std::move(failure);
  }
  write_all(file, encode_outcome(*outcome));
  ::_exit(EXIT_SUCCESS);
}

// --- In the process that wants to know

Unexpected no_outcome(const ProcessEnd& end, const TestSource& source) {
  if (end.was_late) {
    return bad_input(
        fmt::format("the sections did not end within {}", time_text(source.limits)),
        fmt::format("look for a loop without end, or allow more with {}", kTimeOption));
  }
  if (end.attempt >= 0) return bad_input(attempt_message("a section", end.attempt), kAttemptRemedy);
  if (WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGSYS) {
    return bad_input("a section made a system call that kernels must not make", kAttemptRemedy);
  }
  if (WIFSIGNALED(end.status)) {
    return bad_input(
        fmt::format("the sections' process was ended by {}", signal_name(WTERMSIG(end.status))),
        "look for a recursion without end, or a pointer to where a core has nothing");
  }
  return bad_input(
      fmt::format("the sections ended their process with exit status {} and left no result",
                  WEXITSTATUS(end.status)),
      "let run_kernel() return instead; closing or writing to descriptors that are not "
      "its own leaves nothing to read, either");
}

/// run_supervised(), and what is done beside it.
Expected<ProcessEnd> run_beside(const ProcessLimits& limits, const Confinement& how,
                                const std::function<int()>& body,
                                const std::function<void(const std::function<bool()>&)>& beside) {
  GroupEnds ends(1);
  const ProcessGroup alone{.count = 1,
                           .how = [&how](std::size_t) { return how; },
                           .body = [&body](std::size_t) { return body(); }};
  if (auto done = run_supervised_group(limits, alone, ends, beside); !done)
    return Unexpected(done.error());
  return ends.end_of(0);
}

/// Whether the sections have left in that file that they came to their end.
bool ended_well(int file) {
  const auto outcome = decode_outcome(contents(file));
  return outcome && outcome->is_done();
}

} // namespace

std::string text_of(const tile::Blocked& blocked) {
  return fmt::format("{} of {} {}", blocked.is_feeder ? "the core" : "the thread",
                     kSectionNames[blocked.thread], blocked.reason);
}

Expected<void> start_tile(tile::Tile& tile, const SectionsRun& how) {
  for (const tile::L1Input& input : how.inputs) {
    if (auto put = put_into(tile.state().l1.bytes(), input); !put) return put;
  }
  return set_up(tile, how);
}

Expected<SectionsOutcome> run_sections(
    const TestSource& source, const SectionObjects& objects, const SectionsRun& how,
    const std::function<void(const std::function<bool()>& are_well)>& meanwhile) {
  if (!how.config.empty()) { // settings are tried before there is a process
    tile::TileState tile(source.arch);
    if (auto set = tile::set_config_of_all_threads(tile, how.config); !set)
      return Unexpected(set.error());
  }
  const std::uint32_t bytes_of_l1 = arch_params(source.arch).tile.l1_bytes;
  auto l1 = how.has_host() ? SharedL1::open(how.l1_file, bytes_of_l1) : SharedL1::make(bytes_of_l1);
  if (!l1) return Unexpected(l1.error());
  for (const tile::L1Input& input : how.inputs) {
    if (auto put = put_into(l1->bytes(), input); !put) return Unexpected(put.error());
  }
  const FileDescriptor file = make_memory_file("lanewise-sections");
  if (!file.is_open())
    return bad_input("cannot make a file in memory: " + std::generic_category().message(errno));
  const Confinement confinement{.policy = Policy::KernelCode,
                                .kept_files = {file.number(), l1->file()},
                                .on_attempt = on_section_attempt};
  ProcessLimits limits = beyond_this_process(source.limits);
  limits.memory += kRegistersEnd - kRegisters; // which have addresses, but no memory
  const auto body = [&]() -> int { be_the_sections(source, objects, *l1, how, file.number()); };
  const auto beside = [&](const std::function<bool()>& are_running) {
    std::optional<bool> were_well;
    meanwhile([&] {
      if (!were_well && are_running()) return true;
      if (!were_well) were_well = ended_well(file.number());
      return *were_well;
    });
  };
  const auto end = meanwhile ? run_beside(limits, confinement, body, beside)
                             : run_supervised(limits, confinement, body);
  if (!end) return Unexpected(end.error());
  if (end->start_error != 0)
    return bad_input("cannot make a process: " + std::generic_category().message(end->start_error));
  auto outcome = decode_outcome(contents(file.number()));
  if (!outcome) return no_outcome(*end, source);
  // Not by the mapping, which would be asked for page by page.
  outcome->l1.resize(l1->bytes().size());
  read_from_start(l1->file(), outcome->l1);
  return std::move(*outcome);
}

Expected<tile::RaceProgram> race_program(const TestSource& source, const SectionsRun& how,
                                         const SectionsOutcome& outcome) {
  tile::Tile tile(source.arch);
  if (auto done = start_tile(tile, how); !done) return Unexpected(done.error());
  tile::RaceProgram program{.start = tile.state(), .script = {}, .scope = tile::RaceScope::Results};
  for (unsigned i = 0; i < kThreads; ++i) program.script[i] = tile::CoreScript(outcome.traces[i]);
  const auto again = tile::run_scripts(program, how.schedule);
  if (!again) return Unexpected(again.error());
  if (std::ranges::equal(std::as_bytes(again->l1.bytes()), outcome.l1)) return program;
  return Unexpected(
      Fault{.kind = FaultKind::Unsupported,
            .message = "what the cores do in L1 cannot be followed, so that other orders of the "
                       "threads cannot be tried without them",
            .remedy = "run it with --order random and --order adversarial instead"});
}

} // namespace lanewise::section
