#include "run/launch/written.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/in_quotes.h"
#include "chip/isa/noc_record.h"

namespace lanewise::launch {

namespace {

using noc::Location;
using noc::NocEvent;
using noc::Transaction;

} // namespace

void ByteRanges::add(std::uint64_t begin, std::uint64_t end) {
  auto next = end_of_.upper_bound(begin);
  if (next != end_of_.begin()) {
    const auto before = std::prev(next);
    if (before->second >= end) return;
    if (before->second >= begin) {
      begin = before->first;
      next = end_of_.erase(before);
    }
  }
  while (next != end_of_.end() && next->first <= end) {
    end = std::max(end, next->second);
    next = end_of_.erase(next);
  }
  end_of_.emplace_hint(next, begin, end);
}

bool ByteRanges::has_any(std::uint64_t begin, std::uint64_t end) const {
  const auto next = end_of_.upper_bound(begin);
  if (next != end_of_.begin() && std::prev(next)->second > begin) return true;
  return next != end_of_.end() && next->first < end;
}

void for_written_pages(const programs::Program& program, const programs::Layout& layout,
                       const std::function<void(const WrittenPage&)>& each) {
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    const programs::Buffer& buffer = program.buffers[i];
    if (buffer.contents.empty() && !buffer.is_written) continue;
    for (std::uint64_t page = 0; page < layout.buffers[i].pages; ++page) {
      const programs::PagePlace place = programs::page_place(program, layout, i, page);
      each({.buffer = &buffer,
            .place = place,
            .end = place.address + layout.buffers[i].aligned_page});
    }
  }
}

std::string of_buffer(const programs::Program& program, const programs::Layout& layout,
                      programs::BufferMemory memory, std::uint64_t address) {
  std::string where;
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    const programs::Buffer& buffer = program.buffers[i];
    const programs::BufferPlace& place = layout.buffers[i];
    if (buffer.memory != memory || address - place.address >= place.bank_bytes) continue;
    where = fmt::format(" of buffer {}{}", in_quotes(buffer.name),
                        buffer.origin.empty() ? "" : fmt::format(" ({})", buffer.origin));
  }
  return where;
}

Written::Written(const programs::Program& program, const programs::Layout& layout,
                 std::span<const std::uint8_t> l1, std::vector<std::span<std::uint8_t>> banks,
                 bool is_shared, FoundLog& found)
    : program_(program),
      layout_(layout),
      l1_bytes_(l1),
      banks_(std::move(banks)),
      is_shared_(is_shared),
      found_(found),
      dram_(banks_.size()) {
  l1_.add(0, noc_record(program.arch)->l1_begin); // the firmware's, arguments and semaphores
  for_written_pages(program, layout, [&](const WrittenPage& page) {
    const bool is_l1 = page.buffer->memory == programs::BufferMemory::L1;
    if (is_l1 && page.place.core != program.core) return;
    ByteRanges& ranges = is_l1 ? l1_ : dram_[page.place.bank];
    ranges.add(page.place.address, page.end);
  });
}

/// Whether nothing of a range was ever written. Who writes unseen, such as a compute kernel by a
/// pointer, leaves something else than the zeros of the beginning.
bool Written::is_new(const Location& location, std::uint64_t bytes) {
  if (!is_known(location)) return false;
  if (ranges_at(location).has_any(location.address, location.address + bytes)) return false;
  const std::span<const std::uint8_t> memory =
      location.memory == Location::Memory::L1 ? l1_bytes_ : banks_[location.bank];
  if (location.address > memory.size() || bytes > memory.size() - location.address) return false;
  return std::ranges::all_of(memory.subspan(location.address, bytes),
                             [](std::uint8_t byte) { return byte == 0; });
}

void Written::write(std::uint64_t address, std::uint64_t bytes) {
  l1_.add(address, address + bytes);
}

void Written::load(unsigned core, const LineOf& line, std::uint64_t address, std::uint64_t bytes) {
  if (l1_.has_any(address, address + bytes)) return;
  const Location place{.memory = Location::Memory::L1, .bank = 0, .address = address};
  if (!is_new(place, bytes)) return;
  found_.add(
      core, line(), FaultKind::UnpredictableValue,
      fmt::format("loads {} bytes from 0x{:x} of L1, which nothing has written", bytes, address),
      "write them first, or wait for who does", "programs 8");
}

void Written::unpack(std::uint32_t line, std::uint64_t page, const programs::CbPlace& ring,
                     const Rings& rings) {
  if (l1_.has_any(page, page + ring.page_bytes)) return;
  const Location place{.memory = Location::Memory::L1, .bank = 0, .address = page};
  if (!is_new(place, ring.page_bytes)) return;
  found_.add(0, line, FaultKind::UnpredictableValue,
             fmt::format("unpacks a page of {}, into which nothing was ever written",
                         rings.name(ring.index)),
             "fill the page before it is pushed", "programs 8");
}

void Written::see(const NocEvent& event) {
  if (event.kind == NocEvent::Kind::Seen) return;
  const Transaction& t = *event.transaction;
  const bool is_read = t.kind == Transaction::Kind::Read;
  // Each copy takes what is there when it leaves, a read when its answer comes.
  const bool takes = event.kind == (is_read ? NocEvent::Kind::Landed : NocEvent::Kind::Sent);
  if (takes && (is_read || t.kind == Transaction::Kind::Write)) check_source(t);
  if (event.kind != NocEvent::Kind::Landed) return;
  if (!is_known(t.destination)) return;
  const std::uint64_t begin = t.destination.address;
  ranges_at(t.destination).add(begin, begin + t.bytes);
}

void Written::check_source(const Transaction& t) {
  if (!is_new(t.source, t.bytes)) return;
  const auto memory = t.source.memory == Location::Memory::Dram ? programs::BufferMemory::Dram
                                                                : programs::BufferMemory::L1;
  found_.add(t.core, t.line, FaultKind::UnpredictableValue,
             fmt::format("asks for {}, where nothing{} was ever written", transaction_text(t),
                         of_buffer(program_, layout_, memory, t.source.address)),
             std::string(kWriteFirst), "programs 8");
}

} // namespace lanewise::launch
