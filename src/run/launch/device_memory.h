// The memories of a device, which outlive the programs that run on it: what one leaves in L1 and
// DRAM, in buffers or not, the next one finds.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/fault.h"
#include "base/shared_memory.h"
#include "chip/isa/arch.h"
#include "run/launch/images.h"
#include "run/section/shared_l1.h"
#include "source/programs/layout.h"

namespace lanewise::launch {

/// What the memories hold at one time.
struct MemoryImage {
  /// Of cores that were ever used; empty where all bytes are zero.
  std::map<programs::Core, std::vector<std::uint8_t>> l1;
  std::vector<std::uint8_t> dram; ///< the first bytes of each bank, one behind the other
};

class DeviceMemory {
 public:
  /// All bytes are 0. `bank_bytes` of each bank of DRAM. Error: BadInput if there is no memory.
  static Expected<DeviceMemory> make(Arch arch, std::uint64_t bank_bytes);

  /// L1 of a core; made, with zeros, when a core is first named. Error: BadInput, as above.
  Expected<void> add(const programs::Core& core);
  /// Precondition: it was added.
  std::span<std::uint8_t> l1(const programs::Core& core) const { return shared_l1(core).bytes(); }
  const section::SharedL1& shared_l1(const programs::Core& core) const { return l1_.at(core); }
  L1OfCore l1_of_cores() const {
    return [this](const programs::Core& core) { return l1(core); };
  }

  /// The banks, one behind the other.
  std::span<std::uint8_t> dram() const { return dram_.bytes(); }

  /// The descriptors that the process of a core's kernels needs.
  std::vector<int> files(const programs::Core& core) const {
    return {shared_l1(core).file(), dram_.file()};
  }

  /// L1 of all cores, and so many bytes of each bank.
  MemoryImage image(std::uint64_t bank_bytes) const;
  /// Makes it what it was.
  void restore(const MemoryImage& image) const;

  /// Whether all buffers lie in it. Error: BadInput that says how much it has.
  Expected<void> check_room(const programs::Program& program, const programs::Layout& layout) const;

 private:
  DeviceMemory(Arch arch, SharedMemory dram, std::uint64_t bank_bytes)
      : arch_(arch), dram_(std::move(dram)), bank_bytes_(bank_bytes) {}

  Arch arch_;
  std::map<programs::Core, section::SharedL1> l1_;
  SharedMemory dram_;
  std::uint64_t bank_bytes_;
};

} // namespace lanewise::launch
