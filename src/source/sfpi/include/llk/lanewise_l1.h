// L1 memory for kernels that read it.
//
// A kernel gets an L1 address as a 32-bit number and turns it into a pointer. On the host L1 is
// therefore mapped at its own addresses, so that such a pointer is good as it stands. The operating
// system keeps the lowest 64 KiB for itself; L1 addresses below are not available.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "ckernel_ops.h"
#include "dev_mem_map.h"
#include "lanewise_fail.h"

namespace lanewise_llk {

inline constexpr std::uint32_t kL1First = 0x10000;
inline constexpr std::uint32_t kL1End = MEM_L1_BASE + MEM_L1_SIZE;

namespace detail {

/// A page behind L1 that says whose mapping this is: several kernels of a process share it.
inline constexpr char kOwner[] = "lanewise L1";
inline constexpr std::uint32_t kOwnerPage = MEM_L1_BASE + 1536 * 1024; // the end of the larger L1
inline constexpr std::uint32_t kPage = 4096;

inline void* host_address(std::uint32_t address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}

/// True if the pages at L1's addresses are L1: mapped now, or by a kernel before.
inline bool map_l1() {
  const std::size_t size = kOwnerPage + kPage - kL1First;
  void* const wanted = host_address(kL1First);
  void* const got = mmap(wanted, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == wanted) {
    std::memcpy(host_address(kOwnerPage), kOwner, sizeof kOwner);
    return true;
  }
  if (got != MAP_FAILED) munmap(got, size); // kernels before Linux 4.17 take the address as a hint
  unsigned char resident[1];
  return mincore(host_address(kOwnerPage), kPage, resident) == 0 &&
         std::memcmp(host_address(kOwnerPage), kOwner, sizeof kOwner) == 0;
}

inline const bool l1_is_mapped = map_l1();

} // namespace detail

/// The `size` bytes of L1 from `address` on.
inline std::uint8_t* l1(std::uint32_t address, std::uint32_t size) {
  if (!detail::l1_is_mapped) {
    fail("L1 cannot be modelled: its addresses are taken in this process",
         "run the kernel in a process without a fixed mapping below 2 MiB");
  }
  if (address < kL1First || address > kL1End || size > kL1End - address) {
    fail("the L1 address is outside of the L1 that the host models",
         "use addresses from 0x10000 up to the size of L1");
  }
  return static_cast<std::uint8_t*>(detail::host_address(address));
}

/// Puts bytes into L1 before a kernel reads them. The start address is returned.
inline std::uint32_t l1_write(std::uint32_t address, std::initializer_list<std::uint8_t> bytes) {
  std::uint8_t* target = l1(address, static_cast<std::uint32_t>(bytes.size()));
  for (std::uint8_t byte : bytes) *target++ = byte;
  return address;
}

/// Empties L1, for a run that does not depend on the one before.
inline void l1_clear() {
  std::memset(l1(kL1First, kL1End - kL1First), 0, kL1End - kL1First);
}

} // namespace lanewise_llk
