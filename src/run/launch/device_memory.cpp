#include "run/launch/device_memory.h"

#include <fmt/format.h>

#include <algorithm>
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

MemoryImage DeviceMemory::image(std::uint64_t bank_bytes) const {
  const std::uint64_t kept = std::min(bank_bytes, bank_bytes_);
  MemoryImage image{.l1 = {l1().begin(), l1().end()}, .dram = {}};
  const std::span<std::uint8_t> banks = dram();
  for (std::uint64_t bank = 0; bank < banks.size(); bank += bank_bytes_) {
    const auto bytes = banks.subspan(bank, kept);
    image.dram.insert(image.dram.end(), bytes.begin(), bytes.end());
  }
  return image;
}

void DeviceMemory::restore(const MemoryImage& image) const {
  std::ranges::copy(image.l1, l1().begin());
  const std::uint64_t kept = image.dram.size() / (dram().size() / bank_bytes_);
  for (std::uint64_t i = 0; i * kept < image.dram.size(); ++i)
    std::ranges::copy(std::span(image.dram).subspan(i * kept, kept),
                      dram().subspan(i * bank_bytes_).begin());
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
