#include "run/launch/freed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lanewise::launch {

namespace {

using programs::BufferMemory;

bool meets(const noc::Location& location, std::uint64_t bytes, BufferMemory memory,
           std::uint64_t address, std::uint64_t bank_bytes) {
  const bool is_there =
      (location.memory == noc::Location::Memory::Dram) == (memory == BufferMemory::Dram);
  return is_there && location.address < address + bank_bytes && address < location.address + bytes;
}

} // namespace

/// The last that was given back, where no other lies by now.
const programs::FreedBuffer* FreedBuffers::buffer_at(const noc::Location& location,
                                                     std::uint64_t bytes) const {
  for (std::size_t i = 0; i < program_.buffers.size(); ++i)
    if (meets(location, bytes, program_.buffers[i].memory, layout_.buffers[i].address,
              layout_.buffers[i].bank_bytes))
      return nullptr;
  for (const programs::CbPlace& cb : layout_.circular_buffers)
    if (meets(location, bytes, BufferMemory::L1, cb.address, cb.bytes)) return nullptr;
  const auto last = std::find_if(
      program_.freed.rbegin(), program_.freed.rend(), [&](const programs::FreedBuffer& freed) {
        return meets(location, bytes, freed.memory, freed.address, freed.bank_bytes);
      });
  return last == program_.freed.rend() ? nullptr : &*last;
}

void FreedBuffers::see(const noc::NocEvent& event) {
  if (event.kind != noc::NocEvent::Kind::Asked || program_.freed.empty()) return;
  const noc::Transaction& t = *event.transaction;
  for (const auto& [location, verb] :
       {std::pair(&t.source, "reads from"), std::pair(&t.destination, "writes to")}) {
    const programs::FreedBuffer* const freed = buffer_at(*location, t.bytes);
    if (freed == nullptr) continue;
    const bool is_known = std::ranges::any_of(
        found, [&t](const Found& each) { return each.core == t.core && each.line == t.line; });
    if (is_known) continue;
    found.push_back(
        {t.core,
         t.line,
         {.kind = FaultKind::UndefinedBehavior,
          .message = fmt::format("{} {}, where the buffer of {} lay, which was given back{}", verb,
                                 noc::location_text(*location), freed->origin,
                                 freed->given_at.empty() ? "" : " at " + freed->given_at),
          .remedy = "keep the buffer for as long as programs use it",
          .rule = "programs, freed"}});
  }
}

} // namespace lanewise::launch
