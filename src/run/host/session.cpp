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
  if (ask == Ask::Write) {
    launch::fill_buffers(program, *layout, (*memory)->l1(), (*memory)->dram());
    return Reply{.answer = Answer::Done};
  }
  auto all = launch::buffer_contents(program, *layout, (*memory)->l1(), (*memory)->dram());
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
                                                const programs::Layout& layout,
                                                const programs::ProgramObjects& objects,
                                                const launch::DeviceMemory& memory) {
  const programs::Program& program = description.program;
  if (settings_.orders.empty())
    return launch::launch_program(program, layout, objects, settings_.how, memory);
  auto compared =
      launch::launch_in_orders(program, layout, objects, settings_.orders, settings_.how.limits,
                               launch::element_bytes(description.files), memory);
  if (!compared) return Unexpected(compared.error());
  if (settings_.on_orders) settings_.on_orders(*compared);
  return std::move(compared->outcome);
}

Expected<Reply> Session::run(programs::Description& description) {
  programs::Program& program = description.program;
  const auto placed = programs::place_all(program);
  if (!placed) return Unexpected(placed.error());
  if (settings_.on_program) settings_.on_program(program, *placed);
  if (auto apart = programs::check_l1(program, *placed); !apart) return Unexpected(apart.error());
  const auto memory = memory_of(program.arch);
  if (!memory) return Unexpected(memory.error());
  if (auto fits = (*memory)->check_room(program, *placed); !fits) return Unexpected(fits.error());
  for (programs::Kernel& kernel : program.kernels)
    if (!kernel.file.empty())
      kernel.file = programs::find_kernel_file(kernel.file, kernel.named_in, settings_.metal);
  programs::CompileSettings how{.checkout = {}, .limits = settings_.how.limits};
  if (!settings_.metal.empty()) {
    auto checkout = checkouts::Checkout::open(settings_.metal, std::array{program.arch});
    if (!checkout) return Unexpected(checkout.error());
    how.checkout = std::move(*checkout);
  }
  const auto objects = programs::compile_program(program, *placed, how);
  if (!objects) return Unexpected(objects.error());
  std::optional<launch::MemoryImage> before;
  if (settings_.time) before = (*memory)->image(placed->dram_bytes);
  auto outcome = launch(description, *placed, *objects, **memory);
  if (!outcome) return Unexpected(outcome.error());
  const bool is_clean = std::ranges::all_of(
      outcome->faults, [](const Fault& fault) { return leaves_results_valid(fault.kind); });
  has_findings_ = has_findings_ || !is_clean || !outcome->is_done();
  if (settings_.on_outcome) settings_.on_outcome(*outcome);
  if (!outcome->is_done()) return Reply{.answer = Answer::Stopped};
  if (settings_.time) {
    const auto cores = programs::compile_for_cores(program, *placed, how);
    if (!cores) return Unexpected(cores.error());
    outcome->buffers =
        launch::buffer_contents(program, *placed, (*memory)->l1(), (*memory)->dram());
    launch::TimedSettings in_time = settings_.time();
    in_time.before = &*before;
    auto timed = launch::launch_in_time(program, *placed, *cores, *outcome, in_time);
    if (!timed) return Unexpected(timed.error());
    if (settings_.on_time) {
      if (auto told = settings_.on_time(program, *outcome, std::move(*timed)); !told)
        return Unexpected(told.error());
    }
  }
  return Reply{.answer = is_clean ? Answer::Done : Answer::Found};
}

} // namespace lanewise::host
