#include "tile/section/run_sections.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/file_descriptor.h"
#include "base/process.h"
#include "base/supervisor.h"
#include "sfpi/kernel_object.h"
#include "tile/program_run.h"
#include "tile/section/core.h"
#include "tile/section/device_setup.h"
#include "tile/section/outcome_wire.h"
#include "tile/section/shared_l1.h"
#include "tile/thread_hazards.h"
#include "tile/tile.h"

namespace lanewise::tile {
namespace {

using Clock = std::chrono::steady_clock;

Expected<void> put_into(std::span<std::uint8_t> l1, const L1Input& input) {
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
  section.core =
      std::make_unique<SectionCore>(thread, source.arch, *section.object, std::move(*places));
  if (!section.core->prepare()) return bad_input("there is no memory for a section's stack");
  return section;
}

std::string text_of(const Blocked& blocked) {
  return fmt::format("{} of {} {}", blocked.is_feeder ? "the core" : "the thread",
                     kSectionNames[blocked.thread], blocked.reason);
}

Expected<SectionsOutcome> run_loaded(const TestSource& source, const SectionObjects& objects,
                                     const SharedL1& l1, const SectionsRun& how,
                                     Clock::time_point deadline) {
  Tile tile(source.arch);
  tile.state().l1.use(l1.bytes());
  if (auto set_up = set_device_up(tile); !set_up) return Unexpected(set_up.error());
  if (auto set = set_config_of_all_threads(tile.state(), how.config); !set)
    return Unexpected(set.error());
  ThreadHazards hazards(source.arch);
  if (how.finds_hazards) tile.watch = [&](const Executed& each) { hazards.observe(each); };
  std::array<LoadedSection, kThreads> sections;
  std::array<Feeder*, kThreads> feeders{};
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    auto loaded = load_section(thread, source, objects[thread]);
    if (!loaded) return Unexpected(loaded.error());
    sections[thread] = std::move(*loaded);
    feeders[thread] = sections[thread].core.get();
  }
  watch_sections();
  const auto result =
      run(tile, feeders, how.schedule, {.stop = [&] { return Clock::now() >= deadline; }});
  SectionsOutcome outcome;
  outcome.faults = tile.faults();
  std::ranges::move(hazards.faults(), std::back_inserter(outcome.faults));
  for (unsigned thread = 0; thread < kThreads; ++thread)
    outcome.executed[thread] = tile.state().thread[thread].executed;
  outcome.traffic = tile.state().traffic;
  if (!result) {
    outcome.failure = result.error();
    return outcome;
  }
  for (const Blocked& blocked : result->blocked) outcome.blocked.push_back(text_of(blocked));
  outcome.ran_out = result->ran_out;
  return outcome;
}

void write_outcome(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

[[noreturn]] void be_the_sections(const TestSource& source, const SectionObjects& objects,
                                  const SharedL1& l1, const SectionsRun& how, int file,
                                  Clock::time_point deadline) {
  limit_memory(memory_in_use() + source.limits.memory + (kRegistersEnd - kRegisters));
  std::signal(SIGINT, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  Expected<SectionsOutcome> outcome = SectionsOutcome{};
  if (auto mapped = l1.map_at_its_addresses(); !mapped) {
    outcome = Unexpected(mapped.error());
  } else {
    outcome = run_loaded(source, objects, l1, how, deadline);
  }
  std::fflush(nullptr);
  if (!outcome) {
    Fault failure = outcome.error();
    outcome = SectionsOutcome{};
    outcome->failure = std::move(failure);
  }
  write_outcome(file, encode_outcome(*outcome));
  ::_exit(EXIT_SUCCESS);
}

// --- In the process that wants to know

std::string read_outcome(int file) {
  std::string text;
  std::array<char, 1 << 16> chunk{};
  if (::lseek(file, 0, SEEK_SET) != 0) return text;
  for (;;) {
    const ssize_t got = ::read(file, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

Unexpected no_outcome(const ProcessEnd& end, const TestSource& source) {
  if (end.was_late) {
    return bad_input(
        fmt::format("the sections did not end within {}", time_text(source.limits)),
        fmt::format("look for a loop without end, or allow more with {}", kTimeOption));
  }
  if (WIFSIGNALED(end.status)) {
    return bad_input(
        fmt::format("the sections' process was ended by {}", signal_name(WTERMSIG(end.status))),
        "look for a recursion without end, or a pointer to where a core has nothing");
  }
  return bad_input("the sections ended their process", "let run_kernel() return instead");
}

} // namespace

Expected<SectionsOutcome> run_sections(const TestSource& source, const SectionObjects& objects,
                                       const SectionsRun& how) {
  TileState tile(source.arch); // in which settings are tried before there is a process
  if (auto set = set_config_of_all_threads(tile, how.config); !set) return Unexpected(set.error());
  auto l1 = SharedL1::make(arch_params(source.arch).l1_bytes);
  if (!l1) return Unexpected(l1.error());
  for (const L1Input& input : how.inputs) {
    if (auto put = put_into(l1->bytes(), input); !put) return Unexpected(put.error());
  }
  const FileDescriptor file(::memfd_create("lanewise-sections", MFD_CLOEXEC));
  if (!file.is_open())
    return bad_input("cannot make a file in memory: " + std::generic_category().message(errno));
  // Some of the time is kept for the report on who was where when it was over.
  const auto deadline = Clock::now() + source.limits.time * 9 / 10;
  const auto end = run_supervised(source.limits.time, [&]() -> int {
    be_the_sections(source, objects, *l1, how, file.number(), deadline);
  });
  if (!end) return Unexpected(end.error());
  if (end->start_error != 0)
    return bad_input("cannot make a process: " + std::generic_category().message(end->start_error));
  auto outcome = decode_outcome(read_outcome(file.number()));
  if (!outcome) return no_outcome(*end, source);
  const auto bytes = std::as_bytes(std::span(l1->bytes()));
  outcome->l1.assign(bytes.begin(), bytes.end());
  return std::move(*outcome);
}

} // namespace lanewise::tile
