#include "run/grid/post.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <utility>

namespace lanewise::grid {

namespace {

using noc::Location;
using noc::Transaction;

Place place_of(const Location& location) {
  return {.memory = static_cast<std::uint32_t>(location.memory),
          .bank = location.bank,
          .address = location.address};
}

std::optional<Location> location_of(const Place& place) {
  if (place.memory > static_cast<std::uint32_t>(Location::Memory::Many)) return std::nullopt;
  return Location{.memory = static_cast<Location::Memory>(place.memory),
                  .bank = place.bank,
                  .address = place.address};
}

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* timeout) {
  return ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value, timeout,
                   nullptr, 0);
}

} // namespace

Expected<Posts> Posts::make(std::size_t cores) {
  auto memory = SharedMemory::make("lanewise-posts", cores * sizeof(Post));
  if (!memory) return Unexpected(memory.error());
  return Posts(std::move(*memory));
}

bool wait_for_turn(std::atomic<std::uint32_t>& turn, std::uint32_t whose,
                   std::chrono::milliseconds patience) {
  // Often the other side is done in less time than it takes to sleep and wake.
  constexpr int kLooks = 200;
  for (int i = 0; i < kLooks; ++i)
    if (turn.load(std::memory_order_acquire) == whose) return true;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience);
  const timespec timeout{.tv_sec = seconds.count(),
                         .tv_nsec = std::chrono::nanoseconds(patience - seconds).count()};
  futex(turn, FUTEX_WAIT, 1 - whose, &timeout);
  return turn.load(std::memory_order_acquire) == whose;
}

void give_turn(std::atomic<std::uint32_t>& turn, std::uint32_t whose) {
  turn.store(whose, std::memory_order_release);
  futex(turn, FUTEX_WAKE, INT_MAX, nullptr);
}

bool add_request(Post& post, std::size_t& data_used, std::size_t& receivers_used,
                 const Transaction& t) {
  if (post.requests == Post::kRequests || data_used + t.data.size() > Post::kDataBytes ||
      receivers_used + t.receivers.size() > Post::kReceivers)
    return false;
  post.request[post.requests++] = {.number = t.number,
                                   .kind = static_cast<std::uint32_t>(t.kind),
                                   .core = t.core,
                                   .noc = t.noc,
                                   .channel = t.channel,
                                   .line = t.line,
                                   .bytes = t.bytes,
                                   .value = t.value,
                                   .mask = t.mask,
                                   .is_posted = t.is_posted ? 1U : 0U,
                                   .receivers = static_cast<std::uint32_t>(t.receivers.size()),
                                   .first_receiver = static_cast<std::uint32_t>(receivers_used),
                                   .first_byte = static_cast<std::uint32_t>(data_used),
                                   .source = place_of(t.source),
                                   .destination = place_of(t.destination)};
  std::ranges::copy(t.data, post.data.begin() + static_cast<std::ptrdiff_t>(data_used));
  for (const unsigned receiver : t.receivers)
    post.receivers[receivers_used++] = static_cast<std::uint16_t>(receiver);
  data_used += t.data.size();
  return true;
}

std::optional<Transaction> read_request(const Post& post, std::uint32_t index) {
  Request request;
  std::memcpy(&request, &post.request[index], sizeof request);
  const auto source = location_of(request.source), destination = location_of(request.destination);
  const bool is_write = request.kind == static_cast<std::uint32_t>(Transaction::Kind::Write);
  if (!source || !destination ||
      request.kind > static_cast<std::uint32_t>(Transaction::Kind::Swap) ||
      request.bytes > Post::kDataBytes || request.receivers > Post::kReceivers ||
      request.first_receiver > Post::kReceivers - request.receivers)
    return std::nullopt;
  if (is_write && request.first_byte > Post::kDataBytes - request.bytes) return std::nullopt;
  Transaction t{.kind = static_cast<Transaction::Kind>(request.kind),
                .number = request.number,
                .core = request.core,
                .noc = request.noc,
                .line = request.line,
                .source = *source,
                .destination = *destination,
                .bytes = request.bytes,
                .value = request.value,
                .mask = request.mask,
                .channel = request.channel,
                .is_posted = request.is_posted != 0};
  const auto first = post.receivers.begin() + request.first_receiver;
  t.receivers.assign(first, first + request.receivers);
  if (is_write) {
    const auto begin = post.data.begin() + request.first_byte;
    t.data.assign(begin, begin + request.bytes);
  }
  return t;
}

} // namespace lanewise::grid
