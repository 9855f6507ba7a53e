#include "run/launch/images.h"

#include <algorithm>
#include <cstring>

#include "chip/isa/noc_record.h"
#include "chip/noc/places.h"
#include "source/programs/banks.h"

namespace lanewise::launch {

namespace {

using programs::BufferMemory;
using programs::Layout;
using programs::Program;

void store_word(std::span<std::uint8_t> memory, std::uint64_t address, std::uint32_t word) {
  std::memcpy(memory.data() + address, &word, sizeof word);
}

/// The memory of a page of a buffer.
std::span<std::uint8_t> page_of(const Program& program, const Layout& layout, std::size_t buffer,
                                std::uint64_t page, const L1OfCore& l1,
                                std::span<std::uint8_t> dram) {
  const programs::PagePlace place = programs::page_place(program, layout, buffer, page);
  const programs::Buffer& row = program.buffers[buffer];
  const std::uint64_t bytes = row.page_bytes;
  if (row.memory == BufferMemory::L1) return l1(place.core).subspan(place.address, bytes);
  const std::size_t bank_bytes = dram.size() / noc_record(program.arch)->banks.size();
  return dram.subspan(place.bank * bank_bytes + place.address, bytes);
}

} // namespace

std::vector<std::span<std::uint8_t>> dram_banks(const Program& program,
                                                std::span<std::uint8_t> memory) {
  const std::size_t count = noc_record(program.arch)->banks.size();
  std::vector<std::span<std::uint8_t>> banks;
  for (std::size_t bank = 0; bank < count; ++bank)
    banks.push_back(memory.subspan(bank * (memory.size() / count), memory.size() / count));
  return banks;
}

void fill_buffers(const Program& program, const Layout& layout, const L1OfCore& l1,
                  std::span<std::uint8_t> dram) {
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    const std::vector<std::uint8_t>& contents = program.buffers[i].contents;
    if (contents.empty()) continue;
    for (std::uint64_t page = 0; page < layout.buffers[i].pages; ++page) {
      const auto to = page_of(program, layout, i, page, l1, dram);
      std::memcpy(to.data(), contents.data() + page * to.size(), to.size());
    }
  }
}

void fill_core(const Program& program, const Layout& layout, std::span<std::uint8_t> l1) {
  for (const programs::Kernel& kernel : program.kernels) {
    const auto& place = layout.arguments[static_cast<std::size_t>(kernel.processor)];
    std::uint32_t own = place.own, common = place.common;
    for (const auto& argument : kernel.runtime_args) {
      store_word(l1, own, programs::resolve(program, layout, argument));
      own += sizeof(std::uint32_t);
    }
    for (const auto& argument : kernel.common_args) {
      store_word(l1, common, programs::resolve(program, layout, argument));
      common += sizeof(std::uint32_t);
    }
  }
  for (const programs::Semaphore& semaphore : program.semaphores)
    store_word(l1, programs::kSemaphores + semaphore.id * programs::kSemaphoreBytes,
               semaphore.initial);
}

std::vector<std::vector<std::uint8_t>> buffer_contents(const Program& program, const Layout& layout,
                                                       const L1OfCore& l1,
                                                       std::span<std::uint8_t> dram) {
  std::vector<std::vector<std::uint8_t>> all;
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    std::vector<std::uint8_t>& contents = all.emplace_back();
    contents.reserve(program.buffers[i].bytes);
    for (std::uint64_t page = 0; page < layout.buffers[i].pages; ++page) {
      const auto from = page_of(program, layout, i, page, l1, dram);
      contents.insert(contents.end(), from.begin(), from.end());
    }
  }
  return all;
}

lanewise_launch launch_data(const Program& program, const Layout& layout,
                            programs::Processor processor) {
  const NocRecord& record = *noc_record(program.arch);
  const auto& arguments = layout.arguments[static_cast<std::size_t>(processor)];
  const NocPlace own = *noc::worker_place(program.arch, program.core.x, program.core.y);
  lanewise_launch data{};
  data.runtime_args = arguments.own;
  data.common_args = arguments.common_words != 0 ? arguments.common : arguments.guard;
  data.semaphores = programs::kSemaphores;
  data.x = own.x;
  data.y = own.y;
  for (std::size_t bank = 0; bank < layout.l1_banks.size(); ++bank) {
    const programs::Core& core = layout.l1_banks[bank];
    const NocPlace place = *noc::worker_place(program.arch, core.x, core.y);
    data.l1_place[bank] = static_cast<std::uint16_t>(place.y << 6 | place.x);
  }
  data.logical_x = static_cast<std::uint8_t>(program.core.x);
  data.logical_y = static_cast<std::uint8_t>(program.core.y);
  for (const programs::CbPlace& cb : layout.circular_buffers) {
    auto& config = data.circular_buffer[cb.index];
    config[0] = cb.address;
    config[1] = cb.bytes;
    config[2] = cb.pages;
    config[3] = cb.page_bytes;
  }
  for (unsigned bank = 0; bank < record.banks.size(); ++bank) {
    for (unsigned noc = 0; noc < kNocs; ++noc) {
      const NocPlace place = noc::bank_place(program.arch, noc, bank);
      data.dram_place[noc][bank] = static_cast<std::uint16_t>(place.y << 6 | place.x);
    }
    data.dram_offset[bank] = static_cast<std::int32_t>(record.banks[bank].offset);
  }
  return data;
}

} // namespace lanewise::launch
