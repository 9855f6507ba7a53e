#include "chip/noc/noc.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "chip/noc/excluded.h"
#include "chip/noc/places.h"

namespace lanewise::noc {

namespace {

using tile::FeederStep;

// Registers of a command buffer that have the same place on all chips, by number of word.
constexpr unsigned kTargetLow = 0, kTargetMiddle = 1, kReturnLow = 3, kReturnMiddle = 4,
                   kPacketTag = 6, kControl = 7, kLength = 8;

constexpr std::uint32_t kConfig = 0x100, kStatus = 0x200, kStatusEnd = 0x300;

// Bits of the control register.
constexpr std::uint32_t kAtomic = 1U << 0, kWrite = 1U << 1, kByteEnables = 1U << 2,
                        kInline = 1U << 3, kWantsAnswer = 1U << 4, kMulticast = 1U << 5,
                        kLinked = 1U << 6, kIncludesSource = 1U << 17, kAccumulates = 1U << 31;
constexpr unsigned kChannelBit = 13, kChannelMask = 0xF;

// Fields of the length register of an atomic operation.
constexpr unsigned kOperationBit = 12, kOperationMask = 0xF, kWrapBit = 2, kWrapMask = 0x1F;
constexpr std::uint32_t kIncrementAndGet = 1, kSwapWord = 7;

constexpr unsigned kTagBit = 10, kTagMask = 0xF;

/// Of the buffers as programs that have a NoC for themselves use them.
constexpr unsigned kReadBuffer = 1;

/// Where firmware has the results of atomic operations put.
constexpr std::uint32_t kResultAddress = 4;

constexpr std::uint32_t kWord = 4, kL1Congruence = 16, kOutOfMask = 0xF;

/// Rules of docs/programs.md.
constexpr std::string_view kBounds = "programs 9", kShape = "programs 10";

Unexpected wrong(FaultKind kind, std::string message, std::string remedy,
                 std::string_view rule = "NoC") {
  return Unexpected(Fault{.kind = kind,
                          .message = std::move(message),
                          .remedy = std::move(remedy),
                          .rule = std::string(rule)});
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
  return wrong(FaultKind::Unsupported,
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
  return wrong(
      FaultKind::Unsupported,
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

// ---------------------------------------------------------------- Requests

Expected<Location> Noc::end_at(unsigned noc, unsigned buffer, bool is_return) const {
  const auto& word = niu_[noc].buffer[buffer];
  const std::uint32_t place =
      word[(is_return ? record_.return_place : record_.target_place) / kWord] >> record_.place_bit;
  const std::uint32_t low = word[is_return ? kReturnLow : kTargetLow],
                      middle = word[is_return ? kReturnMiddle : kTargetMiddle];
  return locate(arch_, noc, from_,
                {static_cast<std::uint8_t>(place & 63), static_cast<std::uint8_t>(place >> 6 & 63)},
                std::uint64_t{middle & kOutOfMask} << 32 | low);
}

/// The rectangle and the address of a multicast: two coordinates of six bits each, the last corner
/// first.
Expected<void> Noc::address_many(Transaction& t, unsigned buffer, bool is_return) {
  const auto& word = niu_[t.noc].buffer[buffer];
  const std::uint32_t places =
      word[(is_return ? record_.return_place : record_.target_place) / kWord] >> record_.place_bit;
  const auto place = [places](unsigned bit) {
    return NocPlace{static_cast<std::uint8_t>(places >> bit & 63),
                    static_cast<std::uint8_t>(places >> (bit + 6) & 63)};
  };
  Rectangle corners{.first = place(12), .last = place(0)};
  if (is_changed(Change::OtherCorners, t.core, t.line)) std::swap(corners.first, corners.last);
  auto cores = cores_in(arch_, t.noc, from_, corners);
  if (!cores) {
    if (cores.error().rule == kOrderOfCorners) wrong_corners_ = {.core = t.core, .line = t.line};
    return Unexpected(cores.error());
  }
  t.receivers = std::move(*cores);
  if (record_.excluded != 0) {
    const std::uint32_t excluded = word[record_.excluded / kWord];
    if (auto done = exclude(arch_, t.noc, from_, excluded, t.receivers); !done) return done;
  }
  const std::uint32_t low = word[is_return ? kReturnLow : kTargetLow],
                      middle = word[is_return ? kReturnMiddle : kTargetMiddle];
  t.destination = {.memory = Location::Memory::Many,
                   .bank = 0,
                   .address = std::uint64_t{middle & kOutOfMask} << 32 | low};
  return {};
}

unsigned Noc::own_number() const {
  const auto own = worker_at(arch_, from_.own);
  return own ? core_number(own->x, own->y) : ~0U;
}

Expected<void> Noc::send(unsigned core, unsigned noc, unsigned buffer, std::uint32_t line) {
  const auto& word = niu_[noc].buffer[buffer];
  const std::uint32_t control = word[kControl], length = word[kLength];
  const bool is_multicast = (control & kMulticast) != 0;
  if (is_multicast && !from_.grid)
    return wrong(FaultKind::Unsupported, "sends to a rectangle of cores, of which one is here",
                 "write to the cores one by one");
  if ((control & (kByteEnables | kAccumulates)) != 0 && (control & kInline) == 0)
    return wrong(FaultKind::Unsupported, "sends with byte enables or L1 accumulation",
                 "write whole words");
  Transaction t{.number = asked_,
                .core = core,
                .noc = noc,
                .buffer = buffer,
                .line = line,
                .bytes = length,
                .value = word[record_.data / kWord],
                .tag = word[kPacketTag] >> kTagBit & kTagMask,
                .channel = control >> kChannelBit & kChannelMask,
                .is_posted = (control & kWantsAnswer) == 0,
                .is_linked = (control & kLinked) != 0 && !is_changed(Change::NoLink, core, line),
                .result_address = word[kReturnLow]};
  const bool is_write = (control & kWrite) != 0;
  const bool is_copy = (control & (kAtomic | kInline)) == 0;
  if (is_multicast) {
    if (is_copy && !is_write)
      return wrong(FaultKind::Unsupported, "reads from a rectangle of cores", "read from one");
    if (auto many = address_many(t, buffer, is_copy); !many) return many;
    const unsigned own = own_number();
    if ((control & kIncludesSource) == 0) std::erase(t.receivers, own);
    if (t.receivers.empty())
      return wrong(FaultKind::UndefinedBehavior,
                   "sends to a rectangle that has no core but the sender, which hangs on silicon",
                   "leave it out where there is nobody else", "programs 11");
    t.comes_back = std::ranges::find(t.receivers, own) != t.receivers.end();
    if (t.comes_back && t.receivers.size() == 1)
      return wrong(FaultKind::UndefinedBehavior,
                   "sends to a rectangle of the sender alone, which may hang on silicon",
                   "copy by noc_async_write(), or set the word by noc_semaphore_set()",
                   "programs 11");
  }
  const auto target =
      is_multicast && !is_copy ? Expected<Location>(t.destination) : end_at(noc, buffer, false);
  if (!target) return Unexpected(target.error());
  if ((control & kAtomic) != 0) {
    t.bytes = kWord;
    t.destination = *target;
    const std::uint32_t operation = length >> kOperationBit & kOperationMask;
    if (operation != kIncrementAndGet && operation != kSwapWord)
      return wrong(FaultKind::Unsupported,
                   fmt::format("asks for atomic operation {}, which is not here", operation),
                   "increment or swap a word");
    t.kind = operation == kSwapWord ? Transaction::Kind::Swap : Transaction::Kind::Increment;
    // The word among the four of 16 bytes is named once more, by the operation.
    t.destination.address =
        (t.destination.address & ~std::uint64_t{15}) | std::uint64_t{length & 3} * kWord;
    const unsigned wrap = length >> kWrapBit & kWrapMask;
    t.mask = wrap >= 31 ? ~0U : (2U << wrap) - 1;
  } else if ((control & kInline) != 0) {
    t.kind = Transaction::Kind::Inline;
    t.bytes = kWord;
    t.destination = *target;
  } else {
    const auto other = is_multicast ? Expected<Location>(t.destination) : end_at(noc, buffer, true);
    if (!other) return Unexpected(other.error());
    t.kind = is_write ? Transaction::Kind::Write : Transaction::Kind::Read;
    t.source = *target;
    t.destination = *other;
  }
  if (reroute) {
    recount(t, true);
    reroute(t);
    recount(t, false);
  }
  if (auto checked = check(t); !checked) return checked;
  if (is_multicast)
    last_[core][noc] = {
        .line = line, .answers = t.answers(), .is_atomic = !is_copy && (control & kAtomic) != 0};
  begin(std::move(t));
  return {};
}

void Noc::begin(Transaction t) {
  ++asked_;
  auto& status = niu_[t.noc].status;
  if (!t.is_posted) ++status[kOutstandingOfTag + t.tag];
  if (t.kind == Transaction::Kind::Write) ++status[kOutgoingOfTag + t.tag];
  pending_.push_back(std::move(t));
  const Transaction& last = pending_.back();
  tell({.kind = NocEvent::Kind::Asked, .core = last.core, .noc = last.noc, .transaction = &last});
}

Expected<void> Noc::check_range(const Location& location, std::uint64_t bytes) const {
  const bool is_l1 = location.memory != Location::Memory::Dram;
  const std::size_t size = is_l1 ? memories_.l1.size() : memories_.dram[location.bank].size();
  if (location.address <= size && bytes <= size - location.address) return {};
  return wrong(FaultKind::UndefinedBehavior,
               fmt::format("asks for {} bytes at {}, of which 0x{:x} are {}", bytes,
                           location_text(location), size, is_l1 ? "there" : "given to buffers"),
               is_l1 ? "check address and length" : "check the page and the address of the buffer",
               kBounds);
}

Expected<void> Noc::check(const Transaction& t) const {
  const bool is_copy = t.kind == Transaction::Kind::Read || t.kind == Transaction::Kind::Write;
  if (is_copy) {
    if (auto there = check_range(t.source, t.bytes); !there) return there;
  }
  if (auto there = check_range(t.destination, t.bytes); !there) return there;
  if (is_copy && t.bytes == 0)
    return wrong(FaultKind::UndefinedBehavior, transaction_text(t) + " has no bytes",
                 "leave it out where there is nothing to move", kShape);
  if (t.bytes > record_.packet_bytes)
    return wrong(FaultKind::UndefinedBehavior,
                 fmt::format("{} is longer than a packet, which has {} bytes at most",
                             transaction_text(t), record_.packet_bytes),
                 "use noc_async_read or noc_async_write, which cut what is longer", kShape);
  const bool reads_dram =
      t.kind == Transaction::Kind::Read && t.source.memory == Location::Memory::Dram;
  const std::uint32_t congruence = reads_dram ? record_.dram_read_congruence : kL1Congruence;
  if (is_copy && t.source.address % congruence != t.destination.address % congruence)
    return wrong(FaultKind::UndefinedBehavior,
                 fmt::format("{} has ends that differ modulo {}: on silicon, the bytes are shifted",
                             transaction_text(t), congruence),
                 fmt::format("choose addresses that are equal modulo {}", congruence), kShape);
  if (!is_copy && t.destination.address % kWord != 0)
    return wrong(FaultKind::UndefinedBehavior, transaction_text(t) + " is not at a word",
                 "choose an address that is a multiple of 4", kShape);
  if (!is_copy && t.destination.memory == Location::Memory::Dram)
    return wrong(FaultKind::UndefinedBehavior, transaction_text(t) + ", which DRAM does not take",
                 "write a page from L1");
  return {};
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
