// The device's end of the socket to a host program (wire.h in source/programs/include/lanewise/).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "run/host/session.h"

namespace lanewise::host {

struct Request {
  Ask ask = Ask::Run;
  std::string payload;
};

/// The next request of a host program, of at most `most` bytes. Nothing if there is none any more,
/// or if what came is none.
std::optional<Request> receive_request(int socket, std::uint64_t most);

/// False if nobody takes it.
bool send_reply(int socket, const Reply& reply);

/// Answers until the host program has ended, or asks for what is no request.
void serve(int socket, std::uint64_t most, const std::function<Reply(const Request&)>& answer);

} // namespace lanewise::host
