#include "study/traffic/replay.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <queue>
#include <utility>

#include "chip/noc/network.h"
#include "chip/noc/routes.h"

namespace lanewise::traffic {

namespace {

using Kind = TraceEvent::Kind;
using noc::Passage;

/// A barrier that has nothing to wait for takes no longer than this, which is what the profiler
/// takes for its two events; assumed.
constexpr std::uint64_t kEmptyBarrier = 24;

/// The bank whose port lies there; the half of a channel is not told by a place.
std::optional<unsigned> bank_at(Arch arch, unsigned noc, NocPlace place) {
  const NocRecord& record = *noc_record(arch);
  std::optional<unsigned> any;
  for (unsigned bank = 0; bank < record.banks.size(); ++bank) {
    const auto& ports = record.channel_routers[record.banks[bank].channel];
    if (std::ranges::find(ports, place) == ports.end()) continue;
    if (noc::bank_router(arch, noc, bank) == place) return bank;
    if (!any) any = bank;
  }
  return any;
}

/// The routers of compute cores in a rectangle.
std::vector<NocPlace> cores_in(Arch arch, NocPlace a, NocPlace b) {
  const NocRecord& record = *noc_record(arch);
  const auto is_other = [](std::span<const std::uint8_t> others, std::uint8_t at) {
    return std::ranges::find(others, at) != others.end();
  };
  const auto [left, right] = std::minmax(a.x, b.x);
  const auto [top, bottom] = std::minmax(a.y, b.y);
  std::vector<NocPlace> cores;
  for (unsigned y = top; y <= bottom; ++y)
    for (unsigned x = left; x <= right; ++x) {
      const NocPlace place{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
      if (!is_other(record.other_columns, place.x) && !is_other(record.other_rows, place.y))
        cores.push_back(place);
    }
  return cores;
}

class Replay {
 public:
  explicit Replay(const Trace& trace)
      : trace_(trace), network_(trace.arch), threads_(trace.threads.size()) {}

  Replayed run() {
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    for (const TraceThread& thread : trace_.threads) {
      if (thread.events.empty()) continue;
      first = std::min(first, thread.events.front().time);
      last = std::max(last, thread.events.back().time);
    }
    result_.threads = trace_.threads.size();
    result_.traced = last - std::min(first, last);
    for (std::size_t thread = 0; thread < threads_.size(); ++thread)
      if (!trace_.threads[thread].events.empty())
        turns_.emplace(trace_.threads[thread].events.front().time - first, thread);
    while (!turns_.empty() || network_.next() != noc::Network::kNever) step();
    return result_;
  }

 private:
  struct Thread {
    std::size_t next = 0;
    std::array<std::uint64_t, 2> waits{}; ///< for answers: of reads, of the others
    std::optional<std::uint64_t> since;   ///< it stands at a barrier's end
  };
  using Turn = std::pair<std::uint64_t, std::size_t>;

  const TraceEvent& event(std::size_t thread) const {
    return trace_.threads[thread].events[threads_[thread].next];
  }

  void step() {
    const std::uint64_t network = network_.next();
    if (turns_.empty() || network < turns_.top().first) {
      network_.advance(network + 1, passages_);
      for (const Passage& each : std::exchange(passages_, {})) hear(each);
      return;
    }
    const auto [cycle, thread] = turns_.top();
    turns_.pop();
    reach(thread, cycle);
  }

  /// A thread comes to its next event.
  void reach(std::size_t number, std::uint64_t cycle) {
    Thread& thread = threads_[number];
    const TraceEvent& now = event(number);
    if (now.kind == Kind::ReadsEnd || now.kind == Kind::WritesEnd) {
      if (thread.waits[now.kind == Kind::ReadsEnd ? 0 : 1] != 0) {
        thread.since = cycle;
        return;
      }
    } else if (now.kind <= Kind::Multicast) {
      ask(number, now, cycle);
    }
    go_on(number, cycle);
  }

  void go_on(std::size_t number, std::uint64_t cycle) {
    Thread& thread = threads_[number];
    result_.modelled = std::max(result_.modelled, cycle);
    const TraceEvent& before = event(number);
    if (++thread.next == trace_.threads[number].events.size()) return;
    const TraceEvent& now = event(number);
    std::uint64_t gap = now.time - before.time;
    const bool is_end = (before.kind == Kind::ReadsBegin && now.kind == Kind::ReadsEnd) ||
                        (before.kind == Kind::WritesBegin && now.kind == Kind::WritesEnd);
    if (is_end) gap = std::min(gap, kEmptyBarrier);
    turns_.emplace(cycle + gap, number);
  }

  void ask(std::size_t number, const TraceEvent& now, std::uint64_t cycle) {
    const NocRecord& record = *noc_record(trace_.arch);
    noc::Shipment shipment{.key = number * 2 + (now.kind == Kind::Read ? 0 : 1),
                           .kind = now.kind == Kind::Read        ? noc::Transaction::Kind::Read
                                   : now.kind == Kind::Increment ? noc::Transaction::Kind::Increment
                                                                 : noc::Transaction::Kind::Write,
                           .noc = now.noc,
                           .from = trace_.threads[number].at,
                           .to = now.to};
    if (now.kind == Kind::Multicast) {
      shipment.many = cores_in(trace_.arch, now.to, now.last);
      if (shipment.many.empty()) return;
    } else {
      shipment.bank = bank_at(trace_.arch, now.noc, now.to);
    }
    for (std::uint32_t left = now.bytes; left != 0; left -= shipment.bytes) {
      shipment.bytes = std::min<std::uint32_t>(left, record.packet_bytes);
      network_.ask(shipment, cycle);
      ++threads_[number].waits[shipment.key % 2];
    }
    ++result_.transactions;
    result_.bytes += now.bytes;
  }

  void hear(const Passage& passage) {
    if (passage.kind != Passage::Kind::Answered) return;
    const std::size_t number = passage.key / 2;
    Thread& thread = threads_[number];
    if (--thread.waits[passage.key % 2] != 0 || !thread.since) return;
    if ((event(number).kind == Kind::ReadsEnd ? 0U : 1U) != passage.key % 2) return;
    thread.since.reset();
    go_on(number, passage.cycle);
  }

  const Trace& trace_;
  noc::Network network_;
  std::vector<Thread> threads_;
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
  std::vector<Passage> passages_;
  Replayed result_;
};

} // namespace

Replayed replay(const Trace& trace) {
  return Replay(trace).run();
}

} // namespace lanewise::traffic
