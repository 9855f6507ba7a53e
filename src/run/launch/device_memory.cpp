#include "run/launch/device_memory.h"

#include <fmt/format.h>

#include <utility>

#include "base/limits.h"
#include "chip/isa/noc_record.h"

namespace lanewise::launch {

Expected<DeviceMemory> DeviceMemory::make(Arch arch, std::uint64_t bank_bytes) {
  auto l1 = section::SharedL1::make(arch_params(arch).tile.l1_bytes);
  if (!l1) return Unexpected(l1.error());
  auto dram = SharedMemory::make("lanewise-dram", bank_bytes * noc_record(arch)->banks.size());
  if (!dram) return Unexpected(dram.error());
  return DeviceMemory(std::move(*l1), std::move(*dram), bank_bytes);
}

Expected<void> DeviceMemory::check_room(const programs::Program& program,
                                        const programs::Layout& layout) const {
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    const programs::Buffer& buffer = program.buffers[i];
    const programs::BufferPlace& place = layout.buffers[i];
    if (buffer.memory != programs::BufferMemory::Dram ||
        place.address + place.bank_bytes <= bank_bytes_)
      continue;
    return programs::at_origin(
        buffer.origin,
        fmt::format("the buffers of DRAM need more than {} MiB, of which {} MiB are this one's",
                    dram_.bytes().size() >> 20, buffer.bytes >> 20),
        fmt::format("take smaller ones, or allow more with {}", kMemoryOption));
  }
  return {};
}

} // namespace lanewise::launch
