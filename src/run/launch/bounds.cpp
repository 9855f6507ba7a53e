#include "run/launch/bounds.h"

#include <fmt/format.h>

#include "base/in_quotes.h"

namespace lanewise::launch {

namespace {

using noc::Location;
using noc::Transaction;

constexpr std::uint64_t kZeroBytes = 512; ///< that firmware keeps at 0 (MEM_ZEROS)

constexpr bool meet(std::uint64_t a, std::uint64_t a_bytes, std::uint64_t b,
                    std::uint64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

} // namespace

Bounds::Bounds(const programs::Program& program, const programs::Layout& layout, const Rings& rings,
               FoundLog& found)
    : program_(program),
      layout_(layout),
      record_(*noc_record(program.arch)),
      rings_(rings),
      found_(found) {}

std::string Bounds::name_of(std::size_t buffer) const {
  const programs::Buffer& row = program_.buffers[buffer];
  return row.origin.empty() ? fmt::format("buffer {}", in_quotes(row.name))
                            : fmt::format("buffer {} ({})", in_quotes(row.name), row.origin);
}

void Bounds::check(const Transaction& t) {
  if (t.kind == Transaction::Kind::Read || t.kind == Transaction::Kind::Write)
    check_end(t, t.source);
  check_end(t, t.destination);
  if (t.destination.memory == Location::Memory::L1)
    check_store(
        t.core, [&] { return t.line; }, t.destination.address, t.bytes);
}

/// In DRAM, all bytes must be of one buffer; in L1, what begins in a circular buffer or a buffer
/// must end there.
void Bounds::check_end(const Transaction& t, const Location& location) {
  const bool is_dram = location.memory == Location::Memory::Dram;
  const auto leaves = [&](std::uint64_t begin, std::uint64_t bytes, const auto& name) {
    if (location.address < begin || location.address >= begin + bytes) return false;
    if (location.address + t.bytes > begin + bytes)
      found_.add(
          t.core, t.line, FaultKind::UndefinedBehavior,
          fmt::format("asks for {}, which runs {} bytes past the end of {}", transaction_text(t),
                      location.address + t.bytes - begin - bytes, name()),
          "check the length and the page", "programs 9");
    return true;
  };
  for (std::size_t i = 0; i < program_.buffers.size(); ++i) {
    if ((program_.buffers[i].memory == programs::BufferMemory::Dram) != is_dram) continue;
    const programs::BufferPlace& place = layout_.buffers[i];
    if (leaves(place.address, place.bank_bytes, [&] { return name_of(i); })) return;
  }
  if (!is_dram) {
    if (location.memory != Location::Memory::L1) return; // circular buffers of another core
    for (const programs::CbPlace* ring : rings_.all_at(location.address))
      if (leaves(ring->address, ring->bytes, [&] { return rings_.name(ring->index); })) return;
    return;
  }
  found_.add(t.core, t.line, FaultKind::UndefinedBehavior,
             fmt::format("asks for {}, where no buffer of the program lies", transaction_text(t)),
             "check the address and the page", "programs 9");
}

/// An address within a buffer, of a part of it, means no buffer that is known by it.
void Bounds::check_page(unsigned core, const LineOf& line, bool is_dram, std::uint32_t address,
                        std::uint32_t page) {
  for (std::size_t i = 0; i < program_.buffers.size(); ++i) {
    const programs::BufferPlace& place = layout_.buffers[i];
    const bool in_dram = program_.buffers[i].memory == programs::BufferMemory::Dram;
    if (in_dram != is_dram || place.address != address) continue;
    if (page >= place.pages)
      found_.add(core, line(), FaultKind::UndefinedBehavior,
                 fmt::format("asks for the address of page {} of {}, which has {}, the first of "
                             "them page 0",
                             page, name_of(i), place.pages),
                 "check the number of the page, and how many the loop takes", "programs 9");
    return;
  }
}

void Bounds::check_store(unsigned core, const LineOf& line, std::uint64_t address,
                         std::uint64_t bytes) {
  if (address >= record_.l1_begin) return;
  const std::uint64_t semaphores =
      std::uint64_t{programs::kMostSemaphores} * programs::kSemaphoreBytes;
  if (address >= programs::kSemaphores && address + bytes <= programs::kSemaphores + semaphores)
    return;
  const bool is_zeros = meet(address, bytes, record_.zeros, kZeroBytes);
  const bool is_arguments =
      meet(address, bytes, programs::kArguments, programs::kSemaphores - programs::kArguments);
  found_.add(
      core, line(), FaultKind::UndefinedBehavior,
      is_zeros       ? fmt::format("writes 0x{:x} of L1, where the zeros are that all kernels read "
                                         "(MEM_ZEROS_BASE)",
                                   address)
      : is_arguments ? fmt::format("writes 0x{:x} of L1, where arguments of kernels are", address)
                     : fmt::format("writes 0x{:x} of L1, which is the firmware's up to 0x{:x}",
                                   address, record_.l1_begin),
      "write into a circular buffer or a buffer in L1", "programs 9");
}

} // namespace lanewise::launch
