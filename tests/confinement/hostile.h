// What hostile kernels do. One function for all of them, so that they are compiled once; the name
// comes from the environment. tests/confinement/attacks.txt says what each is told.
#pragma once

#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

inline void* hostile_thread(void*) {
  return nullptr;
}

/// A path in a folder that the environment names.
inline const char* hostile_path(const char* folder) {
  static char path[4096];
  std::strcpy(path, std::getenv(folder) ? std::getenv(folder) : "/tmp");
  return std::strcat(path, "/lanewise-hostile");
}

inline void attack(const char* name) {
  if (name == nullptr) return;
  const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
  if (is("kill-group")) kill(0, SIGKILL);
  if (is("kill-parent")) kill(getppid(), SIGKILL);
  if (is("kill-all")) kill(-1, SIGKILL);
  if (is("fork-bomb"))
    for (;;) fork();
  if (is("vfork") && vfork() == 0) _exit(0);
  if (is("clone3")) {
    clone_args arguments{};
    arguments.exit_signal = SIGCHLD;
    syscall(SYS_clone3, &arguments, sizeof arguments);
  }
  if (is("system") && std::system("true") != 0) return;
  if (is("thread")) {
    pthread_t thread;
    pthread_create(&thread, nullptr, hostile_thread, nullptr);
  }
  if (is("exec")) execl("/bin/true", "true", nullptr);
  if (is("socket")) socket(AF_INET, SOCK_STREAM, 0);
  if (is("unix-socket")) socket(AF_UNIX, SOCK_STREAM, 0);
  if (is("write-tmp")) open(hostile_path("TMPDIR"), O_WRONLY | O_CREAT, 0600);
  if (is("write-home")) open(hostile_path("HOME"), O_RDWR | O_CREAT | O_APPEND, 0600);
  if (is("truncate")) open(hostile_path("HOME"), O_RDONLY | O_TRUNC);
  if (is("creat")) creat(hostile_path("HOME"), 0600);
  if (is("nameless")) open("/tmp", O_RDWR | O_TMPFILE, 0600);
  if (is("unlink")) unlink(hostile_path("HOME"));
  if (is("rename")) syscall(SYS_rename, hostile_path("HOME"), "/tmp/lanewise-hostile-2");
  if (is("ptrace")) ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
  if (is("memory-file")) memfd_create("hostile", 0);
  if (is("setsid")) setsid();
  if (is("setpgid")) setpgid(0, getppid());
  if (is("sleep")) sleep(1000);
  if (is("wait-for-input")) {
    char byte;
    if (read(STDIN_FILENO, &byte, 1) != 0) std::abort();
    _exit(7);
  }
  if (is("close-all"))
    for (int file = 0; file < 1024; ++file) close(file);
  if (is("close-range")) syscall(SYS_close_range, 0, ~0U, 0);
  if (is("cover-all"))
    for (int file = 3; file < 1024; ++file) dup2(1, file);
  if (is("scribble"))
    for (int file = 3; file < 64; ++file)
      if (write(file, "hostile", 7) < 0) continue;
  if (is("quiet-end")) _exit(0);
  if (is("own-handler")) signal(SIGSYS, SIG_IGN);
  if (is("block-and-fork")) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    fork();
  }
  if (is("set-mask-and-fork")) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    fork();
  }
  if (is("other-abi")) syscall(0x40000000 | SYS_fork); // the numbers of x32
  if (is("limits")) syscall(SYS_setrlimit, 7, nullptr);
  if (is("ring")) syscall(SYS_io_uring_setup, 1, nullptr);
  if (is("unknown-call")) syscall(SYS_mlock, nullptr, 0);
  if (is("memory"))
    for (;;) {
      if (mmap(nullptr, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
          MAP_FAILED)
        *static_cast<volatile int*>(nullptr) = 1;
    }
  if (is("endless"))
    for (volatile int i = 0;; i = i + 1) {
    }
}

/// Before there is a kernel.
struct HostileStatic {
  HostileStatic() { attack(std::getenv("LANEWISE_TEST_STATIC_ATTACK")); }
};
inline HostileStatic hostile_static;
