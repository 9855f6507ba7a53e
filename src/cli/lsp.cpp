// lanewise lsp: what editors ask about kernels, by the Language Server Protocol over standard input
// and output.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <memory>
#include <thread>
#include <utility>

#include "base/file_descriptor.h"
#include "cli/command.h"
#include "cli/editor_settings.h"
#include "cli/formats.h"
#include "cli/lsp_inbox.h"
#include "cli/missing_confinement.h"
#include "cli/program.h"
#include "editor/frames.h"
#include "editor/session.h"

namespace lanewise::cli {

namespace {

using nlohmann::json;

/// How long nothing must come before a text is analysed.
constexpr std::chrono::milliseconds kQuiet{100};
/// Between looks whether the program is to end.
constexpr std::chrono::milliseconds kLspLook{200};
constexpr std::size_t kChunk = 1U << 16;

struct LspOptions {
  Arch arch = kDefaultArch;
  std::string format = "bf16";
  KernelOptions kernel;
};

/// The streams of the conversation, under numbers that no kernel and no compiler inherits: what
/// these print goes to standard error, and what they read is empty.
struct LspStreams {
  FileDescriptor in, out;
};

Expected<LspStreams> take_streams() {
  LspStreams streams{FileDescriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)),
                     FileDescriptor(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1))};
  const FileDescriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const bool done = streams.in.is_open() && streams.out.is_open() && nothing.is_open() &&
                    ::dup2(nothing.number(), STDIN_FILENO) >= 0 &&
                    ::dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
  if (!done)
    return bad_input("standard input or output is not open",
                     "let an editor start this (docs/editor.md)");
  return streams;
}

void put_frame(LspInbox& inbox, const Expected<std::string>& content) {
  const auto refuse = [&](std::string_view what) {
    inbox.put_answer(editor::error_answer(nullptr, editor::ErrorCode::ParseError, what));
  };
  if (!content) return refuse(to_string(content.error()));
  auto message = parse_message(*content);
  if (!message) return refuse("a message is no JSON, or nested too deeply");
  inbox.put(std::move(*message));
}

/// Reads until the stream ends, or nobody wants more.
void read_messages(int in, LspInbox& inbox, const std::atomic<bool>& stopped) {
  editor::FrameReader frames;
  std::array<char, kChunk> bytes;
  while (!stopped) {
    pollfd ready{.fd = in, .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, static_cast<int>(kLspLook.count())) <= 0) continue;
    const ssize_t count = ::read(in, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    for (const auto& content : frames.feed({bytes.data(), static_cast<std::size_t>(count)}))
      put_frame(inbox, content);
  }
  inbox.close();
}

/// Writes a message. False if nobody reads any more.
bool write_message(int out, const json& message) {
  // What g++ quotes need not be UTF-8.
  const std::string bytes =
      editor::frame(message.dump(-1, ' ', false, json::error_handler_t::replace));
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::write(out, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno != EINTR) return false;
    done += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
  return true;
}

bool write_messages(int out, const std::vector<json>& messages) {
  return std::ranges::all_of(messages, [&](const json& each) { return write_message(out, each); });
}

/// Answers until the editor says exit, or its stream ends. The exit status.
int converse(editor::Session& session, LspInbox& inbox, int out) {
  while (!inbox.is_at_end() && !interrupted()) {
    const auto unsettled = session.unsettled();
    const auto item = inbox.take(unsettled ? kQuiet : kLspLook);
    std::vector<json> sent;
    if (item) {
      sent = item->is_answer ? std::vector{item->value} : session.take(item->value);
    } else if (unsettled) {
      sent = session.settle(*unsettled, [&] { return inbox.has_change(*unsettled); });
    }
    if (!write_messages(out, sent)) return 1;
    if (session.ended()) return *session.ended();
  }
  return 1;
}

/// What every text would be refused for.
Expected<void> check_lsp(const LspOptions& options) {
  if (const auto format = formats::parse_format(options.format); !format)
    return Unexpected(format.error());
  return check_kernel_options(options.kernel);
}

ExitStatus lsp(const LspOptions& options) {
  if (const auto sound = check_lsp(options); !sound) return fail(sound.error());
  const auto streams = take_streams();
  if (!streams) return fail(streams.error());
  tell_missing_confinement();
  watch_for_interrupt();
  LspInbox inbox;
  std::atomic<bool> stopped = false;
  std::thread reading([&] { read_messages(streams->in.number(), inbox, stopped); });
  editor::Session session(
      editor_settings(options.kernel, options.arch, options.format),
      [&](const std::string& name, const editor::Settings& settings, Arch arch) {
        return editor_file(name, settings, arch, options.kernel);
      });
  const int status = converse(session, inbox, streams->out.number());
  stopped = true;
  reading.join();
  return exit_status(status == 0);
}

} // namespace

void add_lsp(CommandLine& line) {
  const Command command = line.add_command(
      "lsp", "Tell an editor about kernels and assembly while they are written (docs/editor.md)");
  auto options = std::make_shared<LspOptions>();
  add_arch_option(command, options->arch);
  add_format_option(command, options->format, "Format of the tiles in Dst");
  add_kernel_options(command, options->kernel);
  command.footer(
      "Speaks the Language Server Protocol over standard input and output; editors start it. "
      "docs/editor.md has settings for VS Code, Neovim, Emacs, Helix and Kate.");
  command.action([options] { return lsp(*options); });
}

} // namespace lanewise::cli
