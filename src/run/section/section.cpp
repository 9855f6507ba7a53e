#include "run/section/section.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <span>

#include "base/confinement.h"
#include "base/supervisor.h"
#include "run/section/move.h"
#include "run/section/shared_l1.h"
#include "source/sfpi/call_stack.h"

namespace lanewise::section {
namespace {

/// The one that runs now. Sections take turns, in one thread.
Section* running_section = nullptr;

/// L1 below this address is watched.
std::uint64_t watched_l1_end = 0;

/// Whether pages are opened for one instruction only.
bool notices_all_of_l1 = false;

/// Whether what lies below the lowest address that a process can have is L1, too.
bool low_l1_is_there = false;

constexpr std::uint64_t kPage = 4096;

/// Pages that are open for the instruction that runs, and what it wanted there.
struct OpenPages {
  static constexpr std::size_t kMost = 4; ///< of an instruction: two operands at borders of pages
  std::array<std::uint64_t, kMost> page{};
  std::size_t count = 0;
  std::uint64_t address = 0, code = 0;
};
OpenPages open_pages;

/// The processor's trap flag: a signal behind the next instruction.
constexpr greg_t kTrapFlag = 0x100;

/// Ctrl-C, while no section runs.
volatile std::sig_atomic_t stop_seen = 0;

/// Registers as machine code numbers them.
constexpr std::array kNumberedRegisters{REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                        REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                        REG_R12, REG_R13, REG_R14, REG_R15};

greg_t& register_of(ucontext_t& context, unsigned number) {
  return context.uc_mcontext.gregs[kNumberedRegisters[number]];
}

bool protect_page(std::uint64_t address, int protection) {
  return ::mprotect(std::bit_cast<void*>(address / kPage * kPage), kPage, protection) == 0;
}

/// A page of L1 of which more is wanted than a move that is known here.
bool open_page(ucontext_t& context, std::uint64_t address) {
  if (notices_all_of_l1) {
    if (open_pages.count == OpenPages::kMost) return false;
    open_pages.page[open_pages.count++] = address;
    open_pages.address = address;
    open_pages.code = static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
    context.uc_mcontext.gregs[REG_EFL] |= kTrapFlag;
  }
  return protect_page(address, PROT_READ | PROT_WRITE);
}

/// Behind the instruction for which pages were opened.
void close_pages(Section& section, ucontext_t& context) {
  for (std::size_t i = 0; i < open_pages.count; ++i) protect_page(open_pages.page[i], PROT_NONE);
  context.uc_mcontext.gregs[REG_EFL] &= ~kTrapFlag;
  open_pages.count = 0;
  section.ask({.kind = SectionEvent::Kind::Touched,
               .address = static_cast<std::uint32_t>(open_pages.address),
               .stack = {open_pages.code}});
}

std::vector<std::uint64_t> stack_of(const Section& section, ucontext_t& context) {
  const auto& registers = context.uc_mcontext.gregs;
  return section.stack_from(static_cast<std::uint64_t>(registers[REG_RIP]),
                            std::bit_cast<const void*>(registers[REG_RBP]),
                            std::bit_cast<const void*>(registers[REG_RSP]));
}

/// Carries out the instruction at a register's address. False if it is no load or store that is
/// known here.
bool carry_out(Section& section, ucontext_t& context, std::uint64_t address) {
  greg_t& next = context.uc_mcontext.gregs[REG_RIP];
  const auto move = decode_move(std::bit_cast<const std::uint8_t*>(next));
  if (!move || move->bytes > sizeof(std::uint32_t)) return false;
  greg_t& moved = register_of(context, move->register_index);
  SectionEvent event{.kind = SectionEvent::Kind::Load,
                     .address = static_cast<std::uint32_t>(address),
                     .bytes = move->bytes,
                     .stack = stack_of(section, context)};
  if (move->is_store) {
    event.kind = SectionEvent::Kind::Store;
    event.value =
        static_cast<std::uint32_t>(stored_value(*move, static_cast<std::uint64_t>(moved)));
  }
  const std::uint32_t answer = section.want(std::move(event));
  if (!move->is_store)
    moved = static_cast<greg_t>(loaded_register(*move, static_cast<std::uint64_t>(moved), answer));
  next += static_cast<greg_t>(move->length);
  return true;
}

extern "C" void on_section_signal(int signal, siginfo_t* info, void* data) {
  const int saved_errno = errno;
  Section* const section = running_section;
  auto& context = *static_cast<ucontext_t*>(data);
  if (section == nullptr && signal == SIGINT) {
    stop_seen = 1;
    return;
  }
  if (section == nullptr) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  if (signal == SIGTRAP && open_pages.count != 0) {
    close_pages(*section, context);
    errno = saved_errno;
    return;
  }
  const auto address = std::bit_cast<std::uint64_t>(info->si_addr);
  const bool is_register = signal == SIGSEGV && address >= kRegisters && address < kRegistersEnd;
  const bool is_l1 = signal == SIGSEGV && address >= kFirstMapped && address < watched_l1_end;
  const bool is_low_l1 = signal == SIGSEGV && low_l1_is_there && address < kFirstMapped;
  if (is_register) section->count_trap();
  const bool is_done = (is_register || is_l1 || is_low_l1) && carry_out(*section, context, address);
  if (!is_done && !(is_l1 && open_page(context, address))) {
    section->ask({.kind = SectionEvent::Kind::Crashed,
                  .signal = signal,
                  .fault_address = address,
                  .stack = stack_of(*section, context)});
  }
  errno = saved_errno;
}

/// The stack of a coroutine has no end that the unwinder knows.
_Unwind_Reason_Code add_call(_Unwind_Context* context, void* data) {
  auto& calls = *static_cast<std::vector<std::uint64_t>*>(data);
  if (calls.size() == sfpi::kDeepestStack) return _URC_END_OF_STACK;
  calls.push_back(::_Unwind_GetIP(context) - 1);
  return _URC_NO_REASON;
}

} // namespace

void on_section_attempt(int /*signal*/, siginfo_t* info, void* data) {
  const int saved_errno = errno;
  if (const auto call = attempted_call(*info, data)) {
    // What was tried is noted, and the process may end: static variables begin before there is a
    // section, and while the C library forks it holds the allocator's locks, which are ours, too.
    const bool starts_process =
        *call == SYS_fork || *call == SYS_vfork || *call == SYS_clone || *call == SYS_clone3;
    if (running_section == nullptr || starts_process) ::_exit(EXIT_FAILURE);
    // The C library, which makes system calls, keeps no frames.
    std::vector<std::uint64_t> stack;
    ::_Unwind_Backtrace(add_call, &stack);
    running_section->ask({.kind = SectionEvent::Kind::Trapped, .signal = *call, .stack = stack});
  }
  errno = saved_errno;
}

Section::Section(const sfpi::KernelObject& object, std::function<void()> body, Intercept intercept)
    : object_(object), coroutine_(std::move(body)), intercept_(std::move(intercept)) {}

Section* Section::running() {
  return running_section;
}

SectionEvent Section::go_on(std::uint32_t answer) {
  answer_ = answer;
  event_ = {};
  running_section = this;
  coroutine_.resume();
  running_section = nullptr;
  return std::move(event_);
}

std::uint32_t Section::ask(SectionEvent event) {
  event_ = std::move(event);
  coroutine_.pause();
  return answer_;
}

std::uint32_t Section::want(SectionEvent event) {
  const auto answer = intercept_(event);
  return answer ? *answer : ask(std::move(event));
}

std::vector<std::uint64_t> Section::stack_from(std::uint64_t address, const void* frame,
                                               const void* innermost) const {
  std::vector<std::uint64_t> stack(1 + sfpi::kDeepestStack);
  stack[0] = address;
  const std::size_t callers =
      sfpi::follow_frames(frame, innermost, coroutine_.stack_end(), std::span(stack).subspan(1));
  stack.resize(1 + callers);
  return stack;
}

bool sections_are_to_stop() {
  return stop_seen != 0;
}

void watch_sections(std::uint64_t l1_end, bool notices_all, bool has_low_l1) {
  watched_l1_end = l1_end;
  low_l1_is_there = has_low_l1;
  notices_all_of_l1 = notices_all;
  struct sigaction action {};
  action.sa_sigaction = on_section_signal;
  // On the section's own stack, which is left in the middle; and again within the next section.
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGINT, kTimeIsOver})
    ::sigaction(signal, &action, nullptr);
}

} // namespace lanewise::section
