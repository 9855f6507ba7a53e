// What a core asks its NoC for: from the words of a command buffer to a transaction that may be
// carried out.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "chip/noc/command_buffer.h"
#include "chip/noc/excluded.h"
#include "chip/noc/noc.h"
#include "chip/noc/places.h"

namespace lanewise::noc {

namespace {

constexpr std::uint32_t kL1Congruence = 16, kOutOfMask = 0xF;

/// Rules of docs/programs.md.
constexpr std::string_view kBounds = "programs 9", kShape = "programs 10", kMany = "programs 11";

Unexpected wrong(FaultKind kind, std::string message, std::string remedy,
                 std::string_view rule = "NoC") {
  return Unexpected(Fault{.kind = kind,
                          .message = std::move(message),
                          .remedy = std::move(remedy),
                          .rule = std::string(rule)});
}

} // namespace

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

/// Whose ends are a rectangle of cores: who receives it.
Expected<void> Noc::send_to_many(Transaction& t, std::uint32_t control) {
  const bool is_copy = (control & (kAtomic | kInline)) == 0;
  if (is_copy && (control & kWrite) == 0)
    return wrong(FaultKind::Unsupported, "reads from a rectangle of cores", "read from one");
  if (auto many = address_many(t, t.buffer, is_copy); !many) return many;
  const unsigned own = own_number();
  if ((control & kIncludesSource) == 0) std::erase(t.receivers, own);
  if (t.receivers.empty())
    return wrong(FaultKind::UndefinedBehavior,
                 "sends to a rectangle that has no core but the sender, which hangs on silicon",
                 "leave it out where there is nobody else", kMany);
  t.comes_back = std::ranges::find(t.receivers, own) != t.receivers.end();
  if (t.comes_back && t.receivers.size() == 1)
    return wrong(FaultKind::UndefinedBehavior,
                 "sends to a rectangle of the sender alone, which may hang on silicon",
                 "copy by noc_async_write(), or set the word by noc_semaphore_set()", kMany);
  return {};
}

/// What it does, and its ends, which are those of `t` where it goes to many.
Expected<void> Noc::take_kind(Transaction& t, std::uint32_t control) {
  const bool is_multicast = (control & kMulticast) != 0;
  const bool is_copy = (control & (kAtomic | kInline)) == 0;
  const auto target =
      is_multicast && !is_copy ? Expected<Location>(t.destination) : end_at(t.noc, t.buffer, false);
  if (!target) return Unexpected(target.error());
  if (is_copy) {
    const auto other =
        is_multicast ? Expected<Location>(t.destination) : end_at(t.noc, t.buffer, true);
    if (!other) return Unexpected(other.error());
    t.kind = (control & kWrite) != 0 ? Transaction::Kind::Write : Transaction::Kind::Read;
    t.source = *target;
    t.destination = *other;
    return {};
  }
  t.destination = *target;
  if ((control & kAtomic) != 0) return take_operation(t);
  t.kind = Transaction::Kind::Inline;
  t.bytes = kWord;
  return {};
}

/// The operation of an atomic one, which is in the register of its length.
Expected<void> Noc::take_operation(Transaction& t) {
  const std::uint32_t length = std::exchange(t.bytes, kWord);
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
  return {};
}

Expected<void> Noc::send(unsigned core, unsigned noc, unsigned buffer, std::uint32_t line) {
  const auto& word = niu_[noc].buffer[buffer];
  const std::uint32_t control = word[kControl];
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
                .bytes = word[kLength],
                .value = word[record_.data / kWord],
                .tag = word[kPacketTag] >> kTagBit & kTagMask,
                .channel = control >> kChannelBit & kChannelMask,
                .is_posted = (control & kWantsAnswer) == 0,
                .is_linked = (control & kLinked) != 0 && !is_changed(Change::NoLink, core, line),
                .result_address = word[kReturnLow]};
  if (is_multicast) {
    if (auto many = send_to_many(t, control); !many) return many;
  }
  if (auto taken = take_kind(t, control); !taken) return taken;
  if (reroute) {
    recount(t, true);
    reroute(t);
    recount(t, false);
  }
  if (auto checked = check(t); !checked) return checked;
  if (is_multicast)
    last_[core][noc] = {
        .line = line, .answers = t.answers(), .is_atomic = (control & kAtomic) != 0};
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

} // namespace lanewise::noc
