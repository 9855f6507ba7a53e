// The chip that a kernel is compiled for, and the release of SFPI that it is written to, its epoch.
//
// One of ARCH_BLACKHOLE, ARCH_WORMHOLE and ARCH_GRAYSKULL is defined by the command that compiles
// the kernel; so may be LANEWISE_SFPI_EPOCH, 100 * major + minor, where releases contradict each
// other:
//   500        the interface of the first developer reference, for every release before 7.38
//   738 .. 780 releases 7.38 to 7.80
// What does not contradict is there in all of them. docs/kernels.md lists what changed when.
// Grayskull has the first one only (docs/grayskull.md).
#pragma once

#ifndef LANEWISE_SFPI_EPOCH
#define LANEWISE_SFPI_EPOCH 780
#endif

#if defined(ARCH_WORMHOLE_B0) && !defined(ARCH_WORMHOLE)
#define ARCH_WORMHOLE 1
#endif

// Kernels that are written to releases from 7 on ask for the chip by the compiler's own macros.
#if defined(ARCH_WORMHOLE) + defined(ARCH_BLACKHOLE) + defined(ARCH_GRAYSKULL) > 1
#error "two of ARCH_WORMHOLE, ARCH_BLACKHOLE, ARCH_GRAYSKULL are defined: a kernel is for one chip"
#elif defined(ARCH_WORMHOLE)
#define LANEWISE_SFPI_CHIP Wormhole
#define LANEWISE_SFPI_NAMES "names/wormhole.h"
#ifndef __riscv_xtttensixwh
#define __riscv_xtttensixwh 1
#endif
#elif defined(ARCH_BLACKHOLE)
#define LANEWISE_SFPI_CHIP Blackhole
#define LANEWISE_SFPI_NAMES "names/blackhole.h"
#ifndef __riscv_xtttensixbh
#define __riscv_xtttensixbh 1
#endif
#elif defined(ARCH_GRAYSKULL)
#define LANEWISE_SFPI_CHIP Grayskull
#define LANEWISE_SFPI_NAMES "names/grayskull.h"
#else
#error "no chip: compile with -DARCH_BLACKHOLE, -DARCH_WORMHOLE or -DARCH_GRAYSKULL"
#endif

namespace sfpi::impl_ {

inline constexpr int kEpoch = LANEWISE_SFPI_EPOCH;
static_assert(kEpoch == 500 || (kEpoch >= 738 && kEpoch <= 780),
              "LANEWISE_SFPI_EPOCH is 500, or 738 to 780");

/// Whether the release has what came with release 7.`minor`.
constexpr bool since(int minor) {
  return kEpoch >= 700 + minor;
}

/// Mod0 of loads and stores of the plain vector types.
struct DstModes {
  unsigned load_float;
  unsigned store_float;
  unsigned load_int;
  unsigned store_int;
  unsigned load_uint;
  unsigned store_uint;
};

/// What kernels see of Blackhole.
struct Blackhole {
  static constexpr unsigned lanes = 32;
  static constexpr unsigned lane_bits = 32; ///< less: the upper bits of a float, no wide literals
  static constexpr unsigned lreg_count = 8;
  static constexpr int dst_stride = 2;   ///< Dst address per step of dst_reg[]
  static constexpr int keep_counter = 7; ///< the ADDR_MOD section that increments nothing
  static constexpr DstModes dst_modes = kEpoch == 500 ? DstModes{0, 0, 12, 12, 12, 12}
                                        : since(43)   ? DstModes{0, 0, 4, 4, 4, 4}
                                                      : DstModes{0, 0, 12, 4, 12, 4};
  static constexpr bool int_sm_converts = false;     ///< Mod0 12 changes the form of signed numbers
  static constexpr unsigned first_programmable = 11; ///< LReg; L11 holds -1 by convention
  static constexpr unsigned last_programmable = 14;
  static constexpr bool arithmetic_shift = true;
  static constexpr bool shift_from_vc = true; ///< SFPSHFT by an immediate may shift VC into VD
  static constexpr bool round_to_zero = true; ///< SFPSTOCHRND RoundingMode 2
  static constexpr bool arecip = true;
  static constexpr bool mul24 = true;
  static constexpr bool random_numbers = true; ///< SFPI's rand(); the hardware can on both chips
  static constexpr bool adds_half = false;     ///< lut() has an offset of 0.5 or -0.5
  static constexpr bool exclusive_or = true;
  static constexpr bool loads_integers = true; ///< vInt and vUInt from Dst
  static constexpr bool later_library = true;  ///< what SFPI got behind release 5.0
};

/// What kernels see of Wormhole, where it is another thing.
struct Wormhole : Blackhole {
  static constexpr int keep_counter = 3;
  static constexpr DstModes dst_modes =
      kEpoch == 500 ? DstModes{0, 0, 12, 12, 12, 12} : DstModes{0, 0, 12, 12, 4, 4};
  static constexpr bool int_sm_converts = true;
  static constexpr bool arithmetic_shift = false;
  static constexpr bool shift_from_vc = false;
  static constexpr bool round_to_zero = false;
  static constexpr bool arecip = false;
  static constexpr bool mul24 = false;
  static constexpr bool random_numbers = false;
};

/// What kernels see of Grayskull (docs/grayskull.md).
struct Grayskull : Wormhole {
  static constexpr unsigned lanes = 64;
  static constexpr unsigned lane_bits = 19;
  static constexpr unsigned lreg_count = 4;
  static constexpr int dst_stride = 4;
  static constexpr int keep_counter = 0;
  static constexpr DstModes dst_modes{1, 0, 1, 2, 1, 2};
  static constexpr bool int_sm_converts = false;
  static constexpr unsigned first_programmable = 16; // none
  static constexpr unsigned last_programmable = 0;
  static constexpr bool adds_half = true;
  static constexpr bool exclusive_or = false;
  static constexpr bool loads_integers = false;
  static constexpr bool later_library = false;
};

using Chip = LANEWISE_SFPI_CHIP;
static_assert(kEpoch == 500 || Chip::later_library, "SFPI knows Grayskull up to release 5.0 here");
#undef LANEWISE_SFPI_CHIP

/// `has`, but known only when the template with these parameters is used: for static_assert in
/// functions that this chip or epoch does not have.
template <bool has, auto...>
inline constexpr bool available = has;

} // namespace sfpi::impl_
