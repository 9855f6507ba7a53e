// What differs between the chips: the parts of a chip's record, each parameter named and with its
// source. The records themselves are in chip/isa/arch.h.
//
// "VU" is the project's Vector Unit reference, "MU" its Matrix Unit reference (docs/sources.md);
// the letter-number after it is the item there. "SFPI 4" is section 4 of its SFPI reference, "SFPI
// 5.0" the public tag v5.0.0 of SFPI: all that is known of Grayskull.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lanewise {

/// The NaN that the multiply-add datapath produces.
enum class NanForm : std::uint8_t {
  Canonical,      ///< 7FC00000, whatever went in (VU 3.1).
  LeakingMantissa ///< sign | 7F800001, OR-ed with the mantissa of the sum that was computed
                  ///< (VU 3.2).
};

/// What a bit of STALLWAIT's condition mask keeps waiting for (core.md 6, VU C49).
enum class WaitFor : std::uint8_t {
  Nothing,      ///< the bit has no meaning
  ScalarMemory, ///< memory requests of the thread
  Unpacker0,    ///< the thread's instructions in it; and so on
  Unpacker1,
  Packer,
  MatrixUnit,
  SrcAToFill, ///< the unpackers' bank of SrcA is theirs
  SrcBToFill,
  SrcAFilled, ///< the Matrix Unit's bank of SrcA is its
  SrcBFilled,
  Mover,       ///< of any thread
  CoreRequest, ///< of the thread's core, to registers
  VectorUnit,
  ConfigurationUnit ///< of any thread
};

/// How the chip is called.
struct ChipNames {
  std::string_view id;            ///< as on the command line and in vector files
  std::string_view family;        ///< for people
  std::string_view full;          ///< with the stepping
  std::string_view kernel_define; ///< the macro by which kernels know the chip
  std::string_view llk_folder;    ///< of a checkout of tt-llk
  std::string_view metal_folder;  ///< of a checkout of tt-metal, below tt_metal/hw/ckernels
};

/// The Vector Unit.
struct VectorParams {
  // --- Its size (VU 1, SFPI 4)
  std::uint8_t lanes; ///< of a register, 32 or 64: lane_groups() of 32 that know nothing of each
                      ///< other
  std::uint8_t lane_bits; ///< of a lane; what stands in them is sign-extended to 32 bits here
  std::uint8_t lregs;     ///< LReg[0..lregs - 1] can be written
  std::uint8_t zero_lreg; ///< the constant 0; 1 and -1 are LReg[10] and LReg[11] everywhere
  /// What every lane of LReg[0..14] holds after reset, as binary32; LReg[15] is the lane's place
  /// (lane_number()).
  std::array<std::uint32_t, 15> reset_lregs;
  std::uint16_t fixed_lregs;        ///< bit r: nothing can change LReg[r], one number in all lanes
  bool vd_selects_templates;        ///< VD 12..15 writes a macro template (VU C13)
  std::uint8_t dst_rows_per_access; ///< of 16 columns; loads and stores count in these
  bool dst_holds_patterns;          ///< Dst keeps 16 bits as they are, not sign, mantissa, exponent
  std::uint8_t usable_flag_stack;   ///< entries of the 8 that work
  bool mad_has_denormals;           ///< operands and results (SFPI 4)
  bool mad_adds_half;               ///< Mod1 1 and 3 of the MAD family add 0.5 and -0.5
  /// Software keeps registers and flags apart by NOPs, whatever follows (SFPI 4).
  bool settles_by_nops;

  // --- Multiply-add datapath (VU 3.1, 3.2)
  NanForm nan_form;
  bool signed_zero_results;      ///< false: every zero result is +0
  bool mad_negate_bits;          ///< Mod1[1:0] of the MAD family negate VA and VC
  bool overflow_loses_to_addend; ///< finite product overflow + opposite infinite addend = the
                                 ///< addend; else NaN
  bool exact_rounding_sticky;    ///< false: a two-place normalising shift loses dropped bit 1
  bool rounds_into_normals;      ///< false: results below 2^-126 before rounding are flushed first

  // --- Instructions and modes
  bool has_compare_arecip_mul24; ///< SFPLE, SFPGT, SFPMUL24, SFPARECIP (VU 2)
  bool logic_uses_vb;            ///< SFPAND/SFPOR Mod1[0] selects VB as second source
  bool shift_has_modes;    ///< SFPSHFT Mod1[2:1]: arithmetic right shift, VC as the shifted value
  bool shuffle_edge_latch; ///< SFPSHFT2 mode 4 leaks the last rotated value into lanes 0,8,16,24
                           ///< (C36)
  std::uint8_t cast_mode_mask; ///< bits of SFPCAST Mod1 that are decoded (C35)
  bool round_toward_zero;      ///< SFPSTOCHRND RoundingMode 2 exists (C45)
  bool pushc_mutates;          ///< SFPPUSHC Mod1 != 0 is defined (C9)
  bool popc_full_stack_bug;    ///< SFPPOPC Mod1 != 0 overwrites the bottom of a full stack (C10)

  // --- Dst access (VU 1.4, 3.4)
  std::uint8_t int8_load_magnitude_bits; ///< SFPLOAD INT8
  bool int_sm_converts; ///< INT32_SM / INT8_COMP convert sign-magnitude <-> two's complement
  /// SFPSTORE FP32 flushes denormals to signed zero. Wormhole's ISA page says that it does not, the
  /// simulator that the conformance vectors come from says that it does (VU Q9): the vectors are
  /// followed until silicon has spoken.
  bool fp32_store_flushes;
  bool has_stack_pointer;       ///< Sp counter in Dst addresses (C17)
  bool has_dst_format_override; ///< SFPU_DEST_FMT_* thread configuration (C21)
  bool has_dst_row_remap;       ///< DEST_ACCESS_CFG_remap_addrs / _swizzle_32b (VU 3.4)

  // --- Clock
  bool has_result_interlock; ///< stalls what reads a two-cycle result too early, with holes
                             ///< (VU 5.2, 5.3); false: software keeps the distance (VU 5.4)
  /// A stalled instruction waits inside the Vector Unit, and others pass it (T4). Measured on
  /// Blackhole only. Wormhole's reduce kernels in tt-llk need it to hold the thread: SFPSWAP,
  /// SFPLOADMACRO, INCRWC, SFPLOADMACRO would otherwise let two scheduled SFPSWAPs overlap.
  bool stalls_inside_unit;
};

/// The Matrix Unit.
struct MatrixParams {
  bool has_implied_formats; ///< each bank of SrcA and SrcB carries a format code (MU 2.2)
  bool minus_one_erratum;   ///< a sum of -1 unit in 32-bit Dst gets a wrong exponent (MU 5.5)
  /// ZEROACC of 16 rows chooses the half of Dst by row plus block number, unless configured
  /// otherwise (MU 7).
  bool zeroacc_picks_half;
};

/// The tile around the coprocessor (core.md 1 to 14).
struct TileParams {
  // --- Unpackers and packers (core.md 12.5, 14)
  bool unpacks_fp8_to_all_ones;  ///< FP8's largest number gets ones behind it
  bool has_fp8_of_long_mantissa; ///< 4 bits of exponent, 3 of mantissa
  bool packs_bf16_as_fp16;       ///< Round_10b_mant takes what has 8 bits of exponent to FP16

  std::uint32_t l1_bytes;
  std::uint8_t packers;         ///< one with four ways to read Dst, or four
  std::uint8_t mutexes;         ///< bit i: there is mutex i
  std::uint8_t adc_zw_bits;     ///< of the counters Z and W; unpackers use the low 8 (core.md 10)
  bool unpack_rows_of_32;       ///< rows of data wider than 8 bits have 32, not 16 (12.2)
  bool srca_comes_around;       ///< behind its last row comes row 0 (LLK, fast_tilize)
  bool unpacr_nop_has_fields;   ///< else its low 23 bits are a number (13.1)
  bool packs_to_byte_addresses; ///< strides of the output count bytes, not 16 of them (14.3)
  bool shared_pack_masks;       ///< PACR's mask names ways to read, not packers (14.1)
  bool reg2flop_writes_config;  ///< REG2FLOP is known to write THCON's words (8)
  /// By bit of STALLWAIT's condition mask; wait_condition() finds the bit.
  std::array<WaitFor, 15> wait_conditions;
  std::uint16_t wait_for_everything; ///< what a mask of 0 counts as
};

/// The RISC-V cores (ISA BabyRISCV).
struct CoreParams {
  /// A core that touches registers or configuration waits until what it has pushed is done
  /// (core.md 3).
  bool sync_registers;
  /// Cycles per word that the cores push where the code is a straight line (T5).
  double fastest_push, slowest_push;
  /// `.ttinsn`s side by side that the cores of the Tensix threads execute in one cycle (ISA
  /// BabyRISCV, PushTensixInstruction).
  std::uint8_t fused_pushes;
  std::uint8_t loop_return_cycles; ///< of a core that goes back to a loop's start (T5); 0: unknown
  std::string_view waiting;        ///< a sentence: what holds instructions back in program order
  bool have_extensions;            ///< Zicsr, Zaamo, Zba, Zbb and machine mode beside RV32IM
};

/// What the instructions of the RISC-V cores cost, in cycles. "measured" is by slopes of unrolled
/// bursts on silicon (rules/timing.md, T7); all others are ISA BabyRISCV.
struct CoreCostParams {
  // --- Execution, one instruction per cycle and in order
  std::uint8_t queue_entries; ///< instructions that have not retired; those behind a load wait
  /// A result can be used while it waits there; false: in the next cycle, or once it retires.
  bool forwards_from_queue;
  std::uint8_t multiply_occupies; ///< of the integer unit
  std::uint8_t multiply_latency;
  std::uint8_t divide_trivial;           ///< by 0 or 1, and -2^31 by -1
  std::uint8_t divide_base, divide_most; ///< base + 4 for each 4 bits of the dividend; at most
  std::uint8_t csr_latency; ///< until the next instruction goes on (measured); 0: there are none
  bool fence_drains;        ///< waits for loads and stores; false: does nothing

  // --- Branches
  std::uint8_t mispredict_bubble;
  /// That are remembered, by the low bits of their address. No source says how many. Measured:
  /// Blackhole knows 65 side by side, Wormhole not even the loop's behind 64 others.
  std::uint16_t remembered_branches;

  // --- Loads: the instructions behind one that can hide it, plus 1
  std::uint8_t load_local, load_l1;
  std::uint8_t load_sync;    ///< mailboxes, PCBuf, TTSync, semaphores
  std::uint8_t load_backend; ///< GPRs and configuration of the coprocessor
  std::uint8_t load_tdma;
  std::uint8_t load_tile; ///< debug, PIC, NoC
  std::uint8_t load_atomic;
  std::uint8_t loads_in_flight;  ///< of all regions but the core's own RAM; measured for both
  std::uint8_t data_cache_lines; ///< of 16 bytes of L1

  // --- Stores: a queue, from which they leave in order
  std::uint8_t store_entries;
  /// Into L1, where a narrow write blocks port and bank for five cycles (ISA L1); measured.
  double l1_store;
  std::uint8_t merge_reach; ///< bytes between starts of stores that become one; 0: none do

  // --- Fetching code: lines of 16 bytes, least recently used of a set goes (measured)
  std::array<std::uint16_t, 3> code_cache_bytes; ///< of T0, T1, T2
  std::uint8_t code_cache_ways;
  std::array<double, 3> line_interval; ///< between lines that come from L1
  std::uint8_t lines_ahead;            ///< that are asked for before they are needed
};

/// Words on their way to the units.
struct FrontEndParams {
  std::uint8_t addr_mod_bits;     ///< width of the AddrMod field of SFPLOAD, SFPSTORE, SFPLOADMACRO
  std::uint8_t addr_mod_sections; ///< ADDR_MOD sections of a thread
  bool addr_mod_has_base;         ///< section + 4 if the bias bit or ADDR_MOD_SET_Base is set
  std::uint8_t replay_slots;      ///< of each thread's replay buffer
};

/// Configuration space (ISA BackendConfiguration).
struct ConfigParams {
  std::uint16_t shared_words;       ///< 32-bit words of thread-agnostic configuration
  std::uint16_t global_base;        ///< from this word on there is one copy instead of two banks
  bool writes_both;                 ///< a third range of addresses writes both banks
  std::uint16_t thread_words;       ///< 16-bit words of each thread
  std::uint16_t addr_mod_ab_word;   ///< thread word of ADDR_MOD_AB_SEC0 (MU 2.1)
  std::uint16_t addr_mod_ab_stride; ///< words from one AB section to the next
  std::uint16_t addr_mod_dst_word;  ///< thread word of ADDR_MOD_DST_SEC0, stride 1
  std::uint16_t addr_mod_bias_word; ///< thread word of ADDR_MOD_BIAS_SEC0, stride 1
};

/// A chip: what it is called, how much is known of it, and its parts.
struct ArchParams {
  ChipNames names;
  double clock_ghz; ///< VU 4, last rows; 0: unknown
  /// Latencies, stalls and hazards are known, so that programs can be timed and checked.
  bool has_clock;
  /// What results are made of where they are not those of silicon, for people; empty elsewhere.
  std::string_view arithmetic_source;
  int only_sfpi_release; ///< the one that is known for the chip (source/compiler/epoch.h); 0: all

  VectorParams vector;
  MatrixParams matrix;
  TileParams tile;
  CoreParams cores;
  CoreCostParams core_costs;
  FrontEndParams front_end;
  ConfigParams config;
};

} // namespace lanewise
