#include "run/host/host_process.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <future>
#include <iostream>
#include <new>
#include <system_error>
#include <utility>

#include "base/confinement.h"
#include "base/file_descriptor.h"
#include "base/process.h"
#include "base/shared_memory.h"
#include "base/supervisor.h"
#include "run/host/channel.h"
#include "source/sfpi/debug_frames.h"
#include "source/sfpi/headers.h"
#include "source/sfpi/kernel_object.h"

namespace lanewise::host {

namespace {

using sfpi::kDeepestStack;

/// What the host program's process leaves for the other, in memory that both see. The program can
/// write there whatever it wants.
struct Note {
  enum class What : std::uint32_t { Nothing, Threw, NoMemory, NotLoaded, NoMain };
  What what = What::Nothing;
  std::uint32_t frames = 0;
  std::array<std::uint64_t, kDeepestStack> stack{}; ///< addresses in the object's file
  std::array<char, 2048> text{};
};

// --- In the host program's process

Note* note = nullptr;
const sfpi::KernelObject* loaded = nullptr;

void leave(Note::What what, std::string_view text = {}) {
  note->what = what;
  const std::size_t length = std::min(text.size(), note->text.size() - 1);
  std::memcpy(note->text.data(), text.data(), length);
  note->text[length] = '\0';
}

_Unwind_Reason_Code add_call(_Unwind_Context* context, void* /*data*/) {
  if (note->frames == note->stack.size()) return _URC_END_OF_STACK;
  note->stack[note->frames++] = ::_Unwind_GetIP(context) - 1;
  return _URC_NO_REASON;
}

/// Where the program is. Allocates nothing.
void leave_place() {
  if (loaded == nullptr) return;
  note->frames = 0;
  ::_Unwind_Backtrace(add_call, nullptr);
  note->frames = static_cast<std::uint32_t>(
      loaded->to_file_addresses(std::span(note->stack).first(note->frames)));
}

extern "C" void on_host_signal(int signal) {
  leave_place();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

extern "C" void on_host_attempt(int /*signal*/, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  if (attempted_call(*info, context)) {
    leave_place();
    ::_exit(EXIT_FAILURE);
  }
  errno = saved_errno;
}

/// A stack of their own: the program's may be used up.
void watch_signals() {
  static std::array<std::byte, 1 << 16> stack;
  const stack_t own{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  ::sigaltstack(&own, nullptr);
  struct sigaction action {};
  action.sa_handler = on_host_signal;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, kTimeIsOver})
    ::sigaction(signal, &action, nullptr);
}

int call_main(const sfpi::KernelObject& object, const HostProgram& program) {
  auto* const main = reinterpret_cast<int (*)(int, char**)>(object.find("main"));
  if (main == nullptr) {
    leave(Note::What::NoMain);
    return EXIT_FAILURE;
  }
  std::vector<std::string> words{program.source};
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  try {
    return main(static_cast<int>(words.size()), arguments.data());
  } catch (const std::exception& error) {
    leave(Note::What::Threw, error.what());
  } catch (...) {
    leave(Note::What::Threw, "something that is no std::exception");
  }
  return EXIT_FAILURE;
}

[[noreturn]] void be_the_host(const HostProgram& program, int socket) {
  watch_signals();
  ::setenv(lanewise_host::kChannelVariable, std::to_string(socket).c_str(), 1);
  const auto& [arch, grid] = program.device;
  if (!arch.empty()) ::setenv(kArchVariable, arch.c_str(), 1);
  if (!grid.empty()) ::setenv(kGridVariable, grid.c_str(), 1);
  std::set_new_handler([] {
    leave(Note::What::NoMemory);
    leave_place();
    ::_exit(EXIT_FAILURE);
  });
  const auto object = sfpi::KernelObject::load(program.object); // its static variables begin
  if (!object) {
    leave(Note::What::NotLoaded, object.error());
    ::_exit(EXIT_FAILURE);
  }
  loaded = &*object;
  const int status = call_main(*object, program);
  std::exit(status); // its static variables end, and its streams are written
}

// --- In the process that answers

/// The line of the host program that is meant by the addresses of a note; or none.
void add_place(Fault& fault, const Note& left, const HostProgram& program) {
  fault.file = program.source;
  const auto reader = sfpi::FrameReader::open(program.object);
  const auto headers = sfpi::host_include_folder();
  if (!reader || !headers) return;
  const std::size_t count = std::min<std::size_t>(left.frames, left.stack.size());
  for (std::size_t i = 0; i < count; ++i) {
    for (const compiler::Frame& frame : reader->frames_at(left.stack[i])) {
      if (frame.file.starts_with("/usr/") || frame.file.starts_with(headers->string())) continue;
      if (std::filesystem::path(frame.file).filename() !=
          std::filesystem::path(program.source).filename())
        fault.file = frame.file;
      fault.line = frame.line;
      return;
    }
  }
}

std::string text_of(const Note& left) {
  const auto end = std::ranges::find(left.text, '\0');
  std::string text(left.text.begin(), end);
  std::ranges::replace_if(
      text, [](char each) { return static_cast<unsigned char>(each) < 0x20 || each == 0x7F; }, ' ');
  return text;
}

/// Where to look after a signal.
std::string_view remedy_of(int signal) {
  switch (signal) {
    case SIGFPE:
      return "look for a division by zero, such as by the size of a block for the grid of the "
             "device, which --grid sets";
    case SIGABRT: return "look for an exception that meets another one or leaves a destructor";
    case SIGKILL: return "look for what uses up the machine's memory";
    default:
      return "look for a pointer to where nothing is, an index that is too large, a recursion "
             "without end";
  }
}

/// What has ended the program, other than itself.
std::optional<Fault> fault_of(const ProcessEnd& end, const Note& left, const HostProgram& program) {
  const auto fault = [&](std::string message, std::string remedy) {
    Fault result = bad_input(std::move(message), std::move(remedy)).value();
    add_place(result, left, program);
    return result;
  };
  if (end.was_late)
    return fault(fmt::format("the host program did not end within {}", time_text(program.limits)),
                 fmt::format("look for a loop without end, or allow more with {}", kTimeOption));
  if (end.attempt >= 0)
    return fault(attempt_message("the host program", end.attempt), kAttemptRemedy);
  switch (left.what) {
    case Note::What::Threw:
      return fault(fmt::format("an exception that nobody catches: {}", text_of(left)), "");
    case Note::What::NoMemory:
      return fault(fmt::format("the host program needs more than {}", memory_text(program.limits)),
                   fmt::format("look for memory that is never given back, or allow more with {}",
                               kMemoryOption));
    case Note::What::NotLoaded:
      return fault(fmt::format("the compiled host program cannot be loaded: {}", text_of(left)),
                   "");
    case Note::What::NoMain: return fault("there is no main() in it", "let it be a host program");
    case Note::What::Nothing: break;
  }
  if (!WIFSIGNALED(end.status)) return std::nullopt;
  const int signal = WTERMSIG(end.status);
  return fault(fmt::format("the host program was ended by {}", signal_name(signal)),
               std::string(remedy_of(signal)));
}

/// What this process's children have worked.
std::chrono::milliseconds children_time() {
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  const auto of = [](const timeval& time) {
    return std::chrono::milliseconds(time.tv_sec * 1000 + time.tv_usec / 1000);
  };
  return of(used.ru_utime) + of(used.ru_stime);
}

/// Answers what a host program asks for until it ends.
void answer_all(int socket, const HostProgram& program, Session& session, HeldTime& held,
                std::optional<Fault>& late) {
  const auto start = children_time();
  const auto most = program.limits.time * kWallFactor;
  serve(socket, program.limits.memory, [&](const Request& request) {
    if (!late && children_time() - start >= most)
      late =
          bad_input(fmt::format("all that the host program runs takes more than {} s",
                                std::chrono::duration_cast<std::chrono::seconds>(most).count()),
                    fmt::format("look for a loop without end, or allow more with {}", kTimeOption))
              .value();
    if (late) return Reply{.answer = Answer::Stopped};
    held.hold(true);
    Reply reply = session.answer(request.ask, request.payload);
    held.hold(false);
    return reply;
  });
}

} // namespace

Expected<HostEnd> run_host(const HostProgram& program, Session& session) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return bad_input("cannot make a socket: " + std::generic_category().message(errno),
                     "check the limits of open files");
  const FileDescriptor ours(ends[0]), theirs(ends[1]);
  const auto shared = SharedMemory::make("lanewise-host", sizeof(Note));
  if (!shared) return Unexpected(shared.error());
  note = new (shared->bytes().data()) Note;
  HeldTime held;
  if (!held.is_made()) return bad_input("there is no memory for a page");
  const Confinement confinement{
      .policy = Policy::KernelCode, .kept_files = {theirs.number()}, .on_attempt = on_host_attempt};
  auto ended = std::async(std::launch::async, [&] {
    auto end =
        run_supervised(beyond_this_process(program.limits), confinement,
                       [&]() -> int { be_the_host(program, theirs.number()); }, {.held = &held});
    ::shutdown(ours.number(), SHUT_RDWR); // whoever has a copy of the other end
    return end;
  });
  std::optional<Fault> late;
  answer_all(ours.number(), program, session, held, late);
  // A program that has asked for what is no request waits for an answer in vain.
  ::shutdown(ours.number(), SHUT_RDWR);
  const auto end = ended.get();
  if (!end) return Unexpected(end.error());
  if (end->start_error != 0)
    return bad_input("cannot make a process: " + std::generic_category().message(end->start_error));
  HostEnd result;
  if (WIFEXITED(end->status)) result.status = WEXITSTATUS(end->status);
  result.fault = late ? late : fault_of(*end, *note, program);
  result.has_thrown =
      !late && !end->was_late && end->attempt < 0 && note->what == Note::What::Threw;
  return result;
}

} // namespace lanewise::host
