#include "source/sfpi/isolation.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <optional>
#include <system_error>

#include "base/confinement.h"
#include "base/memory_file.h"
#include "base/process.h"
#include "base/supervisor.h"
#include "source/sfpi/kernel_object.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;

Unexpected load_fault(const fs::path& object, const std::string& reason) {
  return bad_input(fmt::format("cannot load the compiled kernel {}: {}", object.string(), reason),
                   "delete it, and it will be compiled again");
}

/// Addresses of the object's file instead of those of this process.
RawRecording with_file_addresses(RawRecording raw, const KernelObject& object) {
  for (CallStack& stack : raw.stacks) stack.resize(object.to_file_addresses(stack));
  return raw;
}

// --- In the kernel's process

const std::array kFatalSignals{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, kTimeIsOver};

/// What the handlers need; a process runs one kernel.
struct Witness {
  pid_t process = 0; ///< not those that the kernel forks
  int file = -1;
  const Recorder* recorder = nullptr;
  const KernelObject* object = nullptr;
};
Witness witness;

void write_bytes(int file, std::span<const std::byte> bytes) {
  write_all(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

using Addresses = std::array<std::uint64_t, kDeepestStack>;

/// Where the kernel is, if `here` lies in it, else where it was at its last operation.
void report_death(int signal, std::span<std::uint64_t> here) {
  if (::getpid() != witness.process) return;
  std::array<std::byte, kLongestDeath> buffer{};
  // Static variables of the kernel begin before it is loaded.
  const std::size_t known = witness.object == nullptr ? 0 : witness.object->to_file_addresses(here);
  if (known != 0)
    return write_bytes(witness.file, encode_death(signal, true, here.first(known), buffer));
  const CallStack& last = witness.recorder->last_stack();
  Addresses copy{};
  const auto end = std::copy(last.begin(), last.end(), copy.begin());
  const auto used = std::span(copy).first(static_cast<std::size_t>(end - copy.begin()));
  const std::size_t left = witness.object == nullptr ? 0 : witness.object->to_file_addresses(used);
  write_bytes(witness.file, encode_death(signal, false, used.first(left), buffer));
}

/// The kernel's heap may be damaged or locked: nothing here allocates.
extern "C" void on_fatal_signal(int signal, siginfo_t*, void* context) {
  const int cause = signal == kTimeIsOver ? kTimeOver : errno == ENOMEM ? kMemoryUsedUp : signal;
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto* frame = std::bit_cast<const void*>(registers[REG_RBP]);
  const auto* stack = std::bit_cast<const std::uint64_t*>(registers[REG_RSP]);
  const void* outermost = witness.recorder->outermost_frame();
  Addresses here{};
  here[0] = static_cast<std::uint64_t>(registers[REG_RIP]);
  std::size_t count = 1;
  // A library function that keeps no frame, such as memcpy, or a call to nowhere: what lies on top
  // of the stack is the kernel's address.
  const bool is_elsewhere = witness.object == nullptr || !witness.object->contains(here[0]);
  if (is_elsewhere && std::less<>()(stack, outermost)) here[count++] = *stack - 1;
  count += follow_frames(frame, stack, outermost, std::span(here).subspan(count));
  report_death(cause, std::span(here).first(count));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// The calls that led here, as the unwinder of exceptions finds them: functions of the C library,
/// which make system calls, keep no frames.
struct Unwound {
  Addresses calls{};
  std::size_t count = 0;
};

_Unwind_Reason_Code add_call(_Unwind_Context* context, void* data) {
  auto& found = *static_cast<Unwound*>(data);
  if (found.count == found.calls.size()) return _URC_END_OF_STACK;
  found.calls[found.count++] = ::_Unwind_GetIP(context) - 1;
  return _URC_NO_REASON;
}

/// The kernel has made a system call that it must not make.
extern "C" void on_attempt(int, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  if (const auto call = attempted_call(*info, context)) {
    Unwound found;
    ::_Unwind_Backtrace(add_call, &found);
    report_death(kAttempt - *call, std::span(found.calls).first(found.count));
    ::_exit(EXIT_FAILURE);
  }
  errno = saved_errno;
}

/// Operator new has found no memory.
void on_memory_used_up() {
  const void* frame = __builtin_frame_address(0);
  Addresses here{};
  const std::size_t count = follow_frames(frame, static_cast<const std::uint64_t*>(frame),
                                          witness.recorder->outermost_frame(), here);
  report_death(kMemoryUsedUp, std::span(here).first(count));
  ::_exit(EXIT_FAILURE);
}

/// Runs after the kernel's own exit handlers and instead of those of the program.
void on_exit() {
  report_death(kCalledExit, {});
  std::fflush(nullptr);
  ::_exit(EXIT_FAILURE);
}

/// The kernel's stack may be used up when the handler runs.
void watch_signals() {
  constexpr std::size_t kStackSize = 1 << 16;
  static std::array<std::byte, kStackSize> stack;
  const stack_t alternative{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  ::sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_fatal_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : kFatalSignals) ::sigaction(signal, &action, nullptr);
}

[[noreturn]] void be_the_kernel(const fs::path& path, Arch arch, const std::string& name,
                                int file) {
  Recorder recorder(arch, name);
  witness = {::getpid(), file, &recorder, nullptr};
  watch_signals();
  std::atexit(on_exit);
  std::set_new_handler(on_memory_used_up);
  const auto object = KernelObject::load(path);
  if (!object) {
    RawRecording raw;
    raw.failure = Failure{{object.error()}, 0};
    write_bytes(file, encode(raw));
    ::_exit(EXIT_FAILURE);
  }
  witness.object = &*object;
  errno = 0;
  object->run(recorder);
  std::fflush(nullptr);
  if (::getpid() == witness.process)
    write_bytes(file, encode(with_file_addresses(recorder.take(), *object)));
  ::_exit(EXIT_SUCCESS);
}

// --- In the process that wants the recording

/// Longer than any recording.
constexpr std::size_t kMostBytes = std::size_t{1} << 31;

/// Where the kernel was when its time was over, if it could still say so.
Message late_message(const std::optional<Message>& message) {
  const auto* death = message ? std::get_if<Death>(&*message) : nullptr;
  return death == nullptr ? Death{kTimeOver, false, {}} : *death;
}

/// What a kernel tried that could not tell it itself.
std::optional<Death> silent_attempt(const ProcessEnd& end) {
  if (end.attempt >= 0) return Death{kAttempt - end.attempt, false, {}};
  // It has blocked the signal, or called Linux by the numbers of another machine.
  const bool was_trapped = WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGSYS;
  return was_trapped ? std::optional(Death{kAttempt - kSomeCall, false, {}}) : std::nullopt;
}

Unexpected end_fault(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGINT) return bad_input("the kernel was interrupted");
    return bad_input(fmt::format("the kernel was ended by {}", signal_name(signal)));
  }
  return bad_input(
      fmt::format("the kernel ended its process with exit status {} and left no result",
                  WEXITSTATUS(status)),
      "let it return; _exit(), and closing or writing to descriptors that are not its "
      "own, leave nothing to read");
}

} // namespace

Expected<Message> run_isolated(const fs::path& object, Arch arch, const std::string& name,
                               const ProcessLimits& limits) {
  const FileDescriptor file = make_memory_file("lanewise-recording");
  if (!file.is_open())
    return bad_input("cannot make a file in memory: " + std::generic_category().message(errno));
  const Confinement how{
      .policy = Policy::KernelCode, .kept_files = {file.number()}, .on_attempt = on_attempt};
  const auto end = run_supervised(beyond_this_process(limits), how, [&]() -> int {
    be_the_kernel(object, arch, name, file.number());
  });
  if (!end) return Unexpected(end.error());
  if (end->start_error != 0)
    return bad_input("cannot make a process: " + std::generic_category().message(end->start_error));
  const std::string bytes = contents(file.number(), kMostBytes);
  auto message = decode(std::as_bytes(std::span(bytes)), arch, name);
  if (end->was_late) return late_message(message);
  if (!message) {
    if (const auto attempt = silent_attempt(*end)) return *attempt;
    return end_fault(end->status);
  }
  const auto* raw = std::get_if<RawRecording>(&*message);
  const bool was_loaded = WIFEXITED(end->status) && WEXITSTATUS(end->status) == EXIT_SUCCESS;
  if (raw != nullptr && raw->failure && !was_loaded) {
    return load_fault(object, raw->failure->mistake.message);
  }
  return std::move(*message);
}

Cause cause_of(const Death& death, const ProcessLimits& limits) {
  if (death.signal == kAttempt - kSomeCall)
    return {"the kernel made a system call that kernels must not make", kAttemptRemedy};
  if (death.signal <= kAttempt)
    return {attempt_message("the kernel", kAttempt - death.signal), kAttemptRemedy};
  switch (death.signal) {
    case kCalledExit: return {"the kernel called exit()", "let it return instead"};
    case kMemoryUsedUp:
      return {"the kernel needs more than " + memory_text(limits),
              fmt::format("use less, or allow more with {}", kMemoryOption)};
    case kTimeOver:
      return {"the kernel did not end within " + time_text(limits),
              fmt::format("look for a loop without end, or allow more with {}", kTimeOption)};
  }
  return {"the kernel crashed with " + signal_name(death.signal),
          "LANEWISE_IN_PROCESS=1 lets a debugger catch it"};
}

Expected<Message> run_here(const fs::path& path, Arch arch, const std::string& name) {
  const auto object = KernelObject::load(path);
  if (!object) return load_fault(path, object.error());
  Recorder recorder(arch, name);
  object->run(recorder);
  return with_file_addresses(recorder.take(), *object);
}

} // namespace lanewise::sfpi
