// Everything that the Vector Unit remembers between instructions.
#pragma once

#include <array>
#include <cstdint>

#include "chip/isa/arch.h"
#include "chip/machine/bits.h"

namespace lanewise {

inline constexpr unsigned kLanes = 32;
inline constexpr unsigned kColumns =
    8; ///< lanes of a row; LaneConfig exists once per column (VU C4)
inline constexpr std::uint32_t kAllLanes = 0xFFFFFFFFU;

inline constexpr unsigned kLRegs = 17;
inline constexpr unsigned kWritableLRegs = 8;    ///< LReg[0..7] (seed 000, 1.2)
inline constexpr unsigned kMacroLReg = 16;       ///< only for what SFPLOADMACRO schedules
inline constexpr unsigned kFirstTemplateVd = 12; ///< VD 12..15 selects a macro template (VU C13)

/// Whether a result goes to the register that VD names: others are dropped (VU C14, C15).
constexpr bool is_writable_lreg(unsigned vd) {
  return vd < kWritableLRegs || vd == kMacroLReg;
}

/// LReg[0..7] and LReg[16]: those that instructions write.
inline constexpr unsigned kHeldRegisters = kWritableLRegs + 1;
/// The LReg in the place `i` of what is held back (HeldWrite).
constexpr unsigned held_register(unsigned i) {
  return i < kWritableLRegs ? i : kMacroLReg;
}

/// Bits of LaneConfig (VU C39).
namespace lane_config {
inline constexpr std::uint32_t kEnableFp16aInf = 1U << 0;
inline constexpr std::uint32_t kDisableBackdoorLoad = 1U << 1;
inline constexpr std::uint32_t kEnableDestIndex = 1U << 2;
inline constexpr std::uint32_t kCaptureDefaultDestIndex = 1U << 3;
inline constexpr std::uint32_t kBlockDestWrFromSfpu = 1U << 4;
inline constexpr std::uint32_t kBlockSfpuRdFromDest = 1U << 5;
inline constexpr std::uint32_t kDestRdColExchange = 1U << 6;
inline constexpr std::uint32_t kDestWrColExchange = 1U << 7;
inline constexpr std::uint32_t kExchangeSrcbSrcc = 1U << 8;
inline constexpr unsigned kRowMaskShift = 12;
inline constexpr std::uint32_t kBits = 0x3FFFF;        ///< width of the register
inline constexpr std::uint32_t kReservedTop = 0x30000; ///< kept by immediate writes (VU C38)
} // namespace lane_config

/// LaneConfig as lane masks: bit l is the switch of lane l.
struct LaneSwitches {
  std::uint32_t rows_enabled = kAllLanes; ///< not masked by ROW_MASK
  std::uint32_t fp16_infinity = 0;
  std::uint32_t backdoor_closed = 0; ///< DISABLE_BACKDOOR_LOAD
  std::uint32_t dest_index = 0;
  std::uint32_t capture_index = 0;
  std::uint32_t block_store = 0;
  std::uint32_t block_load = 0;
  std::uint32_t load_odd = 0;
  std::uint32_t store_odd = 0;
  std::uint32_t exchange_sources = 0;

  friend bool operator==(const LaneSwitches&, const LaneSwitches&) = default;
};

/// SFPLOADMACRO's configuration of each column (seed 001; VU C39).
struct LoadMacroConfig {
  std::array<std::array<std::uint32_t, kColumns>, 4> instruction_template{};
  std::array<std::array<std::uint32_t, kColumns>, 4> sequence{};
  std::array<std::uint32_t, kColumns> misc{};
};

/// The flag stack: 8 entries, each a LaneFlags and a UseLaneFlagsForLaneEnable bit for every lane.
///
/// Lanes may stand at different depths (a template write can keep SFPPUSHC from some columns), so
/// depth is kept as one lane mask per depth.
struct FlagStack {
  static constexpr unsigned kEntries = 8;

  struct Entry {
    std::uint32_t flags = 0;
    std::uint32_t use = 0;

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  std::array<Entry, kEntries> entry{}; ///< [0] is the deepest
  std::array<std::uint32_t, kEntries + 1> at_depth{
      kAllLanes}; ///< lanes whose stack holds d entries

  std::uint32_t empty_lanes() const { return at_depth[0]; }
  std::uint32_t full_lanes() const { return at_depth[kEntries]; }
  unsigned depth(unsigned lane) const;

  /// Pushes in `lanes`; lanes that are full stay as they are.
  constexpr void push(std::uint32_t lanes, Entry value);
  /// Removes the top entry in `lanes`; lanes that are empty stay as they are.
  constexpr void pop(std::uint32_t lanes);
  /// The top entry of every lane; 0 bits in lanes whose stack is empty.
  constexpr Entry top() const;
  /// Replaces the top entry in `lanes`; lanes that are empty stay as they are.
  constexpr void set_top(std::uint32_t lanes, Entry value);
};

// Inline, since kernels of each level have them.

[[gnu::always_inline]] constexpr void FlagStack::push(std::uint32_t lanes, Entry value) {
  for (unsigned d = kEntries; d-- > 0;) { // deepest last, so that no lane moves twice
    const std::uint32_t moving = at_depth[d] & lanes;
    if (moving == 0) continue;
    entry[d] = {blend(moving, value.flags, entry[d].flags), blend(moving, value.use, entry[d].use)};
    at_depth[d] &= ~moving;
    at_depth[d + 1] |= moving;
  }
}

[[gnu::always_inline]] constexpr void FlagStack::pop(std::uint32_t lanes) {
  for (unsigned d = 1; d <= kEntries; ++d) {
    const std::uint32_t moving = at_depth[d] & lanes;
    at_depth[d] &= ~moving;
    at_depth[d - 1] |= moving;
  }
}

[[gnu::always_inline]] constexpr FlagStack::Entry FlagStack::top() const {
  Entry result;
  for (unsigned d = 1; d <= kEntries; ++d) {
    result.flags |= entry[d - 1].flags & at_depth[d];
    result.use |= entry[d - 1].use & at_depth[d];
  }
  return result;
}

[[gnu::always_inline]] constexpr void FlagStack::set_top(std::uint32_t lanes, Entry value) {
  for (unsigned d = 1; d <= kEntries; ++d) {
    const std::uint32_t here = at_depth[d] & lanes;
    entry[d - 1] = {blend(here, value.flags, entry[d - 1].flags),
                    blend(here, value.use, entry[d - 1].use)};
  }
}

struct VectorState {
  /// LReg[i][lane]; 8..10 and 15 are constants, 11..14 programmable ones, 16 belongs to macros.
  alignas(64) std::uint32_t lreg[kLRegs][kLanes];
  alignas(64) std::uint32_t prng[kLanes];
  /// Wormhole's hidden latch behind SFPSHFT2 (VU C36).
  alignas(64) std::uint32_t shuffle_latch[kLanes];

  std::uint32_t flags;     ///< LaneFlags, bit l = lane l
  std::uint32_t use_flags; ///< UseLaneFlagsForLaneEnable
  /// Lanes that the running instruction may touch: all, but for those that a template write has
  /// taken out.
  std::uint32_t active;
  FlagStack stack;
  std::array<std::uint32_t, kColumns> lane_config; ///< change with set_lane_config()
  LaneSwitches switches;                           ///< derived from lane_config
  LoadMacroConfig macro;

  /// The values after the SFPU's soft reset (VU C2); PRNG 0, as no source gives another.
  /// As after reset (VU C1, C2; SFPI 4), of one of the chip's lane_groups().
  void reset(Arch arch, unsigned group);

  void set_lane_config(const std::array<std::uint32_t, kColumns>& columns);

  /// LaneEnabled of every lane (seed 000, 4.2).
  std::uint32_t enabled() const { return active & switches.rows_enabled & (flags | ~use_flags); }
};

} // namespace lanewise
