#include "sfpi/isolation.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

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

#include "base/file_descriptor.h"
#include "base/process.h"
#include "base/supervisor.h"
#include "sfpi/kernel_object.h"

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

void write_all(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

using Addresses = std::array<std::uint64_t, kDeepestStack>;

/// Where the kernel is, if `here` lies in it, else where it was at its last operation.
void report_death(int signal, std::span<std::uint64_t> here) {
  if (::getpid() != witness.process) return;
  std::array<std::byte, kLongestDeath> buffer{};
  const std::size_t known = witness.object->to_file_addresses(here);
  if (known != 0) {
    return write_all(witness.file, encode_death(signal, true, here.first(known), buffer));
  }
  const CallStack& last = witness.recorder->last_stack();
  Addresses copy{};
  const auto end = std::copy(last.begin(), last.end(), copy.begin());
  const auto used = std::span(copy).first(static_cast<std::size_t>(end - copy.begin()));
  const std::size_t left = witness.object->to_file_addresses(used);
  write_all(witness.file, encode_death(signal, false, used.first(left), buffer));
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
  if (!witness.object->contains(here[0]) && std::less<>()(stack, outermost)) {
    here[count++] = *stack - 1;
  }
  count += follow_frames(frame, stack, outermost, std::span(here).subspan(count));
  report_death(cause, std::span(here).first(count));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
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
  // The program may have its own idea of Ctrl-C, which would leave an endless kernel running.
  std::signal(SIGINT, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

[[noreturn]] void be_the_kernel(const fs::path& path, Arch arch, const std::string& name, int file,
                                std::uint64_t memory) {
  Recorder recorder(arch, name);
  limit_memory(memory_in_use() + memory);
  const auto object = KernelObject::load(path);
  if (!object) {
    RawRecording raw;
    raw.failure = Failure{{object.error()}, 0};
    write_all(file, encode(raw));
    ::_exit(EXIT_FAILURE);
  }
  witness = {::getpid(), file, &recorder, &*object};
  watch_signals();
  std::atexit(on_exit);
  std::set_new_handler(on_memory_used_up);
  errno = 0;
  object->run(recorder);
  std::fflush(nullptr);
  if (::getpid() == witness.process)
    write_all(file, encode(with_file_addresses(recorder.take(), *object)));
  ::_exit(EXIT_SUCCESS);
}

// --- In the process that wants the recording

/// Everything in the file; less if it is more than any recording has.
std::vector<std::byte> read_all(int file) {
  constexpr std::size_t kMost = std::size_t{1} << 31;
  std::vector<std::byte> bytes;
  std::vector<std::byte> chunk(1 << 16);
  if (::lseek(file, 0, SEEK_SET) != 0) return bytes;
  while (bytes.size() < kMost) {
    const ssize_t got = ::read(file, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + got);
  }
  return bytes;
}

/// Where the kernel was when its time was over, if it could still say so.
Message late_message(const std::optional<Message>& message) {
  const auto* death = message ? std::get_if<Death>(&*message) : nullptr;
  return death == nullptr ? Death{kTimeOver, false, {}} : *death;
}

Unexpected end_fault(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGINT) return bad_input("the kernel was interrupted");
    return bad_input(fmt::format("the kernel was ended by {}", signal_name(signal)));
  }
  return bad_input(
      fmt::format("the kernel ended the program with exit status {}", WEXITSTATUS(status)),
      "let it return instead");
}

} // namespace

Expected<Message> run_isolated(const fs::path& object, Arch arch, const std::string& name,
                               const ProcessLimits& limits) {
  // A file in memory: nobody waits for the end of a pipe that something the kernel has started
  // keeps open.
  const FileDescriptor file(::memfd_create("lanewise-recording", MFD_CLOEXEC));
  if (!file.is_open())
    return bad_input("cannot make a file in memory: " + std::generic_category().message(errno));
  const auto end = run_supervised(limits.time, [&]() -> int {
    be_the_kernel(object, arch, name, file.number(), limits.memory);
  });
  if (!end) return Unexpected(end.error());
  if (end->start_error != 0)
    return bad_input("cannot make a process: " + std::generic_category().message(end->start_error));
  auto message = decode(read_all(file.number()), arch, name);
  if (end->was_late) return late_message(message);
  if (!message) return end_fault(end->status);
  const auto* raw = std::get_if<RawRecording>(&*message);
  const bool was_loaded = WIFEXITED(end->status) && WEXITSTATUS(end->status) == EXIT_SUCCESS;
  if (raw != nullptr && raw->failure && !was_loaded) {
    return load_fault(object, raw->failure->mistake.message);
  }
  return std::move(*message);
}

Expected<Message> run_here(const fs::path& path, Arch arch, const std::string& name) {
  const auto object = KernelObject::load(path);
  if (!object) return load_fault(path, object.error());
  Recorder recorder(arch, name);
  object->run(recorder);
  return with_file_addresses(recorder.take(), *object);
}

} // namespace lanewise::sfpi
