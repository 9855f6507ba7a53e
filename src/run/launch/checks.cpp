#include "run/launch/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/in_quotes.h"
#include "base/source_line.h"
#include "chip/isa/encoding.h"
#include "chip/isa/row.h"
#include "chip/riscv/address_map.h"
#include "source/programs/start.h"

namespace lanewise::launch {

namespace {

using noc::Location;
using noc::NocEvent;
using noc::Transaction;

/// As many are remembered of a kernel that waits for none.
constexpr std::size_t kMostOpen = 4096;

bool is_write(const Transaction& t) {
  return t.kind == Transaction::Kind::Write || t.kind == Transaction::Kind::Inline;
}

bool is_atomic(const Transaction& t) {
  return t.kind == Transaction::Kind::Increment || t.kind == Transaction::Kind::Swap;
}

Location in_l1(std::uint64_t address) {
  return {.memory = Location::Memory::L1, .bank = 0, .address = address};
}

} // namespace

ProgramChecks::ProgramChecks(const programs::Program& program, const programs::Layout& layout)
    : program_(program),
      layout_(layout),
      record_(*noc_record(program.arch)),
      store_register_(isa::find_row(program.arch, isa::Op::STOREREG)->opcode) {
  for (const programs::CbPlace& place : layout.circular_buffers) rings_[place.index].place = &place;
}

void ProgramChecks::add(unsigned core, std::uint32_t line, FaultKind kind, std::string message,
                        std::string remedy, std::string_view rule) {
  // A loop does the same wrong thing again and again.
  const bool is_known = std::ranges::any_of(found, [&](const Found& each) {
    return each.core == core && each.line == line && each.fault.rule == rule;
  });
  if (is_known) return;
  found.push_back({core,
                   line,
                   {.kind = kind,
                    .message = std::move(message),
                    .remedy = std::move(remedy),
                    .rule = std::string(rule)}});
}

std::string ProgramChecks::ring_name(const Ring& ring) const {
  const std::string& origin = program_.circular_buffers[ring.place->buffer].origin;
  return origin.empty() ? fmt::format("c_{}", ring.place->index)
                        : fmt::format("c_{} ({})", ring.place->index, origin);
}

// ---------------------------------------------------------------- Circular buffers

void ProgramChecks::act(unsigned core, const tile::CoreAction& action) {
  if (action.kind != tile::CoreAction::Kind::Store) return;
  const riscv::AddressRange range = riscv::find_region(program_.arch, action.address);
  if (range.region == riscv::Region::NocOverlay)
    count(core, action.line, action.address - range.first, action.value);
}

void ProgramChecks::execute(const tile::TileState& tile, const tile::Executed& executed) {
  if (isa::opcode_of(executed.word.word) != store_register_) return;
  const isa::Decoded decoded = isa::decode(program_.arch, executed.word.word);
  const riscv::AddressRange range = riscv::range_of(program_.arch, riscv::Region::NocOverlay);
  const std::uint32_t address = 0xFFB00000 + (decoded["AddrLo"] << 2);
  if (!range.holds(address)) return;
  const std::uint32_t offset = address - range.first;
  count(executed.thread, executed.word.line, offset, tile.overlay.load(offset));
}

void ProgramChecks::count(unsigned core, std::uint32_t line, std::uint32_t offset,
                          std::uint32_t value) {
  const auto found_ring = rings_.find(offset / tile::Overlay::kStream);
  if (found_ring == rings_.end()) {
    return add(core, line, FaultKind::UndefinedBehavior,
               fmt::format("counts pages of c_{}, which the program does not have",
                           offset / tile::Overlay::kStream),
               "create it, or use the index of one that is there", "programs 6");
  }
  Ring& ring = found_ring->second;
  const bool is_push = offset % tile::Overlay::kStream / 4 == record_.received;
  Side& side = is_push ? ring.pushed : ring.popped;
  const auto pages = static_cast<std::uint16_t>(value - side.count);
  if (pages == 0) return;
  if (is_push) {
    push(core, line, ring, pages);
  } else {
    pop(core, line, ring, pages);
  }
  side.count = static_cast<std::uint16_t>(value);
  side.page = (side.page + pages) % ring.place->pages;
  side.line = line;
}

/// Each side of a ring has pointers of its own in each core, which count from the start.
void ProgramChecks::check_side(unsigned core, std::uint32_t line, const Ring& ring, Side& side,
                               std::uint16_t pages, std::string_view verb) {
  if (!side.core) side.core = core;
  if (*side.core != core) {
    add(core, line, FaultKind::UndefinedBehavior,
        fmt::format("{} {} {}, as {} has done before: each has a pointer of its own", verb, pages,
                    ring_name(ring), programs::core_name(*side.core)),
        "let one core do it", "programs 6");
  }
  if (side.page + pages > ring.place->pages) {
    add(core, line, FaultKind::UndefinedBehavior,
        fmt::format("{} {} of {}, whose pointer is {} pages before its end: it runs past the end",
                    verb, pages, ring_name(ring), ring.place->pages - side.page),
        "let the numbers of pages add up to the size of the circular buffer", "programs 6");
  }
}

void ProgramChecks::push(unsigned core, std::uint32_t line, Ring& ring, std::uint16_t pages) {
  const auto held = static_cast<std::uint16_t>(ring.pushed.count - ring.popped.count);
  if (held + pages > ring.place->pages) {
    add(core, line, FaultKind::UndefinedBehavior,
        fmt::format("pushes {} pages into {}, of whose {} pages {} are still held", pages,
                    ring_name(ring), ring.place->pages, held),
        "reserve as many with cb_reserve_back first", "programs 6");
  }
  check_side(core, line, ring, ring.pushed, pages, "pushes");
  const std::uint64_t from =
      ring.place->address + std::uint64_t{ring.pushed.page} * ring.place->page_bytes;
  for (const Open& open : open_) {
    const Transaction& t = open.transaction;
    if (t.kind != Transaction::Kind::Read ||
        !t.destination.meets(t.bytes, in_l1(from), std::uint64_t{pages} * ring.place->page_bytes))
      continue;
    add(core, line, FaultKind::UndefinedBehavior,
        fmt::format("pushes a page of {} into which the read of {} is still under way",
                    ring_name(ring), line_text(t.line)),
        "call noc_async_read_barrier() before cb_push_back()", "programs 1");
  }
}

void ProgramChecks::pop(unsigned core, std::uint32_t line, Ring& ring, std::uint16_t pages) {
  const auto held = static_cast<std::uint16_t>(ring.pushed.count - ring.popped.count);
  if (pages > held) {
    add(core, line, FaultKind::UndefinedBehavior,
        fmt::format("pops {} pages of {}, which holds {}", pages, ring_name(ring), held),
        "wait for as many with cb_wait_front first", "programs 6");
  }
  check_side(core, line, ring, ring.popped, pages, "pops");
  const std::uint64_t from =
      ring.place->address + std::uint64_t{ring.popped.page} * ring.place->page_bytes;
  for (const Open& open : open_) {
    const Transaction& t = open.transaction;
    if (t.kind != Transaction::Kind::Write || open.is_flushed ||
        !t.source.meets(t.bytes, in_l1(from), std::uint64_t{pages} * ring.place->page_bytes))
      continue;
    add(core, line, FaultKind::UndefinedBehavior,
        fmt::format("pops a page of {} from which the write of {} has not left", ring_name(ring),
                    line_text(t.line)),
        "call noc_async_writes_flushed() or a write barrier before cb_pop_front()", "programs 2");
  }
}

// ---------------------------------------------------------------- The NoC

void ProgramChecks::see(const NocEvent& event) {
  if (event.kind == NocEvent::Kind::Seen) return look(event);
  if (event.kind != NocEvent::Kind::Asked) return;
  const Transaction& t = *event.transaction;
  Asked& asked = asked_[event.noc];
  if (t.kind == Transaction::Kind::Read) ++asked.reads;
  if (is_write(t)) ++(t.is_posted ? asked.posted : asked.writes);
  if (is_atomic(t) && !t.is_posted) ++asked.atomics;
  check_bounds(t);
  if (open_.size() == kMostOpen) open_.erase(open_.begin());
  open_.push_back({.transaction = t});
}

template <class Waits>
void ProgramChecks::close(unsigned core, unsigned noc, const Waits& waits) {
  std::erase_if(open_, [&](const Open& open) {
    return open.transaction.core == core && open.transaction.noc == noc && waits(open.transaction);
  });
}

/// A core that has found a counter where it will be once everything is done has waited for it.
void ProgramChecks::look(const NocEvent& event) {
  const Asked& asked = asked_[event.noc];
  const auto flush = [&](const auto& which) {
    for (Open& open : open_) {
      const Transaction& t = open.transaction;
      if (t.core == event.core && t.noc == event.noc && is_write(t) && which(t))
        open.is_flushed = true;
    }
  };
  const auto of_tag = [&](unsigned first) {
    return [tag = event.status - first](const Transaction& t) { return t.tag == tag; };
  };
  if (event.status >= noc::kOutgoingOfTag) {
    if (event.value == 0) flush(of_tag(noc::kOutgoingOfTag));
  } else if (event.status >= noc::kOutstandingOfTag) {
    if (event.value == 0) close(event.core, event.noc, of_tag(noc::kOutstandingOfTag));
  } else if (event.status == noc::kReadsAnswered && event.value == asked.reads) {
    close(event.core, event.noc,
          [](const Transaction& t) { return t.kind == Transaction::Kind::Read; });
  } else if (event.status == noc::kWritesAcked && event.value == asked.writes) {
    close(event.core, event.noc, [](const Transaction& t) { return is_write(t) && !t.is_posted; });
  } else if (event.status == noc::kWritesSent && event.value == asked.writes) {
    flush([](const Transaction& t) { return !t.is_posted; });
  } else if (event.status == noc::kPostedWritesSent && event.value == asked.posted) {
    close(event.core, event.noc, [](const Transaction& t) { return is_write(t) && t.is_posted; });
  } else if (event.status == noc::kAtomicsAnswered && event.value == asked.atomics) {
    close(event.core, event.noc, [](const Transaction& t) { return is_atomic(t); });
  }
}

void ProgramChecks::check_bounds(const Transaction& t) {
  if (t.kind == Transaction::Kind::Read || t.kind == Transaction::Kind::Write)
    check_end(t, t.source);
  check_end(t, t.destination);
}

/// In DRAM, all bytes must be of one buffer; in L1, what begins in a circular buffer or a buffer
/// must end there.
void ProgramChecks::check_end(const Transaction& t, const Location& location) {
  const bool is_dram = location.memory == Location::Memory::Dram;
  const auto leaves = [&](std::uint64_t begin, std::uint64_t bytes, const std::string& name) {
    if (location.address < begin || location.address >= begin + bytes) return false;
    if (location.address + t.bytes > begin + bytes)
      add(t.core, t.line, FaultKind::UndefinedBehavior,
          fmt::format("asks for {}, which runs {} bytes past the end of {}", transaction_text(t),
                      location.address + t.bytes - begin - bytes, name),
          "check the length and the page", "programs 9");
    return true;
  };
  for (std::size_t i = 0; i < program_.buffers.size(); ++i) {
    const programs::Buffer& buffer = program_.buffers[i];
    if ((buffer.memory == programs::BufferMemory::Dram) != is_dram) continue;
    const std::string name = fmt::format("buffer {} ({})", in_quotes(buffer.name), buffer.origin);
    if (leaves(layout_.buffers[i].address, layout_.buffers[i].bank_bytes, name)) return;
  }
  if (!is_dram) {
    for (const auto& [index, ring] : rings_)
      if (leaves(ring.place->address, ring.place->bytes, ring_name(ring))) return;
    return;
  }
  add(t.core, t.line, FaultKind::UndefinedBehavior,
      fmt::format("asks for {}, where no buffer of the program lies", transaction_text(t)),
      "check the address and the page", "programs 9");
}

// ---------------------------------------------------------------- Ends

/// Pages that only lie there, such as constants, are never popped at all.
void ProgramChecks::finish() {
  for (const auto& [index, ring] : rings_) {
    const auto left = static_cast<std::uint16_t>(ring.pushed.count - ring.popped.count);
    if (left == 0 || !ring.popped.core || !ring.pushed.core) continue;
    add(*ring.pushed.core, ring.pushed.line, FaultKind::NonContractual,
        fmt::format("{} pages of {} are left at the end, and others were popped", left,
                    ring_name(ring)),
        "push as many pages as are popped", "programs 6");
  }
}

void ProgramChecks::end(unsigned core) {
  for (const Open& open : open_) {
    const Transaction& t = open.transaction;
    if (t.core != core || open.is_flushed) continue;
    const bool is_answered = is_atomic(t);
    add(core, t.line, is_answered ? FaultKind::NonContractual : FaultKind::UndefinedBehavior,
        fmt::format("the kernel ends and has not waited for {}", transaction_text(t)),
        is_answered                         ? "call noc_async_atomic_barrier() before the end"
        : t.kind == Transaction::Kind::Read ? "call noc_async_read_barrier() before the end"
                                            : "call noc_async_write_barrier() before the end",
        "programs 3");
  }
  std::erase_if(open_, [&](const Open& open) { return open.transaction.core == core; });
}

} // namespace lanewise::launch
