// The memories of a device, which outlive the programs that run on it: what one leaves in L1 and
// DRAM, in buffers or not, the next one finds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/fault.h"
#include "base/shared_memory.h"
#include "chip/isa/arch.h"
#include "run/section/shared_l1.h"
#include "source/programs/layout.h"

namespace lanewise::launch {

/// What the memories hold at one time.
struct MemoryImage {
  std::vector<std::uint8_t> l1;
  std::vector<std::uint8_t> dram; ///< the first bytes of each bank, one behind the other
};

class DeviceMemory {
 public:
  /// All bytes are 0. `bank_bytes` of each bank of DRAM. Error: BadInput if there is no memory.
  static Expected<DeviceMemory> make(Arch arch, std::uint64_t bank_bytes);

  std::span<std::uint8_t> l1() const { return l1_.bytes(); }
  /// The banks, one behind the other.
  std::span<std::uint8_t> dram() const { return dram_.bytes(); }
  const section::SharedL1& shared_l1() const { return l1_; }

  /// The descriptors that the kernels' process needs.
  std::vector<int> files() const { return {l1_.file(), dram_.file()}; }

  /// L1, and so many bytes of each bank.
  MemoryImage image(std::uint64_t bank_bytes) const;
  /// Makes it what it was.
  void restore(const MemoryImage& image) const;

  /// Whether all buffers lie in it. Error: BadInput that says how much it has.
  Expected<void> check_room(const programs::Program& program, const programs::Layout& layout) const;

 private:
  DeviceMemory(section::SharedL1 l1, SharedMemory dram, std::uint64_t bank_bytes)
      : l1_(std::move(l1)), dram_(std::move(dram)), bank_bytes_(bank_bytes) {}

  section::SharedL1 l1_;
  SharedMemory dram_;
  std::uint64_t bank_bytes_;
};

} // namespace lanewise::launch
