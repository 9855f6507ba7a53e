// The way to the process that plays the device (wire.h). 'lanewise program' has started this one and
// left it a socket; a host program that was started by itself starts 'lanewise device' when it first
// needs it:
//
//   LANEWISE         the program (default: lanewise, of PATH)
//   LANEWISE_METAL   the checkout of tt-metal (default: TT_METAL_HOME)
//   LANEWISE_FLAGS   further options of 'lanewise device', with blanks between them, as --grid
//
// LANEWISE_ARCH and LANEWISE_GRID choose the device (chip.hpp), whoever has started the program.
#pragma once

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "types.hpp"
#include "wire.h"

namespace lanewise_host {

struct Reply {
  Answer answer = Answer::Refused;
  std::vector<std::uint8_t> bytes;
};

class Channel {
 public:
  static Channel& own() {
    static Channel channel;
    return channel;
  }
  /// Whether 'lanewise program' reports what is wrong.
  static bool is_inherited() { return std::getenv(kChannelVariable) != nullptr; }

  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  /// What was found decides about the exit status, whatever the program itself has made of it.
  ~Channel() {
    if (device_ <= 0) return; // an inherited one is closed with the process
    ::close(socket_);
    int status = 0;
    if (::waitpid(device_, &status, 0) != device_) return;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    std::cout.flush();
    std::fflush(nullptr);
    ::_exit(1);
  }

  Reply ask(Ask what, std::string_view text, std::span<const std::byte> contents = {}) {
    std::cout.flush();
    std::fflush(nullptr);
    const WireHeader header{.what = static_cast<std::uint32_t>(what), .bytes = text.size() + 1 + contents.size()};
    WireHeader answer;
    Reply reply;
    const bool is_sent = send(&header, sizeof header) && send(text.data(), text.size()) && send("", 1) &&
                         send(contents.data(), contents.size());
    if (!is_sent || !receive(&answer, sizeof answer) || answer.magic != kWireMagic) lost();
    reply.answer = static_cast<Answer>(answer.what);
    reply.bytes.resize(answer.bytes);
    if (!receive(reply.bytes.data(), reply.bytes.size())) lost();
    return reply;
  }

 private:
  Channel() {
    if (is_inherited()) socket_ = std::atoi(std::getenv(kChannelVariable));
    else start();
  }

  static std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
  }

  void start() {
    constexpr int kNumber = 3;
    std::string metal = variable("LANEWISE_METAL");
    program_ = variable("LANEWISE");
    if (program_.empty()) program_ = "lanewise";
    if (metal.empty()) metal = variable("TT_METAL_HOME");
    std::vector<std::string> words{program_, "device", "--channel", std::to_string(kNumber)};
    if (!metal.empty()) words.insert(words.end(), {"--metal", metal});
    std::istringstream flags(variable("LANEWISE_FLAGS"));
    for (std::string word; flags >> word;) words.push_back(word);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw std::runtime_error("cannot make a socket for lanewise");
    socket_ = ends[0];
    device_ = ::fork();
    if (device_ == 0) {
      const int theirs = ::fcntl(ends[1], F_DUPFD, 10); // 3 may be one of the two
      if (::dup2(theirs, kNumber) == kNumber && ::close(theirs) == 0) ::execvp(arguments[0], arguments.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    if (device_ < 0) throw std::runtime_error("cannot start lanewise");
  }

  [[noreturn]] void lost() {
    int status = 0;
    const bool has_ended = device_ > 0 && ::waitpid(device_, &status, 0) == device_;
    device_ = -1;
    if (has_ended && WIFEXITED(status) && WEXITSTATUS(status) == 127)
      throw std::runtime_error(fmt::format("cannot start {}: set LANEWISE to the program", program_));
    throw std::runtime_error("lanewise has ended: it says above why");
  }

  bool send(const void* bytes, std::size_t count) const {
    for (const char* at = static_cast<const char*>(bytes); count != 0;) {
      // A confined program may write, but not send; nobody takes offence at its end by SIGPIPE.
      const ssize_t written = device_ > 0 ? ::send(socket_, at, count, MSG_NOSIGNAL) : ::write(socket_, at, count);
      if (written <= 0) return false;
      at += written;
      count -= static_cast<std::size_t>(written);
    }
    return true;
  }
  bool receive(void* bytes, std::size_t count) const {
    for (char* at = static_cast<char*>(bytes); count != 0;) {
      const ssize_t got = ::read(socket_, at, count);
      if (got <= 0) return false;
      at += got;
      count -= static_cast<std::size_t>(got);
    }
    return true;
  }

  int socket_ = -1;
  pid_t device_ = -1; ///< the process that was started for it
  std::string program_;
};

} // namespace lanewise_host
