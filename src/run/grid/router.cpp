#include "run/grid/router.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "chip/noc/noc.h"

namespace lanewise::grid {

namespace {

using noc::Location;
using noc::Transaction;

/// A transaction that comes late comes so many epochs late.
constexpr unsigned kLate = 3;

constexpr std::size_t kWord = sizeof(std::uint32_t);

} // namespace

Router::Router(const Posts& posts, const std::vector<programs::Core>& cores, AllMemories memories,
               const tile::ScheduleChoice& order, unsigned jobs)
    : posts_(posts),
      memories_(std::move(memories)),
      order_(order.order),
      seed_(order.seed),
      random_(order.seed),
      jobs_(std::max(jobs, 1U)) {
  for (const programs::Core& core : cores) {
    core_of_number_.emplace(noc::core_number(core.x, core.y), cores_.size());
    running_.push_back(cores_.size());
    cores_.emplace_back().number = noc::core_number(core.x, core.y);
  }
  given_ = running_.size(); // processes begin when they are made
}

void Router::run(const Watch& watch) {
  while (gather(watch)) {
    ++epochs_;
    carry_out_all();
    decide();
  }
}

/// Waits until each core that runs has posted or ended. False: all have ended.
bool Router::gather(const Watch& watch) {
  constexpr std::chrono::milliseconds kPatience{20};
  const auto give = [this] {
    if (given_ < running_.size()) give_turn(posts_.of(running_[given_++]).turn, 0);
  };
  for (unsigned i = 0; i < jobs_; ++i) give();
  for (const std::size_t index : running_) {
    Core& core = cores_[index];
    do {
      while (!wait_for_turn(posts_.of(index).turn, 1, kPatience)) {
        if (!watch.has_ended(index) && watch.is_watched()) continue;
        core.state = State::HasEnded;
        break;
      }
    } while (core.state == State::Runs && read_notes(index));
    if (core.state == State::Runs) read_post(index);
    give();
  }
  running_.clear();
  given_ = 0;
  return std::ranges::any_of(cores_,
                             [](const Core& core) { return core.state != State::HasEnded; });
}

/// Whether there is more to come: the core goes on at once.
bool Router::read_notes(std::size_t index) {
  Post& post = posts_.of(index);
  const auto notes = std::min<std::uint32_t>(post.notes, Post::kNotes);
  for (std::uint32_t i = 0; i < notes && races_ != nullptr; ++i) {
    launch::Note note;
    std::memcpy(&note, &post.note[i], sizeof note);
    if (!races_->note(index, note)) break_off(index);
  }
  if (post.posted != Posted::Notes) return false;
  give_turn(post.turn, 0);
  return true;
}

void Router::read_post(std::size_t index) {
  Core& core = cores_[index];
  const Post& post = posts_.of(index);
  core.state = post.posted == Posted::Ended ? State::HasEnded : State::HasPosted;
  core.is_stuck = post.posted == Posted::Stuck;
  const auto requests = std::min<std::uint32_t>(post.requests, Post::kRequests);
  for (std::uint32_t i = 0; i < requests; ++i) {
    auto transaction = read_request(post, i);
    if (!transaction) return break_off(index);
    Pending pending{.transaction = std::move(*transaction)};
    if (order_ == tile::Order::Adversarial && is_late(pending.transaction)) pending.rests = kLate;
    core.pending.push_back(std::move(pending));
  }
}

/// Data come late and signals early, as the worst case is; with an odd seed, chance decides.
bool Router::is_late(const Transaction& transaction) {
  constexpr std::uint32_t kSignal = 16; // bytes at most
  return seed_ % 2 == 0 ? transaction.bytes > kSignal : random_() % 2 == 0;
}

/// Its process does what no core does: it gets no answer any more.
void Router::break_off(std::size_t index) {
  if (std::ranges::find(broken_, index) == broken_.end()) broken_.push_back(index);
  cores_[index].pending.clear();
}

bool Router::may_go(const Core& core, std::size_t index) const {
  if (core.pending[index].rests != 0) return false;
  for (std::size_t i = 0; i < index; ++i) {
    const Transaction &before = core.pending[i].transaction, &t = core.pending[index].transaction;
    const bool same_many = before.noc == t.noc && before.channel == t.channel &&
                           before.destination.memory == Location::Memory::Many &&
                           t.destination.memory == Location::Memory::Many;
    if (same_many || noc::Noc::must_follow(before, t)) return false;
  }
  return true;
}

/// One that may go: the first, or any where the order is left to chance; pending.size() if none
/// may.
std::size_t Router::choose(const Core& core) {
  const bool takes_first = order_ == tile::Order::RoundRobin || order_ == tile::Order::Priority;
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < core.pending.size(); ++i) {
    if (!may_go(core, i)) continue;
    if (takes_first) return i;
    ready.push_back(i);
  }
  return ready.empty() ? core.pending.size() : ready[random_() % ready.size()];
}

/// One core after the other in round robin; else one transaction of a core chosen at random after
/// the other.
void Router::carry_out_all() {
  const auto go = [&](std::size_t index) {
    Core& core = cores_[index];
    const std::size_t next = choose(core);
    if (next == core.pending.size()) return false;
    const Transaction transaction = std::move(core.pending[next].transaction);
    core.pending.erase(core.pending.begin() + static_cast<std::ptrdiff_t>(next));
    if (!carry_out(index, transaction)) {
      break_off(index);
    } else if (races_ != nullptr) {
      races_->land(index, transaction);
    }
    return true;
  };
  if (order_ == tile::Order::RoundRobin || order_ == tile::Order::Priority) {
    for (std::size_t i = 0; i < cores_.size(); ++i)
      while (go(i)) {
      }
  } else {
    std::vector<std::size_t> left(cores_.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    while (!left.empty()) {
      const std::size_t at = random_() % left.size();
      if (go(left[at])) continue;
      left[at] = left.back();
      left.pop_back();
    }
  }
  for (Core& core : cores_)
    for (Pending& pending : core.pending) pending.rests -= pending.rests != 0 ? 1 : 0;
}

/// Empty if there is no such place.
std::span<std::uint8_t> Router::bytes_at(std::size_t core, const Location& location,
                                         std::uint64_t bytes) const {
  std::span<std::uint8_t> memory;
  if (location.memory == Location::Memory::Dram) {
    if (location.bank < memories_.banks.size()) memory = memories_.banks[location.bank];
  } else {
    const unsigned number =
        location.memory == Location::Memory::OtherL1 ? location.bank : cores_[core].number;
    if (const auto found = memories_.l1.find(number); found != memories_.l1.end())
      memory = found->second;
  }
  if (location.address > memory.size() || bytes > memory.size() - location.address) return {};
  return memory.subspan(location.address, bytes);
}

/// Tells a core that its L1 was written.
void Router::write(unsigned number, std::uint64_t address, std::uint64_t bytes) {
  const auto found = core_of_number_.find(number);
  if (found == core_of_number_.end()) return; // it runs no kernel
  cores_[found->second].arrivals.push_back(
      {.address = static_cast<std::uint32_t>(address), .bytes = static_cast<std::uint32_t>(bytes)});
}

/// False if a core could not have asked for it.
bool Router::carry_out(std::size_t index, const Transaction& t) {
  const bool is_atomic =
      t.kind == Transaction::Kind::Increment || t.kind == Transaction::Kind::Swap;
  const std::uint64_t bytes =
      is_atomic || t.kind == Transaction::Kind::Inline ? kWord : std::uint64_t{t.bytes};
  if (bytes != t.bytes) return false;
  std::span<const std::uint8_t> data = t.data;
  if (t.kind == Transaction::Kind::Read) {
    data = bytes_at(index, t.source, bytes);
    if (data.size() != bytes) return false;
    if (races_ != nullptr && t.source.memory != Location::Memory::L1 &&
        std::ranges::all_of(data, [](std::uint8_t byte) { return byte == 0; }))
      races_->take_zeros(index, t);
  }
  const bool is_to_many = t.destination.memory == Location::Memory::Many;
  std::vector<unsigned> receivers = t.receivers;
  if (!is_to_many) {
    receivers = {t.destination.memory == Location::Memory::OtherL1 ? t.destination.bank
                                                                   : cores_[index].number};
  }
  std::vector<std::uint8_t> copy; // the ends of a read may meet
  if (t.kind == Transaction::Kind::Read) {
    copy.assign(data.begin(), data.end());
    data = copy;
  }
  std::uint32_t old = 0;
  for (const unsigned receiver : receivers) {
    Location to = t.destination;
    if (to.memory != Location::Memory::Dram)
      to = {.memory = Location::Memory::OtherL1, .bank = receiver, .address = to.address};
    const std::span<std::uint8_t> bytes_there = bytes_at(index, to, bytes);
    if (bytes_there.size() != bytes) return false;
    old = noc::carry_out(t, data, bytes_there);
    if (to.memory != Location::Memory::Dram && t.kind != Transaction::Kind::Read)
      write(receiver, to.address, bytes);
  }
  cores_[index].answers.push_back({.number = t.number, .old = old, .padding = 0});
  return true;
}

/// Hands over what has come, as much as there is room for.
void Router::wake(std::size_t index, Verdict verdict) {
  Core& core = cores_[index];
  Post& post = posts_.of(index);
  const auto hand_over = [](auto& from, auto& to, std::uint32_t& count) {
    const std::size_t some = std::min(from.size(), to.size());
    std::copy_n(from.begin(), some, to.begin());
    from.erase(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(some));
    count = static_cast<std::uint32_t>(some);
  };
  hand_over(core.answers, post.answer, post.answers);
  hand_over(core.arrivals, post.arrival, post.arrivals);
  post.verdict = verdict;
  core.state = State::Runs;
  running_.push_back(index);
}

bool Router::wake_who_has_news() {
  bool any = false;
  for (std::size_t i = 0; i < cores_.size(); ++i) {
    const Core& core = cores_[i];
    if (core.state != State::Sleeps || (core.answers.empty() && core.arrivals.empty())) continue;
    wake(i, Verdict::GoOn);
    any = true;
  }
  return any;
}

/// Who goes on: all that can, and all for whom something has come. Where nobody is left and nothing
/// is under way, that is the end.
void Router::decide() {
  bool any_pending = false;
  for (std::size_t i = 0; i < cores_.size(); ++i) {
    Core& core = cores_[i];
    any_pending = any_pending || !core.pending.empty();
    if (core.state != State::HasPosted) continue;
    core.state = State::Sleeps;
    if (!core.is_stuck) wake(i, Verdict::GoOn);
  }
  wake_who_has_news();
  if (running_.empty() && any_pending) { // what was held back goes now
    for (Core& core : cores_)
      for (Pending& pending : core.pending) pending.rests = 0;
    carry_out_all();
    wake_who_has_news();
  }
  if (running_.empty()) {
    for (std::size_t i = 0; i < cores_.size(); ++i)
      if (cores_[i].state == State::Sleeps) wake(i, Verdict::End);
  }
  std::ranges::sort(running_);
}

} // namespace lanewise::grid
