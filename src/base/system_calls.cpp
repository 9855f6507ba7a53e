#include "base/system_calls.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/prctl.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "base/file_descriptor.h"

namespace lanewise {
namespace {

/// What becomes of a system call.
enum class Verdict : std::uint8_t {
  Allow,
  Refuse, ///< EPERM, for programs that can go on without it
  Trap    ///< SIGSYS: the process is told what it must not do, and ends
};
using enum Verdict;

/// A row: what calls are for, the verdicts, and the calls.
struct CallGroup {
  std::string_view attempt;
  Verdict compiler, reference, kernel;
  std::vector<int> calls;
};

/// Calls without a row: the compiler may make them, the others may not.
const std::vector<CallGroup>& call_groups() {
  static const std::vector<CallGroup> all{
      // clang-format off
      // attempt                          compiler reference kernel
      {"use memory",                      Allow,   Allow,    Allow,
       {SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect),
        SCMP_SYS(madvise), SCMP_SYS(mincore), SCMP_SYS(membarrier)}},
      {"read",                            Allow,   Allow,    Allow,
       {SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(preadv), SCMP_SYS(lseek),
        SCMP_SYS(stat), SCMP_SYS(fstat), SCMP_SYS(lstat), SCMP_SYS(newfstatat), SCMP_SYS(statx),
        SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink),
        SCMP_SYS(readlinkat), SCMP_SYS(getcwd), SCMP_SYS(getdents64), SCMP_SYS(fadvise64)}},
      {"print",                           Allow,   Allow,    Allow,
       {SCMP_SYS(write), SCMP_SYS(writev)}},
      {"look at itself",                  Allow,   Allow,    Allow,
       {SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getppid), SCMP_SYS(getuid), SCMP_SYS(geteuid),
        SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(getpgrp), SCMP_SYS(getpgid), SCMP_SYS(getsid),
        SCMP_SYS(getrlimit), SCMP_SYS(getrusage), SCMP_SYS(times), SCMP_SYS(uname), SCMP_SYS(sysinfo),
        SCMP_SYS(getcpu), SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_yield), SCMP_SYS(getrandom)}},
      {"tell the time",                   Allow,   Allow,    Allow,
       {SCMP_SYS(time), SCMP_SYS(gettimeofday), SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres)}},
      {"handle its signals",              Allow,   Allow,    Allow,
       {SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(rt_sigpending),
        SCMP_SYS(restart_syscall)}},
      {"end, and what the C library does", Allow,   Allow,    Allow,
       {SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(futex), SCMP_SYS(set_robust_list),
        SCMP_SYS(rseq)}},
      {"begin",                           Allow,   Allow,    Trap,
       {SCMP_SYS(arch_prctl), SCMP_SYS(set_tid_address), SCMP_SYS(alarm)}},
      {"run another program",             Allow,   Allow,    Trap,
       {SCMP_SYS(execve), SCMP_SYS(execveat)}},
      {"start a process or a thread",     Allow,   Trap,     Trap,
       {SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(clone), SCMP_SYS(clone3)}},
      {"wait",                            Allow,   Trap,     Trap,
       {SCMP_SYS(pause), SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep), SCMP_SYS(rt_sigsuspend),
        SCMP_SYS(rt_sigtimedwait), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(select),
        SCMP_SYS(pselect6), SCMP_SYS(wait4), SCMP_SYS(waitid)}},
      {"leave its session or its process group", Allow, Trap, Trap,
       {SCMP_SYS(setsid), SCMP_SYS(setpgid)}},
      {"send a signal",                   Allow,   Trap,     Trap,
       {SCMP_SYS(kill), SCMP_SYS(tkill), SCMP_SYS(tgkill), SCMP_SYS(rt_sigqueueinfo),
        SCMP_SYS(rt_tgsigqueueinfo), SCMP_SYS(pidfd_send_signal)}},
      {"change the handling of signals by which it is watched", Allow, Trap, Trap,
       {SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask)}},
      {"open a file for writing",         Allow,   Trap,     Trap,
       {SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(creat)}},
      {"close or change the descriptor that its result goes to", Allow, Trap, Trap,
       {SCMP_SYS(close), SCMP_SYS(close_range), SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3),
        SCMP_SYS(ftruncate), SCMP_SYS(pwrite64), SCMP_SYS(pwritev), SCMP_SYS(fallocate)}},
      {"change a descriptor",             Allow,   Trap,     Trap,
       {SCMP_SYS(fcntl), SCMP_SYS(ioctl)}},
      {"change what it may use",          Allow,   Trap,     Trap,
       {SCMP_SYS(setrlimit), SCMP_SYS(prlimit64), SCMP_SYS(prctl), SCMP_SYS(seccomp),
        SCMP_SYS(setpriority), SCMP_SYS(sched_setaffinity), SCMP_SYS(sched_setscheduler)}},
      {"remove a file",                   Allow,   Trap,     Trap,
       {SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(rmdir)}},
      {"change files",                    Allow,   Trap,     Trap,
       {SCMP_SYS(rename), SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(mkdir), SCMP_SYS(mkdirat),
        SCMP_SYS(mknod), SCMP_SYS(mknodat), SCMP_SYS(link), SCMP_SYS(linkat), SCMP_SYS(symlink),
        SCMP_SYS(symlinkat), SCMP_SYS(truncate), SCMP_SYS(chmod), SCMP_SYS(fchmod),
        SCMP_SYS(fchmodat), SCMP_SYS(chown), SCMP_SYS(fchown), SCMP_SYS(lchown), SCMP_SYS(fchownat),
        SCMP_SYS(utime), SCMP_SYS(utimes), SCMP_SYS(utimensat), SCMP_SYS(setxattr),
        SCMP_SYS(lsetxattr), SCMP_SYS(fsetxattr)}},
      {"take memory beyond its bound",    Allow,   Trap,     Trap,
       {SCMP_SYS(memfd_create), SCMP_SYS(memfd_secret), SCMP_SYS(shmget), SCMP_SYS(pipe),
        SCMP_SYS(pipe2), SCMP_SYS(remap_file_pages)}},
      {"open a socket",                   Refuse,  Trap,     Trap,
       {SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen),
        SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(sendto), SCMP_SYS(sendmsg), SCMP_SYS(sendmmsg)}},
      {"look into another process",       Refuse,  Trap,     Trap,
       {SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(kcmp),
        SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd), SCMP_SYS(process_madvise)}},
      {"change the system",               Refuse,  Trap,     Trap,
       {SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(move_mount), SCMP_SYS(open_tree),
        SCMP_SYS(fsopen), SCMP_SYS(fsmount), SCMP_SYS(mount_setattr), SCMP_SYS(pivot_root),
        SCMP_SYS(chroot), SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(swapon), SCMP_SYS(swapoff),
        SCMP_SYS(reboot), SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(init_module),
        SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(sethostname),
        SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(acct), SCMP_SYS(quotactl),
        SCMP_SYS(iopl), SCMP_SYS(ioperm)}},
      {"use a part of the system that nothing here needs", Refuse, Trap, Trap,
       {SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup),
        SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register), SCMP_SYS(add_key),
        SCMP_SYS(request_key), SCMP_SYS(keyctl), SCMP_SYS(syslog), SCMP_SYS(fanotify_init),
        SCMP_SYS(name_to_handle_at), SCMP_SYS(open_by_handle_at)}},
      // clang-format on
  };
  return all;
}

/// A call that is allowed after all where its arguments say so. Both conditions must hold.
struct Exception {
  int call;
  scmp_arg_cmp first;
  scmp_arg_cmp second = {0, SCMP_CMP_GE, 0, 0};
};

/// Bits of open() that create, change or lengthen a file.
constexpr scmp_datum_t kWriting = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);

/// A comparison of the 32 bits that a call takes.
scmp_arg_cmp has(unsigned argument, scmp_datum_t value) {
  constexpr scmp_datum_t kLowHalf = 0xFFFFFFFF;
  return {argument, SCMP_CMP_MASKED_EQ, kLowHalf, value};
}
scmp_arg_cmp below(unsigned argument, scmp_datum_t bound) {
  return {argument, SCMP_CMP_LT, bound, 0};
}
scmp_arg_cmp above(unsigned argument, scmp_datum_t bound) {
  return {argument, SCMP_CMP_GT, bound, 0};
}

/// Of Reference and Kernel; the compiler's rules have no conditions.
const std::vector<Exception>& exceptions() {
  static const std::vector<Exception> all{
      {SCMP_SYS(open), {1, SCMP_CMP_MASKED_EQ, kWriting, O_RDONLY}},
      {SCMP_SYS(openat), {2, SCMP_CMP_MASKED_EQ, kWriting, O_RDONLY}},
      {SCMP_SYS(close), below(0, kResultFile)},
      {SCMP_SYS(close), above(0, kResultFile)},
      // abort() and raise() send signals to their own process.
      {SCMP_SYS(kill), has(0, kThisProcess)},
      {SCMP_SYS(tgkill), has(0, kThisProcess)},
      // The signal by which this filter speaks stays as it is.
      {SCMP_SYS(rt_sigaction), below(0, SIGSYS)},
      {SCMP_SYS(rt_sigaction), above(0, SIGSYS)},
      // Blocking signals is carried out by the handler, without SIGSYS (base/confinement.h).
      {SCMP_SYS(rt_sigprocmask), has(0, SIG_SETMASK)},
      {SCMP_SYS(rt_sigprocmask), has(0, SIG_UNBLOCK)},
      {SCMP_SYS(rt_sigprocmask), has(0, SIG_BLOCK), {1, SCMP_CMP_EQ, 0, 0}},
      {SCMP_SYS(dup2), below(1, kResultFile)},
      {SCMP_SYS(dup2), above(1, kResultFile)},
      {SCMP_SYS(dup3), below(1, kResultFile)},
      {SCMP_SYS(dup3), above(1, kResultFile)},
      {SCMP_SYS(dup), below(0, kResultFile)},
      {SCMP_SYS(dup), above(0, kResultFile)},
      {SCMP_SYS(fcntl), has(1, F_GETFD)},
      {SCMP_SYS(fcntl), has(1, F_SETFD)},
      {SCMP_SYS(fcntl), has(1, F_GETFL)},
      {SCMP_SYS(fcntl), has(1, F_DUPFD_CLOEXEC)},
      {SCMP_SYS(ioctl), has(1, TCGETS)},
      {SCMP_SYS(ioctl), has(1, TIOCGWINSZ)},
      {SCMP_SYS(prlimit64), {2, SCMP_CMP_EQ, 0, 0}},
      {SCMP_SYS(prctl), has(0, PR_SET_VMA)},
      {SCMP_SYS(prctl), has(0, PR_GET_NAME)},
  };
  return all;
}

std::uint32_t action_of(Verdict verdict) {
  switch (verdict) {
    case Allow: return SCMP_ACT_ALLOW;
    case Refuse: return SCMP_ACT_ERRNO(EPERM);
    case Trap: return SCMP_ACT_TRAP;
  }
  return SCMP_ACT_TRAP;
}

Verdict verdict_of(const CallGroup& group, Policy policy) {
  switch (policy) {
    case Policy::Tool: return Allow;
    case Policy::Compiler: return group.compiler;
    case Policy::Reference: return group.reference;
    case Policy::KernelCode: return group.kernel;
  }
  return Trap;
}

struct Release {
  void operator()(scmp_filter_ctx context) const { ::seccomp_release(context); }
};
using Context = std::unique_ptr<void, Release>;

bool add_rules(scmp_filter_ctx context, Policy policy, Verdict others) {
  for (const CallGroup& group : call_groups()) {
    const Verdict verdict = verdict_of(group, policy);
    if (verdict == others) continue;
    for (const int call : group.calls) {
      const int error = ::seccomp_rule_add(context, action_of(verdict), call, 0);
      if (error != 0 && error != -EDOM) return false; // a call that this machine has not
    }
  }
  if (policy == Policy::Compiler) return true;
  return std::ranges::all_of(exceptions(), [&](const Exception& each) {
    const std::array conditions{each.first, each.second};
    // Two conditions on one argument are not allowed, nor is one that always holds needed.
    const unsigned count = each.second.op == SCMP_CMP_GE ? 1 : 2;
    return ::seccomp_rule_add_array(context, SCMP_ACT_ALLOW, each.call, count, conditions.data()) ==
           0;
  });
}

/// The filter as seccomp wants it.
CallFilter exported(scmp_filter_ctx context) {
  const FileDescriptor file(::memfd_create("lanewise-filter", MFD_CLOEXEC));
  if (!file.is_open() || ::seccomp_export_bpf(context, file.number()) != 0) return {};
  const off_t bytes = ::lseek(file.number(), 0, SEEK_END);
  CallFilter filter(static_cast<std::size_t>(std::max<off_t>(bytes, 0)) / sizeof(sock_filter));
  const ssize_t got = ::pread(file.number(), filter.data(), filter.size() * sizeof(sock_filter), 0);
  if (got != bytes || filter.size() > kLongestFilter) return {};
  return filter;
}

CallFilter make_filter(Policy policy) {
  const Verdict others = policy == Policy::Compiler ? Allow : Trap;
  const Context context(::seccomp_init(action_of(others)));
  if (!context) return {};
  // Calls by the numbers of another machine or of another ABI.
  ::seccomp_attr_set(context.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  if (!add_rules(context.get(), policy, others)) return {};
  return exported(context.get());
}

} // namespace

std::span<const sock_filter> call_filter(Policy policy) {
  switch (policy) {
    case Policy::Tool: return {};
    case Policy::Compiler: {
      static const CallFilter filter = make_filter(Policy::Compiler);
      return filter;
    }
    case Policy::Reference: {
      static const CallFilter filter = make_filter(Policy::Reference);
      return filter;
    }
    case Policy::KernelCode: {
      static const CallFilter filter = make_filter(Policy::KernelCode);
      return filter;
    }
  }
  return {};
}

void fill_in(std::span<sock_filter> filter, pid_t process, int result_file) {
  for (sock_filter& each : filter) {
    if (BPF_CLASS(each.code) != BPF_JMP) continue;
    if (each.k == kThisProcess) each.k = static_cast<std::uint32_t>(process);
    if (each.k == kResultFile) each.k = static_cast<std::uint32_t>(result_file);
  }
}

std::string attempt_text(int call) {
  for (const CallGroup& group : call_groups()) {
    if (std::ranges::find(group.calls, call) != group.calls.end())
      return std::string(group.attempt);
  }
  struct Free {
    void operator()(char* text) const { std::free(text); }
  };
  const std::unique_ptr<char, Free> name(
      ::seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, call));
  if (!name) return fmt::format("make the system call {}", call);
  return fmt::format("make the system call '{}'", name.get());
}

} // namespace lanewise
