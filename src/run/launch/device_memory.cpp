#include "run/launch/device_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "chip/isa/noc_record.h"

namespace lanewise::launch {

namespace {

bool is_zero(std::span<const std::uint8_t> bytes) {
  return bytes.empty() ||
         (bytes[0] == 0 && std::equal(bytes.begin(), bytes.end() - 1, bytes.begin() + 1));
}

} // namespace

Expected<DeviceMemory> DeviceMemory::make(Arch arch, std::uint64_t bank_bytes) {
  auto dram = SharedMemory::make("lanewise-dram", bank_bytes * noc_record(arch)->banks.size());
  if (!dram) return Unexpected(dram.error());
  return DeviceMemory(arch, std::move(*dram), bank_bytes);
}

Expected<void> DeviceMemory::add(const programs::Core& core) {
  if (l1_.contains(core)) return {};
  auto l1 = section::SharedL1::make(arch_params(arch_).tile.l1_bytes);
  if (!l1) return Unexpected(l1.error());
  l1_.emplace(core, std::move(*l1));
  return {};
}

MemoryImage DeviceMemory::image(std::uint64_t bank_bytes) const {
  const std::uint64_t kept = std::min(bank_bytes, bank_bytes_);
  MemoryImage image;
  for (const auto& [core, l1] : l1_) {
    std::vector<std::uint8_t>& bytes = image.l1[core];
    if (!is_zero(l1.bytes())) bytes.assign(l1.bytes().begin(), l1.bytes().end());
  }
  const std::span<std::uint8_t> banks = dram();
  for (std::uint64_t bank = 0; bank < banks.size(); bank += bank_bytes_) {
    const auto bytes = banks.subspan(bank, kept);
    image.dram.insert(image.dram.end(), bytes.begin(), bytes.end());
  }
  return image;
}

void DeviceMemory::restore(const MemoryImage& image) const {
  for (const auto& [core, bytes] : image.l1) {
    const std::span<std::uint8_t> own = l1(core);
    if (!bytes.empty()) {
      std::ranges::copy(bytes, own.begin());
    } else if (!is_zero(own)) { // pages that nobody has touched stay so
      std::ranges::fill(own, std::uint8_t{0});
    }
  }
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
