#include "source/programs/l1_map.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "chip/isa/noc_record.h"

namespace lanewise::programs {

namespace {

void add_arguments(const Program& program, const Layout& layout, std::vector<L1Range>& map) {
  constexpr std::uint64_t kWord = 4;
  for (unsigned i = 0; i < kProcessors; ++i) {
    const auto processor = static_cast<Processor>(i);
    const Kernel* const kernel = find_kernel(program, processor);
    const ArgumentPlace& place = layout.arguments[i];
    const std::uint32_t words = place.own_words + place.common_words;
    if (kernel == nullptr || words == 0) continue;
    map.push_back({.use = L1Use::Arguments,
                   .address = place.guard - words * kWord,
                   .bytes = words * kWord,
                   .name = fmt::format("{}: {} own, {} common", processor_name(processor),
                                       place.own_words, place.common_words),
                   .origin = kernel->origin});
  }
}

void add_circular_buffers(const Program& program, const Layout& layout, std::vector<L1Range>& map) {
  for (std::size_t i = 0; i < program.circular_buffers.size(); ++i) {
    std::vector<std::string> indices;
    const CbPlace* place = nullptr;
    for (const CbPlace& each : layout.circular_buffers) {
      if (each.buffer != i) continue;
      indices.push_back(fmt::format("c_{}", each.index));
      place = &each;
    }
    if (place == nullptr) continue;
    const CircularBuffer& cb = program.circular_buffers[i];
    map.push_back({.use = L1Use::CircularBuffer,
                   .address = place->address,
                   .bytes = place->bytes,
                   .name = fmt::format("{}{}{}", fmt::join(indices, ", "),
                                       cb.buffer.empty() ? "" : ", in buffer ", cb.buffer),
                   .origin = cb.origin});
  }
}

void add_buffers(const Program& program, const Layout& layout, std::vector<L1Range>& map) {
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    const Buffer& buffer = program.buffers[i];
    if (buffer.memory != BufferMemory::L1) continue;
    map.push_back({.use = L1Use::Buffer,
                   .address = layout.buffers[i].address,
                   .bytes = layout.buffers[i].bank_bytes,
                   .name = buffer.name,
                   .origin = buffer.origin,
                   .clashes = layout.buffers[i].address < layout.cb_end});
  }
}

/// A circular buffer in memory of its own that reaches behind the first buffer.
void mark_clashes(const Program& program, std::vector<L1Range>& map) {
  std::uint64_t first = ~std::uint64_t{0};
  for (const L1Range& each : map)
    if (each.use == L1Use::Buffer) first = std::min(first, each.address);
  std::size_t cb = 0;
  for (L1Range& each : map) {
    if (each.use != L1Use::CircularBuffer) continue;
    each.clashes =
        program.circular_buffers[cb++].buffer.empty() && each.address + each.bytes > first;
  }
}

} // namespace

std::string_view l1_use_name(L1Use use) {
  constexpr std::array<std::string_view, 5> kNames{"arguments", "semaphore", "circular buffer",
                                                   "buffer", "free"};
  return kNames[static_cast<std::size_t>(use)];
}

std::vector<L1Range> l1_map(const Program& program, const Layout& layout) {
  std::vector<L1Range> map;
  add_arguments(program, layout, map);
  for (const Semaphore& semaphore : program.semaphores)
    map.push_back({.use = L1Use::Semaphore,
                   .address = kSemaphores + std::uint64_t{semaphore.id} * kSemaphoreBytes,
                   .bytes = kSemaphoreBytes,
                   .name = fmt::format("{}, from {} on", semaphore.id, semaphore.initial),
                   .origin = semaphore.origin});
  add_circular_buffers(program, layout, map);
  add_buffers(program, layout, map);
  mark_clashes(program, map);
  std::ranges::stable_sort(map, {}, &L1Range::address);
  std::uint64_t next = noc_record(program.arch)->l1_begin;
  const std::size_t used = map.size();
  const auto add_free = [&](std::uint64_t end) {
    if (end > next) map.push_back({.address = next, .bytes = end - next, .name = {}, .origin = {}});
  };
  for (std::size_t i = 0; i < used; ++i) {
    const std::uint64_t begin = map[i].address, end = begin + map[i].bytes;
    if (begin < noc_record(program.arch)->l1_begin) continue;
    add_free(begin);
    next = std::max(next, end);
  }
  add_free(arch_params(program.arch).tile.l1_bytes);
  std::ranges::stable_sort(map, {}, &L1Range::address);
  return map;
}

} // namespace lanewise::programs
