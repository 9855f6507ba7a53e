#include "run/launch/transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/source_line.h"

namespace lanewise::launch {

namespace {

using noc::Location;
using noc::NocEvent;
using noc::Transaction;

/// As many are remembered of a kernel that waits for none.
constexpr std::size_t kMostOpen = 4096;

constexpr std::string_view kReadBarrier = "call noc_async_read_barrier() first",
                           kWriteBarrier =
                               "call noc_async_writes_flushed() or a write barrier first";

Location in_l1(std::uint64_t address) {
  return {.memory = Location::Memory::L1, .bank = 0, .address = address};
}

/// Whether a read that is under way fills bytes of a range.
bool fills(const Transaction& t, const Location& place, std::uint64_t bytes) {
  return t.kind == Transaction::Kind::Read && t.destination.meets(t.bytes, place, bytes);
}

/// Whether a write that has not left takes bytes of a range.
bool takes(const Transaction& t, const Location& place, std::uint64_t bytes) {
  return t.kind == Transaction::Kind::Write && t.source.meets(t.bytes, place, bytes);
}

/// As transaction_text(), but without the number of another core: many cores that do the same to
/// one each have the same finding.
std::string text_without_core(const Transaction& t) {
  const bool is_read = t.kind == Transaction::Kind::Read;
  const Location& other = is_read ? t.source : t.destination;
  if (other.memory != Location::Memory::OtherL1) return transaction_text(t);
  const std::string place = fmt::format("0x{:x} of L1 of another core", other.address);
  if (is_atomic(t))
    return (t.kind == Transaction::Kind::Swap ? "a swap of " : "an increment of ") + place;
  return is_read ? fmt::format("a read of {} bytes from {}", t.bytes, place)
                 : fmt::format("a write of {} bytes to {}", t.bytes, place);
}

} // namespace

void Transfers::see(const NocEvent& event) {
  if (event.kind == NocEvent::Kind::Seen) return look(event);
  if (event.kind == NocEvent::Kind::Asked) ask(*event.transaction);
  if (event.kind != NocEvent::Kind::Landed) return;
  for (Open& open : open_)
    if (open.transaction.number == event.transaction->number) open.has_landed = true;
}

void Transfers::acquire(unsigned core) {
  std::erase_if(open_, [core](const Open& open) {
    return open.has_landed && open.transaction.core == core &&
           open.transaction.kind != Transaction::Kind::Read;
  });
  note_bounds();
}

void Transfers::ask(const Transaction& t) {
  waits_.ask(t);
  for (const Open& open : open_) {
    const Transaction& before = open.transaction;
    if (before.core != t.core) continue;
    if (t.kind == Transaction::Kind::Write && fills(before, t.source, t.bytes)) {
      found_.add(t.core, t.line, FaultKind::UndefinedBehavior,
                 fmt::format("asks for {} while the read of {} into it is still under way",
                             transaction_text(t), line_text(before.line)),
                 std::string(kReadBarrier), "programs 1");
    } else if (!open.is_flushed && takes(before, t.destination, t.bytes)) {
      found_.add(t.core, t.line, FaultKind::UndefinedBehavior,
                 fmt::format("asks for {}, from where the write of {} has not left",
                             transaction_text(t), line_text(before.line)),
                 std::string(kWriteBarrier), "programs 2");
    }
  }
  if (open_.size() == kMostOpen) open_.erase(open_.begin());
  open_.push_back({.transaction = t});
  note_bounds();
}

void Transfers::note_bounds() {
  low_ = ~std::uint64_t{0};
  high_ = 0;
  for (const Open& open : open_) {
    const Transaction& t = open.transaction;
    const Location& end = t.kind == Transaction::Kind::Read ? t.destination : t.source;
    if (end.memory != Location::Memory::L1 || is_atomic(t)) continue;
    low_ = std::min(low_, end.address);
    high_ = std::max(high_, end.address + t.bytes);
  }
}

void Transfers::move(unsigned core, std::uint32_t line, const MovedPages& pages,
                     const std::string& ring) {
  const Location place = in_l1(pages.address);
  for (const Open& open : open_) {
    const Transaction& t = open.transaction;
    if (pages.is_push && fills(t, place, pages.bytes)) {
      found_.add(core, line, FaultKind::UndefinedBehavior,
                 fmt::format("pushes a page of {} into which the read of {} is still under way",
                             ring, line_text(t.line)),
                 "call noc_async_read_barrier() before cb_push_back()", "programs 1");
    }
    if (!pages.is_push && !open.is_flushed && takes(t, place, pages.bytes)) {
      found_.add(core, line, FaultKind::UndefinedBehavior,
                 fmt::format("pops a page of {} from which the write of {} has not left", ring,
                             line_text(t.line)),
                 "call noc_async_writes_flushed() or a write barrier before cb_pop_front()",
                 "programs 2");
    }
  }
}

void Transfers::touch(unsigned core, const LineOf& line, const L1Range& range) {
  if (range.address >= high_ || range.address + range.bytes <= low_) return;
  const Location place = in_l1(range.address);
  for (const Open& open : open_) {
    const Transaction& t = open.transaction;
    if (t.core != core) continue;
    if (fills(t, place, range.bytes)) {
      found_.add(
          core, line(), FaultKind::UndefinedBehavior,
          fmt::format("{} 0x{:x} of L1, into which the read of {} is still under way",
                      range.changes ? "stores to" : "loads from", range.address, line_text(t.line)),
          std::string(kReadBarrier), "programs 1");
    } else if (range.changes && !open.is_flushed && takes(t, place, range.bytes)) {
      found_.add(core, line(), FaultKind::UndefinedBehavior,
                 fmt::format("stores to 0x{:x} of L1, from where the write of {} has not left",
                             range.address, line_text(t.line)),
                 std::string(kWriteBarrier), "programs 2");
    }
  }
}

/// A posted write has no answer: who has waited until it has left has waited for all there is.
void Transfers::look(const NocEvent& event) {
  const auto wait = waits_.look(event);
  if (!wait) return;
  if (!wait->have_left || wait->what == NocWait::What::PostedWrites) {
    std::erase_if(open_, [&](const Open& open) { return wait->covers(open.transaction); });
    note_bounds();
    return;
  }
  for (Open& open : open_)
    if (wait->covers(open.transaction)) open.is_flushed = true;
}

void Transfers::end(unsigned core) {
  for (const Open& open : open_) {
    const Transaction& t = open.transaction;
    if (t.core != core || open.is_flushed) continue;
    const bool is_answered = is_atomic(t);
    found_.add(core, t.line, is_answered ? FaultKind::NonContractual : FaultKind::UndefinedBehavior,
               fmt::format("the kernel ends and has not waited for {}", text_without_core(t)),
               is_answered ? "call noc_async_atomic_barrier() before the end"
               : t.kind == Transaction::Kind::Read
                   ? "call noc_async_read_barrier() before the end"
                   : "call noc_async_write_barrier() before the end",
               "programs 3");
  }
  std::erase_if(open_, [&](const Open& open) { return open.transaction.core == core; });
  note_bounds();
}

} // namespace lanewise::launch
