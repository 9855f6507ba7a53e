#include "number/references/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/confinement.h"
#include "base/process.h"
#include "base/processor_time.h"

namespace lanewise::references {
namespace {

/// Where the process finds its end of the socket, and the shared memory.
constexpr int kSocketInChild = 3, kMemoryInChild = 4;

/// Its exit status when operator new finds no memory.
constexpr int kNoMemoryStatus = 125;
/// And when the program cannot be run: the folder for temporary files may be none for programs.
constexpr int kCannotRun = 126;
/// And when the process cannot be confined.
constexpr int kNotConfined = 124;

/// The numbers above in the program's own terms; SharedBlock is written twice, here and there.
constexpr std::string_view kDefinitions = R"(
#include <concepts>
#include <cstdint>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
namespace lanewise_worker {{
constexpr int kSocket = {}, kMemory = {};
constexpr unsigned kBlock = {};
constexpr unsigned kSecondsBeforeSuicide = {};
constexpr int kNoMemory = {};
template <class Number>
concept OfTwo = requires(Number n) {{ {{ reference(n, n) }} -> std::convertible_to<double>; }};
template <class Number>
concept OfOne = requires(Number n) {{ {{ reference(n) }} -> std::convertible_to<double>; }};
constexpr unsigned char kOperands = OfTwo<double> ? 2 : OfOne<double> ? 1 : 0;
static_assert(kOperands != 0, "{}");
}}
)";

/// The process ends when the socket does. It kills itself some time after the watchdog should have
/// done so, in case there is nobody left to do it.
constexpr std::string_view kMain = R"(
namespace lanewise_worker {
[[gnu::constructor(101)]] void watch_memory() { // before static variables are initialised
  std::set_new_handler([] { ::_exit(kNoMemory); });
}
struct SharedBlock {
  double x[kBlock], y[kBlock], result[kBlock];
  std::uint32_t count;
  volatile std::uint32_t position;
};
template <class Number>
double call(Number x, Number y) {
  if constexpr (kOperands == 2) {
    return reference(x, y);
  } else {
    return reference(x);
  }
}
int serve(SharedBlock& block) {
  unsigned char byte = kOperands;
  while (::write(kSocket, &byte, 1) == 1 && ::read(kSocket, &byte, 1) == 1) {
    ::alarm(kSecondsBeforeSuicide);
    for (std::uint32_t i = 0; i < block.count; ++i) {
      block.position = i;
      block.result[i] = call(block.x[i], block.y[i]);
    }
    ::alarm(0);
  }
  return 0;
}
}
int main() {
  using namespace lanewise_worker;
  void* memory = ::mmap(nullptr, sizeof(SharedBlock), PROT_READ | PROT_WRITE, MAP_SHARED, kMemory, 0);
  return memory == MAP_FAILED ? 1 : serve(*static_cast<SharedBlock*>(memory));
}
)";

/// The same file, out of the way of the numbers that the child wants.
FileDescriptor moved_up(const FileDescriptor& file) {
  constexpr int kAbove = 10;
  return FileDescriptor(::fcntl(file.number(), F_DUPFD_CLOEXEC, kAbove));
}

Unexpected start_fault(int error) {
  return bad_input(
      fmt::format("cannot start a process for the reference function: {}", std::strerror(error)),
      "check the limits of processes and memory");
}

/// What the child does, in which nothing may be allocated: it gets its descriptors, its limits, is
/// confined, and becomes the program.
[[noreturn]] void become(const char* program, int theirs, int memory, const Confinement& how) {
  ::dup2(theirs, kSocketInChild);
  ::dup2(memory, kMemoryInChild);
  const rlimit most{kWorkerMemory, kWorkerMemory};
  ::setrlimit(RLIMIT_AS, &most);
  if (!confine(how, nullptr)) ::_exit(kNotConfined);
  std::array<char, 10> name{"reference"};
  const std::array<char*, 2> arguments{name.data(), nullptr};
  ::execve(program, arguments.data(), environ);
  ::_exit(kCannotRun);
}

} // namespace

/// As in kMain.
struct ReferenceWorker::SharedBlock {
  double x[kWorkerBlock], y[kWorkerBlock], result[kWorkerBlock];
  std::uint32_t count;
  volatile std::uint32_t position;
};

std::string worker_source() {
  constexpr unsigned kSecondsBeforeSuicide = 600;
  return fmt::format(kDefinitions, kSocketInChild, kMemoryInChild, kWorkerBlock,
                     kSecondsBeforeSuicide, kNoMemoryStatus, kNoReference) +
         std::string(kMain);
}

Expected<std::unique_ptr<ReferenceWorker>> ReferenceWorker::start(
    const FileDescriptor& program, std::chrono::milliseconds patience) {
  std::unique_ptr<ReferenceWorker> worker(new ReferenceWorker(patience));
  std::array<int, 2> sockets{};
  if (!worker->make_shared_block() ||
      ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) {
    return start_fault(errno);
  }
  worker->socket_ = FileDescriptor(sockets[0]);
  FileDescriptor theirs = moved_up(FileDescriptor(sockets[1]));
  const bool is_running = worker->spawn(program, theirs);
  const int error = errno;
  theirs.close(); // so that the end of the process is the end of the socket
  if (!is_running) return start_fault(error);
  unsigned char operands = 0;
  if (const Answer answer = worker->wait_for_answer(operands); answer != Answer::Came) {
    return bad_input(
        fmt::format("the file of the reference function {} before the function was called",
                    worker->failure(answer)),
        "look at what its static variables do");
  }
  worker->operands_ = operands;
  return worker;
}

bool ReferenceWorker::make_shared_block() {
  memory_ = moved_up(FileDescriptor(::memfd_create("lanewise-reference", MFD_CLOEXEC)));
  if (!memory_.is_open() || ::ftruncate(memory_.number(), sizeof(SharedBlock)) != 0) return false;
  void* memory =
      ::mmap(nullptr, sizeof(SharedBlock), PROT_READ | PROT_WRITE, MAP_SHARED, memory_.number(), 0);
  if (memory == MAP_FAILED) return false;
  block_ = static_cast<SharedBlock*>(memory);
  return true;
}

bool ReferenceWorker::spawn(const FileDescriptor& program, const FileDescriptor& theirs) {
  const FileDescriptor executed = moved_up(program);
  const std::string path = fmt::format("/proc/self/fd/{}", executed.number());
  const Confinement how{.policy = Policy::Reference,
                        .kept_files = {kSocketInChild, kMemoryInChild, executed.number()}};
  prepare_confinement(how.policy);
  process_ = ::fork();
  if (process_ == 0) become(path.c_str(), theirs.number(), memory_.number(), how);
  return process_ > 0;
}

ReferenceWorker::Answer ReferenceWorker::wait_for_answer(unsigned char& byte) {
  TimeBudget budget(patience_, process_);
  for (;;) {
    pollfd waiting{.fd = socket_.number(), .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(budget.patience().count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0 && !budget.is_used_up()) continue;
    if (ready <= 0) return Answer::TooLate;
    const ssize_t got = ::recv(socket_.number(), &byte, 1, 0);
    if (got < 0 && errno == EINTR) continue;
    return got == 1 ? Answer::Came : Answer::Ended;
  }
}

std::string ReferenceWorker::end_of_process() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0) {
    if (errno != EINTR) break;
  }
  process_ = -1;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
    return "tried what a reference must not do (docs/security.md)";
  if (WIFSIGNALED(status)) return "was ended by " + signal_name(WTERMSIG(status));
  if (WEXITSTATUS(status) == kNotConfined) return "cannot be confined (docs/security.md)";
  if (WEXITSTATUS(status) == kCannotRun)
    return "was not run, since TMPDIR names a folder of which programs may not be run,";
  if (WEXITSTATUS(status) == kNoMemoryStatus)
    return fmt::format("needs more than {} MiB of memory", kWorkerMemory >> 20);
  return fmt::format("ended its process with exit status {}", WEXITSTATUS(status));
}

std::string ReferenceWorker::failure(Answer answer) {
  if (answer == Answer::TooLate) {
    ::kill(process_, SIGKILL);
    end_of_process();
    return fmt::format("did not come back within {} ms", patience_.count());
  }
  return end_of_process();
}

Expected<void> ReferenceWorker::evaluate(std::span<const double> x, std::span<const double> y,
                                         std::span<double> results) {
  std::ranges::copy(x, block_->x);
  std::ranges::copy(y, block_->y);
  block_->count = static_cast<std::uint32_t>(x.size());
  block_->position = 0;
  unsigned char byte = 1;
  const bool is_asked = ::send(socket_.number(), &byte, 1, MSG_NOSIGNAL) == 1;
  const Answer answer = is_asked ? wait_for_answer(byte) : Answer::Ended;
  if (answer == Answer::Came) {
    std::copy_n(block_->result, results.size(), results.begin());
    return {};
  }
  // What the process has written there may be anything.
  const std::size_t at = std::min<std::size_t>(block_->position, x.size() - 1);
  std::string point = fmt::format("x = {} ({:a})", x[at], x[at]);
  if (!y.empty()) point += fmt::format(", y = {} ({:a})", y[at], y[at]);
  return bad_input(fmt::format("the reference function {} at {}", failure(answer), point),
                   "mend it for this input, or leave the input out");
}

ReferenceWorker::~ReferenceWorker() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    end_of_process();
  }
  if (block_ != nullptr) ::munmap(block_, sizeof(SharedBlock));
}

} // namespace lanewise::references
