#include "run/launch/transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/source_line.h"

namespace lanewise::launch {

namespace {

using noc::Location;
using noc::NocEvent;
using noc::Transaction;

/// As many are remembered of a kernel that waits for none.
constexpr std::size_t kMostOpen = 4096;

Location in_l1(std::uint64_t address) {
  return {.memory = Location::Memory::L1, .bank = 0, .address = address};
}

/// What is waited for before one looks at what comes.
std::string_view answer_of(const Transaction& t) {
  return t.kind == Transaction::Kind::Read ? "noc_async_read_barrier()"
                                           : "noc_async_write_barrier()";
}
std::string_view noun(const Transaction& t) {
  return t.kind == Transaction::Kind::Read ? "read" : "write";
}

/// What a kernel lacks that ends behind a transaction.
std::string_view end_of(const Transaction& t) {
  if (is_atomic(t)) {
    return t.is_posted ? "let it have an answer (posted = false), and call "
                         "noc_async_atomic_barrier() before the end; or wait for a signal of who "
                         "has received it"
                       : "call noc_async_atomic_barrier() before the end";
  }
  if (t.kind == Transaction::Kind::Read) return "call noc_async_read_barrier() before the end";
  return t.is_posted ? "call noc_async_posted_writes_flushed() before the end"
                     : "call noc_async_write_barrier() before the end";
}

/// What lets others have the L1 that a transaction takes from.
std::string barrier_of(const Transaction& t, std::string_view when = "first") {
  return fmt::format("call {} {}",
                     t.kind == Transaction::Kind::Read
                         ? "noc_async_read_barrier()"
                         : "noc_async_writes_flushed() or a write barrier",
                     when);
}

/// Where in its own L1 a core gets what it has asked for: by a read, or by a write that comes back.
/// Words by which cores go are not data: who waits for one waits for its write.
std::optional<Location> own_end(const Transaction& t) {
  if (t.kind == Transaction::Kind::Read) return t.destination;
  if (t.kind != Transaction::Kind::Write || t.bytes <= sizeof(std::uint32_t)) return std::nullopt;
  if (t.comes_back) return in_l1(t.destination.address);
  if (t.destination.memory == Location::Memory::L1) return t.destination;
  return std::nullopt;
}

/// Whether a transaction that is under way fills bytes of a range.
bool fills(const Transaction& t, const Location& place, std::uint64_t bytes) {
  const auto end = own_end(t);
  return end && end->meets(t.bytes, place, bytes);
}

/// Whether a write takes bytes of a range, or a read of the core's own L1 does.
bool takes(const Transaction& t, const Location& place, std::uint64_t bytes) {
  return !is_atomic(t) && t.kind != Transaction::Kind::Inline &&
         t.source.meets(t.bytes, place, bytes);
}

/// "the write of line 12 has not left".
std::string taken_text(const Transaction& t) {
  return t.kind == Transaction::Kind::Read
             ? fmt::format("the read of {} is still under way", line_text(t.line))
             : fmt::format("the write of {} has not left", line_text(t.line));
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
  std::erase_if(open_, [core, this](const Open& open) {
    const Transaction& t = open.transaction;
    const bool is_over =
        open.has_landed && t.core == core && (is_write(t) || (is_atomic(t) && t.is_posted));
    if (is_over) popped_.leave(t);
    return is_over;
  });
  note_bounds();
}

void Transfers::wait_for(std::uint64_t number) {
  std::erase_if(open_, [number](const Open& open) { return open.transaction.number == number; });
  note_bounds();
}

void Transfers::ask(const Transaction& t) {
  waits_.ask(t);
  if (t.kind == Transaction::Kind::Read && t.destination.memory == Location::Memory::L1)
    popped_.fill(t.core, t.destination.address, t.bytes);
  for (const Open& open : open_) {
    const Transaction& before = open.transaction;
    if (before.core != t.core) continue;
    if (t.kind == Transaction::Kind::Write && fills(before, t.source, t.bytes)) {
      found_.add(t.core, t.line, FaultKind::UndefinedBehavior,
                 fmt::format("asks for {} while the {} of {} into it is still under way",
                             transaction_text(t), noun(before), line_text(before.line)),
                 fmt::format("call {} first", answer_of(before)), "programs 1");
    } else if (!open.is_flushed && takes(before, t.destination, t.bytes)) {
      found_.add(t.core, t.line, FaultKind::UndefinedBehavior,
                 fmt::format("asks for {}, from where {}", transaction_text(t), taken_text(before)),
                 barrier_of(before), "programs 2");
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
    const auto include = [&](const Location& end) {
      if (end.memory != Location::Memory::L1) return;
      low_ = std::min(low_, end.address);
      high_ = std::max(high_, end.address + t.bytes);
    };
    if (is_atomic(t)) continue;
    if (t.kind != Transaction::Kind::Inline) include(t.source);
    if (const auto end = own_end(t)) include(*end);
  }
}

void Transfers::move(unsigned core, std::uint32_t line, const MovedPages& pages,
                     const std::string& ring) {
  const Location place = in_l1(pages.address);
  for (const Open& open : open_) {
    const Transaction& t = open.transaction;
    if (pages.is_push && fills(t, place, pages.bytes)) {
      found_.add(core, line, FaultKind::UndefinedBehavior,
                 fmt::format("pushes a page of {} into which the {} of {} is still under way", ring,
                             noun(t), line_text(t.line)),
                 fmt::format("call {} before cb_push_back()", answer_of(t)), "programs 1");
    }
    // Who fills the pages himself may be done later than who pops them: he is held to it where he
    // fills them again.
    const bool is_of_filler = pages.filled_by == t.core && core != t.core;
    if (pages.is_push || is_of_filler || open.is_flushed || !takes(t, place, pages.bytes)) continue;
    Found wrong{
        .core = core,
        .line = line,
        .fault = {.kind = FaultKind::UndefinedBehavior,
                  .message = fmt::format("pops a page of {} from which {}", ring, taken_text(t)),
                  .remedy = barrier_of(t, "before cb_pop_front()"),
                  .rule = "programs 2"}};
    const Fault& fault = wrong.fault;
    if (core == t.core) {
      found_.add(core, line, fault.kind, fault.message, fault.remedy, fault.rule);
    } else {
      popped_.add(t, {.address = pages.address, .bytes = pages.bytes}, std::move(wrong));
    }
  }
  popped_.move(core, pages.ring, pages.is_push);
}

void Transfers::touch(unsigned core, const LineOf& line, const L1Range& range) {
  if (range.changes) popped_.fill(core, range.address, range.bytes);
  if (range.address >= high_ || range.address + range.bytes <= low_) return;
  const Location place = in_l1(range.address);
  for (const Open& open : open_) {
    const Transaction& t = open.transaction;
    if (t.core != core) continue;
    if (fills(t, place, range.bytes)) {
      found_.add(core, line(), FaultKind::UndefinedBehavior,
                 fmt::format("{} 0x{:x} of L1, into which the {} of {} is still under way",
                             range.changes ? "stores to" : "loads from", range.address, noun(t),
                             line_text(t.line)),
                 fmt::format("call {} first", answer_of(t)), "programs 1");
    } else if (range.changes && !open.is_flushed && takes(t, place, range.bytes)) {
      found_.add(core, line(), FaultKind::UndefinedBehavior,
                 fmt::format("stores to 0x{:x} of L1, from where {}", range.address, taken_text(t)),
                 barrier_of(t), "programs 2");
    }
  }
}

/// What is posted has no answer: who has waited until it has left has waited for all there is.
void Transfers::look(const NocEvent& event) {
  const auto wait = waits_.look(event);
  if (!wait) return;
  if (!wait->have_left || wait->what == NocWait::What::PostedWrites) {
    std::erase_if(open_, [&](const Open& open) {
      if (!wait->covers(open.transaction)) return false;
      popped_.leave(open.transaction);
      return true;
    });
    note_bounds();
    return;
  }
  for (Open& open : open_)
    if (wait->covers(open.transaction)) {
      open.is_flushed = true;
      popped_.leave(open.transaction);
    }
}

void Transfers::end(unsigned core) {
  for (const Open& open : open_) {
    const Transaction& t = open.transaction;
    if (t.core != core || open.is_flushed) continue;
    const bool is_of_word = is_atomic(t);
    found_.add(core, t.line, is_of_word ? FaultKind::NonContractual : FaultKind::UndefinedBehavior,
               fmt::format("the kernel ends and has not waited for {}{}", text_without_core(t),
                           is_of_word && t.is_posted
                               ? ", which has no answer (posted): no barrier waits for it"
                               : ""),
               std::string(end_of(t)), "programs 3");
  }
  std::erase_if(open_, [&](const Open& open) { return open.transaction.core == core; });
  note_bounds();
}

} // namespace lanewise::launch
