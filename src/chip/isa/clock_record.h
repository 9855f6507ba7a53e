// The part of a chip's record that only chip/clock/ asks: what takes how long in a whole tile. It
// stands in a file of its own so that a figure that changes compiles little again.
#pragma once

#include <array>
#include <cstdint>

#include "chip/isa/arch.h"

namespace lanewise {

/// Units of 16 bytes of L1 that unpackers 0 and 1 have in a cycle, by the speed that unpacker 0
/// wants (x1, x2, x4), then by that of unpacker 1 (core.md 17.1).
using SharedFetch = std::array<std::array<std::array<std::uint8_t, 2>, 3>, 3>;
inline constexpr SharedFetch kSharedFetch{
    {{{{1, 1}, {1, 2}, {1, 4}}}, {{{2, 1}, {1, 1}, {1, 2}}}, {{{4, 1}, {2, 1}, {2, 2}}}}};

/// The clock of a whole tile: what chip/clock/ asks (docs/clock.md). Cycles, unless said otherwise.
/// "CT" is a row of the public table of measured costs of Blackhole, "TB" of the measured slopes of
/// single instructions (docs/sources.md), "LB" what tt-metal 51901, 51902 and 55162 and tt-llk 133
/// have found of Blackhole's banks and ports: 32, by five bits of the address, and ports of its own
/// for each unpacker; "assumed" is what no source gives and no row decides.
struct ClockParams {
  // --- Front end of a thread
  std::uint8_t pushed_words; ///< that wait for the MOP expander (ISA PushTensixInstruction; TB)
  std::uint8_t push_latency; ///< from a push to the MOP expander: assumed
  std::uint8_t gate_latency; ///< from an expander to the Wait Gate: assumed
  std::uint8_t expanded;     ///< instructions that wait between the expanders and the gate: assumed
  std::uint8_t after_mop;    ///< lost where no other MOP follows a MOP (core.md 17.1)
  /// REPLAYs of MOPs that cost a cycle together. TB matmul_tiles: a phase of 16 MVMULs takes 16.8,
  /// on both chips; why is not known (timing.md, phases of a product).
  std::uint8_t replays_a_gap;

  // --- Wait Gate and Sync Unit
  std::uint8_t gate_lag;     ///< from a condition that is met to the end of the block (core.md 6)
  std::uint8_t dst_lag;      ///< ... of rows of Dst that are free again: 6.0 cycles from a write
                             ///< to the next access, where the unit takes 5 (TB MVMUL, ELWADD)
  std::uint8_t post_latency; ///< from SEMPOST, SEMGET, SEMINIT to those who wait: assumed

  // --- Matrix Unit: until STALLWAIT, or its core, finds it idle
  std::uint8_t matrix_drain; ///< from an instruction that moves counters or banks (CT logical_not)
  std::uint8_t dst_drain;    ///< from one that writes Dst; see dst_stored
  /// From an SFPSTORE until an instruction may access Dst. Where a copy is in front and behind,
  /// this and dst_drain are 28.06 cycles of a tile besides 32 rows (timing.md, identity; CT abs,
  /// eqz). 3 of these are the store's: what SFPLOADMACROs store is not waited for (CT exp, recip,
  /// binary_max), and where two SETRWCs more are between, they take none (CT eq_binary, gt_binary).
  std::uint8_t dst_stored;
  std::uint8_t core_sees_matrix; ///< until a core that waits for its thread goes on, beside that
                                 ///< (CT: initialisations on the math thread)
  // --- Vector Unit: the same
  std::uint8_t vector_drain; ///< from its last result (CT: initialisations of unary operations)

  // --- Banks of SrcA and SrcB
  std::uint8_t set_valid; ///< from SETDVALID to the Matrix Unit
  std::uint8_t hand_back; ///< from an instruction that hands a bank back to the unpackers: the
                          ///< Matrix Unit is five stages deep

  // --- Unpackers
  std::uint8_t unpack_address; ///< in which its thread and other UNPACRs wait (core.md 17.1)
  std::uint8_t unpack_latency; ///< from there to the first data in a register, and its bank: with
                               ///< 128 bytes a cycle, CT reduce_tile ReduceScalar of 3 formats
  std::uint8_t unpack_nop;     ///< from UNPACR_NOP to the bank that it hands over
  std::uint8_t unpack_rows;    ///< cycles from a bank that is free to the next data in it
  std::uint8_t unpack_queue;   ///< UNPACRs that an unpacker takes before it has done the first (CT
                               ///< add_tiles of Float32: 3 or more)
  std::uint16_t unpack_narrowed; ///< data that it converts from 32 to 16 bits in a cycle
  std::uint16_t unpack_data;     ///< that it converts in a cycle

  // --- L1
  std::uint8_t l1_banks;  ///< of 16 bytes, by the lowest bits of the address (ISA L1; LB)
  std::uint8_t l1_modify; ///< in which a narrow write has its bank: it reads before it writes. A
                          ///< packer that adds has it in the first and in the last of these
  /// Whether the two unpackers have ports in common; then what each has of what both want.
  bool unpackers_share;
  SharedFetch shared_fetch;

  // --- Packers
  std::uint8_t pack_latency; ///< from PACR to the last of its data in L1, beside its own work
  std::uint8_t pack_end; ///< cycles more of a PACR that ends a tile: its last data leave the packer
  std::uint8_t pack_queue; ///< PACRs that a packer takes before it has done the first
  /// Cycles of a PACR: the bytes that it writes over those that it reads, at least 1 (CT
  /// pack_tile).
  bool packs_by_ratio;
  std::uint8_t pack_start;  ///< cycles of a PACR beside those of its data (tt-llk 916: PACR + 1 for
                            ///< each row of pack_untilize)
  std::uint8_t pack_buffer; ///< PACRs whose data wait for writes that add: at least what hides the
                            ///< end of a tile (tt-metal 51901: 24.0 cycles a tile)
  std::uint16_t pack_bytes; ///< that packers write to L1 in a cycle, all together
  std::uint8_t accumulate_halves; ///< half cycles that a write to L1 which adds takes for one

  // --- Scalar and configuration unit
  std::uint8_t scalar_done; ///< from an instruction to the end of its work
  std::uint8_t config_done; ///< the same of the Configuration Unit
  std::uint8_t read_config; ///< cycles that RDCFG takes its unit

  // --- What cores send: half of the way of a load, of which the first cycle is the core's own (ISA
  // BabyRISCV: 4 cycles to registers, 3 to a mailbox; assumed: a store goes as far as a load)
  std::uint8_t core_request; ///< from a store to registers until STALLWAIT finds it done
  std::uint8_t message;      ///< from a store to a mailbox to the first load that gets it
};

inline constexpr ClockParams kBlackholeClock{
    .pushed_words = 28,
    .push_latency = 2,
    .gate_latency = 2,
    .expanded = 4,
    .after_mop = 1,
    .replays_a_gap = 2,
    .gate_lag = 1,
    .dst_lag = 1,
    .post_latency = 1,
    .matrix_drain = 6,
    .dst_drain = 9,
    .dst_stored = 7,
    .core_sees_matrix = 4,
    .vector_drain = 5,
    .set_valid = 1,
    .hand_back = 4,
    .unpack_address = 2,
    .unpack_latency = 2,
    .unpack_nop = 4,
    .unpack_rows = 4,
    .unpack_queue = 3,
    .unpack_narrowed = 29,
    .unpack_data = 128,
    .l1_banks = 32,
    .l1_modify = 5,
    .unpackers_share = false,
    .shared_fetch = kSharedFetch,
    .pack_latency = 12,
    .pack_end = 3,
    .pack_queue = 8,
    .packs_by_ratio = true,
    .pack_start = 0,
    .pack_buffer = 4,
    .pack_bytes = 128,
    .accumulate_halves = 3,
    .scalar_done = 1,
    .config_done = 1,
    .read_config = 1,
    .core_request = 2,
    .message = 1,
};

/// What is known of Wormhole alone are the documents' figures and TB's; the rest is Blackhole's.
inline constexpr ClockParams kWormholeClock{
    .pushed_words = 30,
    .push_latency = 2,
    .gate_latency = 2,
    .expanded = 4,
    .after_mop = 1,
    .replays_a_gap = 2,
    .gate_lag = 1,
    .dst_lag = 1,
    .post_latency = 1,
    .matrix_drain = 6,
    .dst_drain = 9,
    .dst_stored = 7,
    .core_sees_matrix = 4,
    .vector_drain = 5,
    .set_valid = 1,
    .hand_back = 4,
    .unpack_address = 2,
    .unpack_latency = 2,
    .unpack_nop = 4,
    .unpack_rows = 4,
    .unpack_queue = 3,
    .unpack_narrowed = 128,
    .unpack_data = 128,
    .l1_banks = 16,
    .l1_modify = 5,
    .unpackers_share = true,
    .shared_fetch = kSharedFetch,
    .pack_latency = 12,
    .pack_end = 3,
    .pack_queue = 8,
    .packs_by_ratio = false,
    .pack_start = 1,
    .pack_buffer = 4,
    .pack_bytes = 64,
    .accumulate_halves = 10,
    .scalar_done = 1,
    .config_done = 1,
    .read_config = 2,
    .core_request = 2,
    .message = 1,
};

/// Of a chip that has a clock (ArchParams::has_clock).
constexpr const ClockParams& clock_params(Arch arch) {
  return arch == Arch::Wormhole ? kWormholeClock : kBlackholeClock;
}

} // namespace lanewise
