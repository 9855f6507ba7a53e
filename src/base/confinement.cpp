#include "base/confinement.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <climits>

#include "base/landlock.h"

namespace lanewise {
namespace {

/// Where the number of a trapped call goes; a process is confined once.
int* noted_call = nullptr;

bool kernel_filters_calls() {
  const std::uint32_t action = SECCOMP_RET_TRAP;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

/// The parent's files are not the kernel's: a page that is being served, a result that is being
/// written.
void close_others(const std::vector<int>& kept) {
  const auto close_range = [](unsigned first, unsigned last) {
    if (first > last || ::syscall(SYS_close_range, first, last, 0) == 0) return;
    constexpr unsigned kMost = 4096; // Linux before 5.9
    for (unsigned file = first; file <= std::min(last, kMost); ++file)
      ::close(static_cast<int>(file));
  };
  unsigned next = STDERR_FILENO + 1;
  for (;;) {
    unsigned after = UINT_MAX; // the next descriptor that stays
    for (const int file : kept) {
      if (file >= 0 && static_cast<unsigned>(file) >= next)
        after = std::min(after, static_cast<unsigned>(file));
    }
    if (after == UINT_MAX) return close_range(next, INT_MAX);
    if (after > next) close_range(next, after - 1);
    next = after + 1;
  }
}

/// What the user types is not for kernels.
void read_nothing() {
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing < 0) return;
  ::dup2(nothing, STDIN_FILENO);
  if (nothing != STDIN_FILENO) ::close(nothing);
}

/// False if they could be filtered, but are not.
bool filter_calls(Policy policy, int result_file) {
  const auto filter = call_filter(policy);
  if (filter.empty() || !kernel_filters_calls()) return !kernel_filters_calls();
  static std::array<sock_filter, kLongestFilter> own; // of this process: nothing is allocated
  std::ranges::copy(filter, own.begin());
  const auto used = std::span(own).first(filter.size());
  fill_in(used, ::getpid(), result_file);
  const sock_fprog program{.len = static_cast<unsigned short>(used.size()), .filter = used.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

} // namespace

ConfinementLayers confinement_layers() {
  const bool has_filter = kernel_filters_calls() && !call_filter(Policy::KernelCode).empty();
  return {.filters_calls = has_filter, .landlock = landlock_version()};
}

std::string layers_text() {
  const ConfinementLayers layers = confinement_layers();
  return fmt::format("{}, {}",
                     layers.filters_calls ? "system calls filtered (seccomp)"
                                          : "system calls NOT filtered (no seccomp here)",
                     layers.landlock > 0
                         ? fmt::format("files protected (Landlock {})", layers.landlock)
                         : "files NOT protected a second time (no Landlock here)");
}

void prepare_confinement(Policy policy) {
  (void)call_filter(policy);
}

bool confine(const Confinement& how, int* call_note) {
  if (how.policy == Policy::Tool) return true;
  noted_call = call_note;
  ::setsid();
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  if (how.policy != Policy::Compiler) read_nothing();
  close_others(how.kept_files);
  if (how.on_attempt != nullptr) {
    struct sigaction action {};
    action.sa_sigaction = how.on_attempt;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    ::sigaction(SIGSYS, &action, nullptr);
  }
  const bool has_given_up = give_up_files(how.folder.c_str(), how.policy != Policy::KernelCode);
  if (!has_given_up && landlock_version() > 0) return false;
  return filter_calls(how.policy, how.kept_files.empty() ? -1 : how.kept_files.front());
}

std::optional<int> attempted_call(const siginfo_t& info, void* context) {
  auto& interrupted = *static_cast<ucontext_t*>(context);
  auto& registers = interrupted.uc_mcontext.gregs;
  const int call = info.si_syscall;
  if (call != SYS_rt_sigprocmask) {
    if (noted_call != nullptr) *noted_call = call;
    return call;
  }
  // rt_sigprocmask(SIG_BLOCK, set, old, 8). The mask that holds on return is that of the context.
  const auto* set = std::bit_cast<const std::uint64_t*>(registers[REG_RSI]);
  auto* old = std::bit_cast<std::uint64_t*>(registers[REG_RDX]);
  auto& mask = *reinterpret_cast<std::uint64_t*>(&interrupted.uc_sigmask);
  if (old != nullptr) *old = mask;
  mask |= *set & ~(std::uint64_t{1} << (SIGSYS - 1));
  registers[REG_RAX] = 0;
  return std::nullopt;
}

std::string attempt_message(const std::string& who, int call) {
  return fmt::format("{} tried to {}", who, attempt_text(call));
}

} // namespace lanewise
