#include "run/launch/rings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/source_line.h"
#include "chip/machine/config_state.h"
#include "chip/tile/overlay.h"

namespace lanewise::launch {

Rings::Rings(const programs::Program& program, const programs::Layout& layout, FoundLog& found)
    : program_(program), record_(*noc_record(program.arch)), found_(found) {
  for (const programs::CbPlace& place : layout.circular_buffers) {
    rings_[place.index].place = &place;
    begin_ = std::min<std::uint64_t>(begin_, place.address);
    end_ = std::max<std::uint64_t>(end_, std::uint64_t{place.address} + place.bytes);
  }
}

std::string Rings::name(unsigned index) const {
  const std::string& origin = program_.circular_buffers[rings_.at(index).place->buffer].origin;
  return origin.empty() ? fmt::format("c_{}", index) : fmt::format("c_{} ({})", index, origin);
}

const programs::CbIndex& Rings::format_of(const programs::CbPlace& place) const {
  const auto& indices = program_.circular_buffers[place.buffer].indices;
  return *std::ranges::find(indices, place.index, &programs::CbIndex::index);
}

std::vector<const programs::CbPlace*> Rings::all_at(std::uint64_t address) const {
  std::vector<const programs::CbPlace*> all;
  if (address < begin_ || address >= end_) return all;
  for (const auto& [index, ring] : rings_)
    if (address - ring.place->address < ring.place->bytes) all.push_back(ring.place);
  return all;
}

const programs::CbPlace* Rings::at(std::uint64_t address) const {
  if (address < begin_ || address >= end_) return nullptr;
  for (const auto& [index, ring] : rings_)
    if (address - ring.place->address < ring.place->bytes) return ring.place;
  return nullptr;
}

// ---------------------------------------------------------------- Counters

std::optional<PagesCounter> pages_counter(Arch arch, std::uint32_t offset) {
  if (!tile::Overlay::has(arch, offset)) return std::nullopt;
  constexpr unsigned kWord = 4;
  return PagesCounter{
      .ring = offset / tile::Overlay::kStream,
      .is_push = offset % tile::Overlay::kStream / kWord == noc_record(arch)->received};
}

std::optional<MovedPages> Rings::count(unsigned core, std::uint32_t line, std::uint32_t offset,
                                       std::uint32_t value) {
  const unsigned index = offset / tile::Overlay::kStream;
  const auto found_ring = rings_.find(index);
  if (found_ring == rings_.end()) {
    found_.add(core, line, FaultKind::UndefinedBehavior,
               fmt::format("counts pages of c_{}, which the program does not have", index),
               "create it, or use the index of one that is there", "programs 6");
    return std::nullopt;
  }
  Ring& ring = found_ring->second;
  const bool is_push = offset % tile::Overlay::kStream / 4 == record_.received;
  Side& side = is_push ? ring.pushed : ring.popped;
  const auto pages = static_cast<std::uint16_t>(value - side.count);
  if (pages == 0) return std::nullopt;
  if (is_push) {
    push(core, line, ring, pages);
  } else {
    pop(core, line, ring, pages);
  }
  const MovedPages moved{
      .ring = index,
      .is_push = is_push,
      .address = ring.place->address + std::uint64_t{side.page} * ring.place->page_bytes,
      .bytes = std::uint64_t{pages} * ring.place->page_bytes,
      .filled_by = ring.pushed.core};
  std::uint32_t& held = is_push ? ring.hold[core].reserved : ring.hold[core].waited;
  held -= std::min<std::uint32_t>(held, pages);
  side.count = static_cast<std::uint16_t>(value);
  side.total += pages;
  side.page = (side.page + pages) % ring.place->pages;
  side.line = line;
  if (side.first_line == 0) side.first_line = line;
  return moved;
}

/// Each side of a ring has pointers of its own in each core, which count from the start.
void Rings::check_side(unsigned core, std::uint32_t line, const Ring& ring, Side& side,
                       std::uint16_t pages, std::string_view verb) {
  const std::string ring_name = name(ring.place->index);
  if (!side.core) side.core = core;
  if (*side.core != core) {
    found_.add(
        core, line, FaultKind::UndefinedBehavior,
        fmt::format("{} {} {}, as {} has done before, in {}: each has a pointer of its own", verb,
                    pages, ring_name, programs::core_name(*side.core), line_text(side.line)),
        "let one core do it", "programs 6");
  }
  if (side.page + pages > ring.place->pages) {
    found_.add(
        core, line, FaultKind::UndefinedBehavior,
        fmt::format("{} {} of {}, whose pointer is {} pages before its end: it runs past the end",
                    verb, pages, ring_name, ring.place->pages - side.page),
        "let the numbers of pages add up to the size of the circular buffer", "programs 6");
  }
}

void Rings::push(unsigned core, std::uint32_t line, Ring& ring, std::uint16_t pages) {
  const auto held = static_cast<std::uint16_t>(ring.pushed.count - ring.popped.count);
  if (held + pages > ring.place->pages) {
    found_.add(core, line, FaultKind::UndefinedBehavior,
               fmt::format("pushes {} pages into {}, of whose {} pages {} are still held", pages,
                           name(ring.place->index), ring.place->pages, held),
               "reserve as many with cb_reserve_back first", "programs 6");
  }
  check_side(core, line, ring, ring.pushed, pages, "pushes");
}

void Rings::pop(unsigned core, std::uint32_t line, Ring& ring, std::uint16_t pages) {
  const auto held = static_cast<std::uint16_t>(ring.pushed.count - ring.popped.count);
  if (pages > held) {
    found_.add(
        core, line, FaultKind::UndefinedBehavior,
        fmt::format("pops {} pages of {}, which holds {}", pages, name(ring.place->index), held),
        "wait for as many with cb_wait_front first", "programs 6");
  }
  check_side(core, line, ring, ring.popped, pages, "pops");
}

/// Pages that only lie there, such as constants, are never popped at all.
void Rings::finish() {
  for (const auto& [index, ring] : rings_) {
    const auto left = static_cast<std::uint16_t>(ring.pushed.count - ring.popped.count);
    if (left == 0 || !ring.popped.core || !ring.pushed.core) continue;
    found_.add(*ring.pushed.core, ring.pushed.line, FaultKind::NonContractual,
               fmt::format("{} pages of {} are left at the end, and others were popped", left,
                           name(index)),
               "push as many pages as are popped", "programs 6");
  }
}

// ---------------------------------------------------------------- Who may touch what

void Rings::intend(unsigned core, std::uint32_t line, const section::Intent& intent,
                   std::uint64_t from) {
  intends_[core] = true;
  if (core < kThreads) {
    later_[core].push_back({from, line, intent});
  } else {
    take(core, line, intent);
  }
}

void Rings::reach(unsigned thread, std::uint64_t instruction) {
  std::deque<Later>& later = later_[thread];
  while (!later.empty() && later.front().from <= instruction) {
    take(thread, later.front().line, later.front().intent);
    later.pop_front();
  }
}

/// Waits do not add up: each is for so many pages in all.
void Rings::take(unsigned core, std::uint32_t line, const section::Intent& intent) {
  const auto ring = rings_.find(intent.which);
  if (ring == rings_.end()) return;
  Hold& hold = ring->second.hold[core];
  if (intent.what == kLanewiseWaits) {
    hold.waited = std::max(hold.waited, intent.number);
    hold.waited_line = line;
  } else if (intent.what == kLanewiseReserves) {
    hold.reserved = std::max(hold.reserved, intent.number);
    hold.reserved_line = line;
  }
}

/// The first page of a range that the core must not touch.
std::optional<std::uint32_t> Rings::page_outside(unsigned core, const Ring& ring,
                                                 const L1Range& range) const {
  const programs::CbPlace& place = *ring.place;
  const Hold& hold = ring.hold[core];
  // Pages that a core has pushed itself stay as they are for as long as it writes no others there.
  if (!range.changes && ring.pushed.core == core) return std::nullopt;
  const auto first = static_cast<std::uint32_t>((range.address - place.address) / place.page_bytes);
  const std::uint64_t end =
      std::min<std::uint64_t>(range.address + std::max<std::uint64_t>(range.bytes, 1),
                              std::uint64_t{place.address} + place.bytes);
  const auto last = static_cast<std::uint32_t>((end - 1 - place.address) / place.page_bytes);
  for (std::uint32_t page = first; page <= last; ++page) {
    const std::uint32_t behind_popped = (page + place.pages - ring.popped.page) % place.pages;
    const std::uint32_t behind_pushed = (page + place.pages - ring.pushed.page) % place.pages;
    if (behind_popped >= hold.waited && behind_pushed >= hold.reserved) return page;
  }
  return std::nullopt;
}

Rings::Held Rings::outside(unsigned core, std::uint32_t line, const Ring& ring, std::uint32_t page,
                           const L1Range& range, std::string_view verb) const {
  const Hold& hold = ring.hold[core];
  const bool is_producer = range.changes || (hold.reserved_line != 0 && hold.waited_line == 0);
  const std::uint32_t pages = is_producer ? hold.reserved : hold.waited;
  const std::uint32_t since = is_producer ? hold.reserved_line : hold.waited_line;
  const std::string_view has_done = is_producer ? "reserved" : "waited for";
  std::string message = fmt::format("{} page {} of {}, ", verb, page, name(ring.place->index));
  if (since == 0) {
    message += fmt::format("and has {} none", has_done);
  } else {
    message += fmt::format("and has {} {} from page {} on, since {}", has_done, pages,
                           is_producer ? ring.pushed.page : ring.popped.page, line_text(since));
  }
  // In the first round nobody can have a page that was not pushed yet.
  const std::uint32_t behind_pushed =
      (page + ring.place->pages - ring.pushed.page) % ring.place->pages;
  const bool is_free = is_producer && ring.pushed.total + behind_pushed < ring.place->pages;
  const unsigned index = ring.place->index;
  return {
      .ring = index,
      .is_producer = is_producer,
      .found = {
          core,
          line,
          {.kind = is_free ? FaultKind::NonContractual : FaultKind::UndefinedBehavior,
           .message = std::move(message),
           .remedy = is_producer
                         ? "call cb_reserve_back() for as many before it, and cb_push_back() behind"
                         : "call cb_wait_front() for as many before it, and cb_pop_front() behind",
           .rule = "programs 5"}}};
}

void Rings::touch(unsigned core, const LineOf& line, const L1Range& range, std::string_view verb) {
  if (range.address >= end_ || range.address + range.bytes <= begin_) return;
  const Ring* wrong = nullptr;
  std::uint32_t page = 0;
  for (const auto& [index, ring] : rings_) {
    if (range.address - ring.place->address >= ring.place->bytes) continue;
    // What lies in a buffer is reached as one, too.
    const bool is_buffer = !program_.circular_buffers[ring.place->buffer].buffer.empty();
    if (is_buffer && core >= kThreads) return;
    const auto outside = page_outside(core, ring, range);
    if (!outside) return;
    // Of those that share the memory, the one that the core uses is the one that it means.
    const bool is_used = ring.hold[core].waited_line != 0 || ring.hold[core].reserved_line != 0;
    if (wrong != nullptr && !is_used) continue;
    wrong = &ring;
    page = *outside;
  }
  if (wrong == nullptr) return;
  const std::uint32_t at = line();
  Held held = outside(core, at, *wrong, page, range, verb);
  if (!known_.insert({core, at, held.ring, range.changes, held.found.fault.kind}).second) return;
  held_.push_back(std::move(held));
}

/// A circular buffer of which no page is ever pushed is memory like any other; and of a core that
/// does not say what it is about to do, nothing is known. Who has the other side is said of the
/// whole run: whether it has come there yet is a matter of the order.
void Rings::settle() {
  for (Held& held : held_) {
    const Ring& ring = rings_.at(held.ring);
    if (!ring.pushed.core || !intends_[held.found.core]) continue;
    Fault& fault = held.found.fault;
    const Side& other = held.is_producer ? ring.popped : ring.pushed;
    if (other.core && other.first_line != 0)
      fault.message +=
          fmt::format("; {} {} them in {}", programs::core_name(*other.core),
                      held.is_producer ? "pops" : "pushes", line_text(other.first_line));
    found_.add(held.found.core, held.found.line, fault.kind, fault.message, fault.remedy,
               fault.rule);
  }
  held_.clear();
}

} // namespace lanewise::launch
