#include "run/host/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/in_quotes.h"
#include "chip/isa/noc_record.h"
#include "run/launch/buffer_files.h"
#include "run/launch/images.h"
#include "source/checkouts/checkout.h"
#include "source/programs/banks.h"
#include "source/programs/compile.h"
#include "source/programs/kernel_files.h"

namespace lanewise::host {

namespace {

/// What a host program says of itself is not longer.
constexpr std::size_t kLongestRefusal = 4096;

Reply text_reply(Answer answer, std::string_view text) {
  return {.answer = answer, .bytes = {text.begin(), text.end()}};
}

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// The host program is confined, and this process is not: files are none of its business.
Expected<void> check_files(const programs::Description& description) {
  for (std::size_t i = 0; i < description.files.size(); ++i) {
    if (!description.files[i].input.empty() || !description.files[i].output.empty())
      return programs::at_origin(description.program.buffers[i].origin,
                                 "a host program cannot have files for its buffers",
                                 "let contents follow the description");
  }
  return {};
}

/// Whose L1 the buffers are in.
std::vector<programs::Core> cores_with_buffers(const programs::Program& program) {
  std::vector<programs::Core> cores;
  for (const programs::Buffer& buffer : program.buffers) {
    if (buffer.memory != programs::BufferMemory::L1) continue;
    if (buffer.shards) {
      cores.insert(cores.end(), buffer.shards->cores.begin(), buffer.shards->cores.end());
    } else {
      const std::vector<programs::Core> banks = programs::l1_banks(program);
      cores.insert(cores.end(), banks.begin(), banks.end());
    }
  }
  return cores;
}

/// Printable: a host program's own words go to a terminal.
std::string clean(std::string_view text) {
  std::string result(text.substr(0, std::min(text.find('\0'), kLongestRefusal)));
  std::ranges::replace_if(
      result, [](char each) { return static_cast<unsigned char>(each) < 0x20 || each == 0x7F; },
      ' ');
  return result;
}

} // namespace

Reply Session::answer(Ask ask, std::string_view payload) {
  auto done = carry_out(ask, payload);
  if (done) return std::move(*done);
  if (!refusal_) refusal_ = done.error();
  return text_reply(Answer::Refused, done.error().message);
}

Expected<Reply> Session::carry_out(Ask ask, std::string_view payload) {
  if (ask == Ask::Refused)
    return bad_input(clean(payload), "docs/programs.md says what the device of host programs has");
  if (ask == Ask::Grid) return text_reply(Answer::Done, settings_.grid);
  if (ask != Ask::Run && ask != Ask::Write && ask != Ask::Read)
    return bad_input(fmt::format("the host program asks for {}, which is nothing",
                                 static_cast<std::uint32_t>(ask)),
                     "compile it with the headers of this version");
  const std::size_t end = std::min(payload.find('\0'), payload.size());
  auto description = programs::parse_description(payload.substr(0, end));
  if (!description) return Unexpected(description.error());
  if (auto allowed = check_files(*description); !allowed) return Unexpected(allowed.error());
  const std::string_view contents = payload.substr(std::min(end + 1, payload.size()));
  if (auto read = launch::read_buffers(*description, bytes_of(contents)); !read)
    return Unexpected(read.error());
  const programs::Program& program = description->program;
  if (ask == Ask::Run) return run(*description);
  if (program.buffers.size() != 1)
    return bad_input("a host program writes or reads one buffer at a time");
  const auto layout = programs::lay_out_buffers(program);
  if (!layout) return Unexpected(layout.error());
  const auto memory = memory_of(program.arch);
  if (!memory) return Unexpected(memory.error());
  if (auto fits = (*memory)->check_room(program, *layout); !fits) return Unexpected(fits.error());
  for (const programs::Core& core : cores_with_buffers(program))
    if (auto added = (*memory)->add(core); !added) return Unexpected(added.error());
  if (ask == Ask::Write) {
    launch::fill_buffers(program, *layout, (*memory)->l1_of_cores(), (*memory)->dram());
    return Reply{.answer = Answer::Done};
  }
  auto all = launch::buffer_contents(program, *layout, (*memory)->l1_of_cores(), (*memory)->dram());
  return Reply{.answer = Answer::Done, .bytes = std::move(all.front())};
}

Expected<launch::DeviceMemory*> Session::memory_of(Arch arch) {
  if (arch_ && *arch_ != arch)
    return bad_input("a host program has one device, of one chip", "run it again for another chip");
  if (!memory_) {
    const NocRecord* const noc = noc_record(arch);
    if (noc == nullptr) return bad_input("this chip has no NoC here", "choose another one");
    auto memory = launch::DeviceMemory::make(arch, settings_.how.limits.memory / noc->banks.size());
    if (!memory) return Unexpected(memory.error());
    memory_.emplace(std::move(*memory));
    arch_ = arch;
  }
  return &*memory_;
}

/// In the order that was asked for, or in all.
Expected<launch::LaunchOutcome> Session::launch(const programs::Description& description,
                                                const grid::Prepared& prepared,
                                                launch::DeviceMemory& memory) {
  step("running kernels");
  if (settings_.orders.empty()) return grid::run(prepared, settings_.how, memory);
  auto compared = grid::run_in_orders(prepared, settings_.orders, settings_.how,
                                      launch::element_bytes(description.files), memory);
  step("");
  if (!compared) return Unexpected(compared.error());
  if (settings_.on_orders) settings_.on_orders(*compared);
  return std::move(compared->outcome);
}

/// What lies where, on the first core of each group.
Expected<void> Session::show(const programs::Program& program) const {
  if (!settings_.on_program) return {};
  const auto cores = programs::place_on_cores(program);
  if (!cores) return Unexpected(cores.error());
  std::size_t groups = 0;
  for (const programs::CoreProgram& core : *cores) {
    if (core.group != groups) continue;
    settings_.on_program(core.program, core.layout);
    ++groups;
  }
  return {};
}

void Session::step(std::string_view what) const {
  if (settings_.on_step) settings_.on_step(what);
}

Expected<Reply> Session::run(programs::Description& description) {
  auto reply = run_steps(description);
  step("");
  return reply;
}

Expected<Reply> Session::run_steps(programs::Description& description) {
  programs::Program& program = description.program;
  for (programs::Kernel& kernel : program.kernels)
    if (!kernel.file.empty())
      kernel.file = programs::find_kernel_file(kernel.file, kernel.named_in, settings_.metal);
  if (auto shown = show(program); !shown) return Unexpected(shown.error());
  programs::CompileSettings how{.checkout = {}, .limits = settings_.how.limits};
  if (!settings_.metal.empty()) {
    auto checkout = checkouts::Checkout::open(settings_.metal, std::array{program.arch});
    if (!checkout) return Unexpected(checkout.error());
    how.checkout = std::move(*checkout);
  }
  const auto memory = memory_of(program.arch);
  if (!memory) return Unexpected(memory.error());
  const auto cores = programs::lay_out_on_cores(program);
  if (!cores) return Unexpected(cores.error());
  if (auto fits = (*memory)->check_room(program, cores->front().layout); !fits)
    return Unexpected(fits.error());
  step("compiling kernels");
  const auto prepared = grid::prepare(program, *cores, how);
  if (!prepared) return Unexpected(prepared.error());
  if (auto added = grid::add_memories(*prepared, **memory); !added)
    return Unexpected(added.error());
  std::optional<launch::MemoryImage> before;
  if (settings_.time) before = (*memory)->image(prepared->layout().dram_bytes);
  auto outcome = launch(description, *prepared, **memory);
  step("");
  if (!outcome) return Unexpected(outcome.error());
  const bool is_clean = std::ranges::all_of(
      outcome->faults, [](const Fault& fault) { return leaves_results_valid(fault.kind); });
  has_findings_ = has_findings_ || !is_clean || !outcome->is_done();
  if (settings_.on_outcome) settings_.on_outcome(*outcome);
  if (!outcome->is_done()) return Reply{.answer = Answer::Stopped};
  if (settings_.time) {
    if (auto told = time(*prepared, how, *before, *outcome); !told) return Unexpected(told.error());
  }
  return Reply{.answer = is_clean ? Answer::Done : Answer::Found};
}

/// The program once more, in time, from the memories as they were before.
Expected<void> Session::time(const grid::Prepared& prepared, const programs::CompileSettings& how,
                             const launch::MemoryImage& before, launch::LaunchOutcome& outcome) {
  step("compiling kernels for the cores");
  const auto objects = programs::compile_groups_for_cores(prepared.cores, how);
  if (!objects) return Unexpected(objects.error());
  outcome.buffers = launch::buffer_contents(*prepared.program, prepared.layout(),
                                            memory_->l1_of_cores(), memory_->dram());
  grid::TimedSettings in_time = settings_.time(prepared.cores.size());
  in_time.before = &before;
  step("running kernels in time");
  auto timed = grid::launch_in_time(prepared, *objects, outcome, in_time);
  step("");
  if (!timed) return Unexpected(timed.error());
  if (!settings_.on_time) return {};
  return settings_.on_time(*prepared.program, outcome, std::move(*timed));
}

} // namespace lanewise::host
