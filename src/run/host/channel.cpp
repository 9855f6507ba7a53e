#include "run/host/channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace lanewise::host {

namespace {

using lanewise_host::WireHeader;

/// A piece at a time: what a header promises need not come.
constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;

bool receive(int socket, void* bytes, std::size_t count) {
  for (char* at = static_cast<char*>(bytes); count != 0;) {
    const ssize_t got = ::read(socket, at, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

bool send(int socket, const void* bytes, std::size_t count) {
  for (const char* at = static_cast<const char*>(bytes); count != 0;) {
    const ssize_t sent = ::send(socket, at, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    count -= static_cast<std::size_t>(sent);
  }
  return true;
}

} // namespace

std::optional<Request> receive_request(int socket, std::uint64_t most) {
  WireHeader header;
  if (!receive(socket, &header, sizeof header)) return std::nullopt;
  if (header.magic != lanewise_host::kWireMagic || header.bytes > most) return std::nullopt;
  Request request{.ask = static_cast<Ask>(header.what), .payload = {}};
  while (request.payload.size() < header.bytes) {
    const std::size_t had = request.payload.size();
    request.payload.resize(had + std::min(kPiece, header.bytes - had));
    if (!receive(socket, request.payload.data() + had, request.payload.size() - had))
      return std::nullopt;
  }
  return request;
}

bool send_reply(int socket, const Reply& reply) {
  const WireHeader header{.what = static_cast<std::uint32_t>(reply.answer),
                          .bytes = reply.bytes.size()};
  return send(socket, &header, sizeof header) &&
         send(socket, reply.bytes.data(), reply.bytes.size());
}

void serve(int socket, std::uint64_t most, const std::function<Reply(const Request&)>& answer) {
  while (const auto request = receive_request(socket, most))
    if (!send_reply(socket, answer(*request))) return;
}

} // namespace lanewise::host
