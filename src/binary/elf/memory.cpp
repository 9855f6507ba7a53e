#include "binary/elf/memory.h"

#include <cstring>

#include "chip/riscv/address_map.h"

namespace lanewise::elf {

Memory::Memory(const Image& image, Arch arch) {
  const riscv::AddressRange local = riscv::range_of(arch, riscv::Region::LocalRam);
  for (const Segment& segment : image.segments) {
    blocks_.push_back({segment.address, segment.bytes});
    blocks_.back().bytes.resize(segment.size);
  }
  blocks_.push_back({local.first, std::vector<std::uint8_t>(local.last - local.first + 1)});
  stack_top_ = local.last + 1;
}

std::uint8_t* Memory::find(std::uint32_t address, unsigned bytes) {
  for (Block& block : blocks_) {
    const std::uint32_t offset = address - block.address;
    if (address < block.address || offset >= block.bytes.size()) continue;
    return block.bytes.size() - offset >= bytes ? &block.bytes[offset] : nullptr;
  }
  return nullptr;
}

std::optional<std::uint32_t> Memory::load(std::uint32_t address, unsigned bytes) {
  std::uint32_t value = 0;
  if (const std::uint8_t* const all = find(address, bytes)) {
    std::memcpy(&value, all, bytes);
    return value;
  }
  for (unsigned i = 0; i < bytes; ++i) {
    const std::uint8_t* const byte = find(address + i, 1);
    if (byte == nullptr) return std::nullopt;
    value |= std::uint32_t{*byte} << (8 * i);
  }
  return value;
}

bool Memory::store(std::uint32_t address, unsigned bytes, std::uint32_t value) {
  if (std::uint8_t* const all = find(address, bytes)) {
    std::memcpy(all, &value, bytes);
    return true;
  }
  for (unsigned i = 0; i < bytes; ++i) {
    if (find(address + i, 1) == nullptr) return false;
  }
  for (unsigned i = 0; i < bytes; ++i)
    *find(address + i, 1) = static_cast<std::uint8_t>(value >> (8 * i));
  return true;
}

} // namespace lanewise::elf
