#include "chip/noc/noc.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "chip/noc/command_buffer.h"
#include "chip/noc/places.h"

namespace lanewise::noc {

namespace {

using tile::FeederStep;

constexpr std::uint32_t kConfig = 0x100, kStatus = 0x200, kStatusEnd = 0x300;

/// Of the buffers as programs that have a NoC for themselves use them.
constexpr unsigned kReadBuffer = 1;

/// Where firmware has the results of atomic operations put.
constexpr std::uint32_t kResultAddress = 4;

Unexpected unknown_register(std::string message, std::string remedy) {
  return Unexpected(Fault{.kind = FaultKind::Unsupported,
                          .message = std::move(message),
                          .remedy = std::move(remedy),
                          .rule = "NoC"});
}

std::uint32_t place_word(const NocRecord& record, NocPlace place) {
  return (std::uint32_t{place.y} << 6 | place.x) << record.place_bit;
}

} // namespace

Noc::Noc(Arch arch, const Standpoint& from, Memories memories, const tile::ScheduleChoice& order)
    : arch_(arch),
      record_(*noc_record(arch)),
      from_(from),
      memories_(std::move(memories)),
      in_order_(order.order == tile::Order::RoundRobin || order.order == tile::Order::Priority),
      comes_late_(order.order == tile::Order::Adversarial),
      random_(order.seed) {
  for (Niu& niu : niu_) {
    for (auto& buffer : niu.buffer) {
      buffer[record_.target_place / kWord] = place_word(record_, from.own);
      buffer[record_.return_place / kWord] |= place_word(record_, from.own);
      buffer[kReturnLow] = kResultAddress;
    }
    niu.buffer[kReadBuffer][kControl] = kWantsAnswer | 1U << 7 | 1U << kChannelBit;
  }
}

// ---------------------------------------------------------------- Registers

Expected<std::uint32_t> Noc::load(unsigned core, unsigned noc, std::uint32_t offset) {
  const Niu& niu = niu_[noc];
  if (offset >= kStatus && offset < kStatusEnd && offset % kWord == 0) {
    const unsigned number = (offset - kStatus) / kWord;
    const bool is_there = number == kAtomicsAnswered || number == kWritesAcked ||
                          number == kReadsAnswered ||
                          (number >= kReadsSent && number <= kPostedAtomicsSent) ||
                          number == kWritesSent || number == kPostedWritesSent ||
                          (number >= kOutstandingOfTag && number < kOutgoingOfTag + kTags);
    if (is_there) {
      tell({.kind = NocEvent::Kind::Seen,
            .core = core,
            .noc = noc,
            .status = number,
            .value = niu.status[number]});
      return niu.status[number] + niu.counted[number];
    }
  }
  const std::uint32_t place = std::uint32_t{from_.own.y} << 6 | from_.own.x;
  if (offset == kConfig + kWord * record_.own_place_config) return place;
  const unsigned buffer = offset >> record_.buffer_bits;
  const std::uint32_t within = offset & ((1U << record_.buffer_bits) - 1);
  if (buffer < kBuffers && within % kWord == 0) {
    if (within == record_.send) return is_kept(noc, buffer) ? 1U : 0U;
    if (within == record_.node) return place;
    if (within < record_.send) return niu.buffer[buffer][within / kWord];
  }
  return unknown_register(
      fmt::format("loads register 0x{:03x} of NIU {}, which is not there", offset, noc),
      "leave it out");
}

Expected<void> Noc::store(unsigned core, unsigned noc, std::uint32_t offset, std::uint32_t value,
                          std::uint32_t line) {
  const unsigned buffer = offset >> record_.buffer_bits;
  const std::uint32_t within = offset & ((1U << record_.buffer_bits) - 1);
  if (offset == record_.clear_counts) {
    for (unsigned tag = 0; tag < kTags; ++tag)
      if ((value >> tag & 1U) != 0) niu_[noc].status[kOutstandingOfTag + tag] = 0;
    return {};
  }
  if (buffer < kBuffers && within % kWord == 0 && within < record_.send) {
    niu_[noc].buffer[buffer][within / kWord] = value;
    return {};
  }
  if (buffer < kBuffers && within == record_.send)
    return (value & 1U) != 0 ? send(core, noc, buffer, line) : Expected<void>{};
  return unknown_register(

      fmt::format("stores to register 0x{:03x} of NIU {}, which is not there", offset, noc),
      "leave it out");
}

bool Noc::is_kept(unsigned noc, unsigned buffer) const {
  if (!keeps_buffers_) return false;
  bool is_behind = false;
  for (const Transaction& t : pending_) {
    if (t.noc != noc || t.is_sent || t.destination.memory != Location::Memory::Many) continue;
    if (is_behind && t.buffer == buffer) return true;
    is_behind = true;
  }
  return false;
}

bool Noc::is_settled(unsigned noc, std::uint32_t offset) const {
  if (offset < kStatus || offset >= kStatusEnd) return true;
  return std::ranges::none_of(pending_, [&](const Transaction& t) { return t.noc == noc; });
}

// ---------------------------------------------------------------- What happens

Status counter_of_sent(const Transaction& t) {
  switch (t.kind) {
    case Transaction::Kind::Read: return kReadsSent;
    case Transaction::Kind::Write:
    case Transaction::Kind::Inline: return t.is_posted ? kPostedWritesSent : kWritesSent;
    case Transaction::Kind::Increment:
    case Transaction::Kind::Swap: break;
  }
  return t.is_posted ? kPostedAtomicsSent : kAtomicsSent;
}

std::optional<Status> counter_of_answers(const Transaction& t) {
  if (t.kind == Transaction::Kind::Read) return kReadsAnswered;
  if (t.is_posted) return std::nullopt;
  return t.kind == Transaction::Kind::Write || t.kind == Transaction::Kind::Inline
             ? kWritesAcked
             : kAtomicsAnswered;
}

std::span<std::uint8_t> Noc::bytes_at(const Location& location, std::uint64_t bytes) const {
  const auto memory =
      location.memory == Location::Memory::L1 ? memories_.l1 : memories_.dram[location.bank];
  return memory.subspan(location.address, bytes);
}

/// Writes and atomics of one NoC and virtual channel to one memory stay in order, and a read behind
/// a write to the same place sees it.
bool Noc::must_follow(const Transaction& before, const Transaction& t) {
  if (before.noc != t.noc || before.kind == Transaction::Kind::Read) return false;
  const bool is_read = t.kind == Transaction::Kind::Read;
  const Location& end = is_read ? t.source : t.destination;
  const bool meets = before.destination.meets(before.bytes, end, t.bytes);
  const bool same_way = !is_read && before.channel == t.channel &&
                        before.destination.memory == t.destination.memory &&
                        before.destination.bank == t.destination.bank;
  return meets || same_way;
}

/// What has left for elsewhere is in order there.
bool Noc::may_go(std::size_t index) const {
  if (is_beyond(pending_[index]) && pending_[index].is_sent) return false;
  for (std::size_t i = 0; i < index; ++i) {
    const bool is_there = is_beyond(pending_[i]) && pending_[i].is_sent;
    if (is_there && is_beyond(pending_[index])) continue;
    if (must_follow(pending_[i], pending_[index])) return false;
  }
  return true;
}

/// Nothing: all that is pending is somewhere else.
std::optional<std::size_t> Noc::choose() {
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    if (!may_go(i)) continue;
    if (in_order_) return i;
    ready.push_back(i);
  }
  if (ready.empty()) return std::nullopt;
  return ready[random_() % ready.size()];
}

Expected<FeederStep> Noc::step(tile::Tile& /*tile*/) {
  if (pending_.empty()) return FeederStep::Idle;
  if (comes_late_ && !is_awaited_) {
    const bool is_away = std::ranges::any_of(
        pending_, [this](const Transaction& t) { return t.is_sent && is_beyond(t); });
    return is_away ? FeederStep::Waits : FeederStep::Idle;
  }
  const auto index = choose();
  if (!index) return FeederStep::Waits;
  is_awaited_ = false;
  move_on(*index);
  return FeederStep::Went;
}

bool Noc::hurry() {
  is_awaited_ = choose().has_value();
  return is_awaited_;
}

std::string Noc::waits_for() const {
  return pending_.empty() ? "nothing" : transaction_text(pending_.front());
}

const Transaction* Noc::first_sent() const {
  if (sent_.empty()) return nullptr;
  return &*std::ranges::find(pending_, sent_.front(), &Transaction::number);
}

bool Noc::arrive(std::uint64_t number, std::uint32_t old) {
  const auto found = std::ranges::find(pending_, number, &Transaction::number);
  if (found == pending_.end() || !found->is_sent) return false;
  answer(*found, old);
  tell({.kind = NocEvent::Kind::Landed,
        .core = found->core,
        .noc = found->noc,
        .transaction = &*found});
  pending_.erase(found);
  return true;
}

const Transaction& Noc::depart(std::uint64_t number) {
  Transaction& t = *std::ranges::find(pending_, number, &Transaction::number);
  leave(t);
  if (is_beyond(t)) sent_.pop_back();
  return t;
}

void Noc::move_on(std::size_t index) {
  Transaction& t = pending_[index];
  if (!t.is_sent) return leave(t);
  land(t);
  tell({.kind = NocEvent::Kind::Landed, .core = t.core, .noc = t.noc, .transaction = &t});
  pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(index));
}

void Noc::leave(Transaction& t) {
  t.is_sent = true;
  auto& status = niu_[t.noc].status;
  if (t.kind == Transaction::Kind::Write) {
    const auto from = bytes_at(t.source, t.bytes);
    t.data.assign(from.begin(), from.end());
  }
  ++status[counter_of_sent(t)];
  if (t.kind == Transaction::Kind::Write) --status[kOutgoingOfTag + t.tag];
  if (is_beyond(t)) sent_.push_back(t.number);
  tell({.kind = NocEvent::Kind::Sent, .core = t.core, .noc = t.noc, .transaction = &t});
}

/// What the core sees of one that is done.
void Noc::answer(const Transaction& t, std::uint32_t old) {
  auto& status = niu_[t.noc].status;
  if (!t.is_posted && status[kOutstandingOfTag + t.tag] != 0) --status[kOutstandingOfTag + t.tag];
  const auto counter = counter_of_answers(t);
  if (!counter) return;
  status[*counter] += t.answers();
  if (*counter == kAtomicsAnswered)
    std::memcpy(memories_.l1.data() + t.result_address % memories_.l1.size() / kWord * kWord, &old,
                kWord);
}

void Noc::land(const Transaction& t) {
  std::uint32_t old = 0;
  const auto to = bytes_at(t.destination, t.bytes);
  if (t.kind == Transaction::Kind::Read) {
    std::memmove(to.data(), bytes_at(t.source, t.bytes).data(), t.bytes);
  } else {
    old = carry_out(t, t.data, to);
  }
  answer(t, old);
}

std::uint32_t carry_out(const Transaction& t, std::span<const std::uint8_t> data,
                        std::span<std::uint8_t> to) {
  std::uint32_t old = 0;
  switch (t.kind) {
    case Transaction::Kind::Read:
    case Transaction::Kind::Write: std::memcpy(to.data(), data.data(), t.bytes); break;
    case Transaction::Kind::Inline: std::memcpy(to.data(), &t.value, kWord); break;
    case Transaction::Kind::Increment:
    case Transaction::Kind::Swap: {
      std::memcpy(&old, to.data(), kWord);
      const std::uint32_t sum = t.kind == Transaction::Kind::Swap
                                    ? t.value
                                    : ((old + t.value) & t.mask) | (old & ~t.mask);
      std::memcpy(to.data(), &sum, kWord);
      break;
    }
  }
  return old;
}

} // namespace lanewise::noc
