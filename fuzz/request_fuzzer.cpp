// What a hostile host program sends its device: requests that write and read its memory.
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "run/host/channel.h"
#include "run/host/session.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kFits = 64 << 10; // into a socket that nobody reads yet
  if (size > kFits) return 0;
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) return 0;
  (void)!::write(ends[0], data, size);
  ::shutdown(ends[0], SHUT_WR);
  lanewise::host::Session session(
      {.how = {.limits = {.time = std::chrono::seconds(1), .memory = std::uint64_t{64} << 20}}});
  // Answers to large reads would wait for the host program; kernels are not started.
  while (const auto request = lanewise::host::receive_request(ends[1], kFits))
    if (request->ask != lanewise::host::Ask::Run) session.answer(request->ask, request->payload);
  ::close(ends[0]);
  ::close(ends[1]);
  return 0;
}
