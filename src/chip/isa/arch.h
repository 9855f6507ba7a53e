// One record per chip: what differs between Blackhole, Wormhole and Grayskull, named and with its
// source.
//
// "VU" is the project's Vector Unit reference, "MU" its Matrix Unit reference (docs/sources.md);
// the letter-number after it is the item there. "SFPI 4" is section 4 of its SFPI reference, "SFPI
// 5.0" the public tag v5.0.0 of SFPI: all that is known of Grayskull. Nothing outside this file
// asks "which chip is this?": code asks for the parameter it needs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lanewise {

enum class Arch : std::uint8_t { Blackhole, Wormhole, Grayskull };

/// Every chip.
inline constexpr std::array kEveryArch{Arch::Blackhole, Arch::Wormhole, Arch::Grayskull};
/// The chips of which all is here: Vector Unit and Matrix Unit, bits and clock.
inline constexpr std::array kArchs{Arch::Blackhole, Arch::Wormhole};

/// The NaN that the multiply-add datapath produces.
enum class NanForm : std::uint8_t {
  Canonical,      ///< 7FC00000, whatever went in (VU 3.1).
  LeakingMantissa ///< sign | 7F800001, OR-ed with the mantissa of the sum that was computed
                  ///< (VU 3.2).
};

/// What STALLWAIT waits for if a condition is named by the number that it has on the other chip
/// (VU C49, MU 8).
enum class MistakenCondition : std::uint8_t { None, SrcA, SrcB, Packer };

/// What a bit of STALLWAIT's condition mask keeps waiting for (core.md 6).
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

struct ArchParams {
  std::string_view name;          ///< as on the command line and in vector files
  std::string_view family;        ///< for people
  std::string_view long_name;     ///< with the stepping
  std::string_view kernel_define; ///< the macro by which kernels know the chip
  std::string_view llk_folder;    ///< of a checkout of tt-llk
  std::string_view metal_folder;  ///< of a checkout of tt-metal, below tt_metal/hw/ckernels
  double clock_ghz;               ///< VU 4, last rows; 0: unknown
  /// Latencies, stalls and hazards are known, so that programs can be timed and checked.
  bool has_clock;
  /// What results are made of where they are not those of silicon, for people; empty elsewhere.
  std::string_view arithmetic_source;
  int only_sfpi_release; ///< the one that is known for the chip (source/compiler/epoch.h); 0: all

  // --- The Vector Unit's size (VU 1, SFPI 4)
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

  // --- Matrix Unit
  bool has_implied_formats; ///< each bank of SrcA and SrcB carries a format code (MU 2.2)
  bool minus_one_erratum;   ///< a sum of -1 unit in 32-bit Dst gets a wrong exponent (MU 5.5)
  /// ZEROACC of 16 rows chooses the half of Dst by row plus block number, unless configured
  /// otherwise (MU 7).
  bool zeroacc_picks_half;

  // --- Unpackers and packers (core.md 12.5, 14)
  bool unpacks_fp8_to_all_ones;  ///< FP8's largest number gets ones behind it
  bool has_fp8_of_long_mantissa; ///< 4 bits of exponent, 3 of mantissa
  bool packs_bf16_as_fp16;       ///< Round_10b_mant takes what has 8 bits of exponent to FP16

  // --- The tile around the coprocessor (core.md 1 to 14)
  std::uint32_t l1_bytes;
  std::uint8_t packers;         ///< one with four ways to read Dst, or four
  std::uint8_t mutexes;         ///< bit i: there is mutex i
  std::uint8_t adc_zw_bits;     ///< of the counters Z and W; unpackers use the low 8 (core.md 10)
  bool unpack_rows_of_32;       ///< rows of data wider than 8 bits have 32, not 16 (12.2)
  bool unpacr_nop_has_fields;   ///< else its low 23 bits are a number (13.1)
  bool packs_to_byte_addresses; ///< strides of the output count bytes, not 16 of them (14.3)
  bool shared_pack_masks;       ///< PACR's mask names ways to read, not packers (14.1)
  bool reg2flop_writes_config;  ///< REG2FLOP is known to write THCON's words (8)
  /// A core that touches registers or configuration waits until what it has pushed is done (3).
  bool cores_sync_registers;
  /// By bit of STALLWAIT's condition mask.
  std::array<WaitFor, 15> wait_conditions;
  std::uint16_t wait_for_everything; ///< what a mask of 0 counts as

  // --- Clock
  bool has_result_interlock; ///< stalls what reads a two-cycle result too early, with holes
                             ///< (VU 5.2, 5.3); false: software keeps the distance (VU 5.4)
  /// A stalled instruction waits inside the Vector Unit, and others pass it (T4). Measured on
  /// Blackhole only. Wormhole's reduce kernels in tt-llk need it to hold the thread: SFPSWAP,
  /// SFPLOADMACRO, INCRWC, SFPLOADMACRO would otherwise let two scheduled SFPSWAPs overlap.
  bool stalls_inside_unit;
  std::uint8_t stallwait_vector_condition; ///< bit of STALLWAIT: the Vector Unit is busy (VU C49)
  std::uint8_t stallwait_matrix_condition; ///< bit of STALLWAIT: the Matrix Unit is busy (VU C49)
  MistakenCondition mistaken_vector_condition; ///< here, of the other chip's bit for the same
  MistakenCondition mistaken_matrix_condition;
  /// Cycles per word that the cores push where the code is a straight line (T5).
  double fastest_push, slowest_push;
  /// `.ttinsn`s side by side that the cores of the Tensix threads execute in one cycle (ISA
  /// BabyRISCV, PushTensixInstruction).
  std::uint8_t fused_pushes;
  std::uint8_t loop_return_cycles; ///< of a core that goes back to a loop's start (T5); 0: unknown

  // --- Front end
  std::uint8_t addr_mod_bits;     ///< width of the AddrMod field of SFPLOAD, SFPSTORE, SFPLOADMACRO
  std::uint8_t addr_mod_sections; ///< ADDR_MOD sections of a thread
  bool addr_mod_has_base;         ///< section + 4 if the bias bit or ADDR_MOD_SET_Base is set
  std::uint8_t replay_slots;      ///< of each thread's replay buffer

  // --- Configuration space (ISA BackendConfiguration)
  std::uint16_t shared_config_words; ///< 32-bit words of thread-agnostic configuration
  std::uint16_t global_config_base;  ///< from this word on there is one copy instead of two banks
  bool config_writes_both; ///< a third range of addresses writes both banks of Config (ISA
                           ///< BackendConfiguration)

  // --- The RISC-V cores (ISA BabyRISCV)
  std::string_view cores_wait;       ///< a sentence: what holds instructions back in program order
  bool cores_have_extensions;        ///< Zicsr, Zaamo, Zba, Zbb and machine mode beside RV32IM
  std::uint16_t thread_config_words; ///< 16-bit words of each thread
  std::uint16_t addr_mod_ab_word;    ///< thread word of ADDR_MOD_AB_SEC0 (MU 2.1)
  std::uint16_t addr_mod_ab_stride;  ///< words from one AB section to the next
  std::uint16_t addr_mod_dst_word;   ///< thread word of ADDR_MOD_DST_SEC0, stride 1
  std::uint16_t addr_mod_bias_word;  ///< thread word of ADDR_MOD_BIAS_SEC0, stride 1
};

inline constexpr ArchParams kBlackhole{
    .name = "bh",
    .family = "Blackhole",
    .long_name = "Blackhole A0",
    .kernel_define = "ARCH_BLACKHOLE",
    .llk_folder = "tt_llk_blackhole",
    .metal_folder = "blackhole",
    .clock_ghz = 1.35,
    .has_clock = true,
    .arithmetic_source = "",
    .only_sfpi_release = 0,
    .lanes = 32,
    .lane_bits = 32,
    .lregs = 8,
    .zero_lreg = 9,
    .reset_lregs = {0, 0, 0, 0, 0, 0, 0, 0, 0x3F56594B, 0, 0x3F800000, 0xBF800000, 0x3B000000,
                    0xBF2CC4C7, 0xBEB08FF9},
    .fixed_lregs = 1U << 8 | 1U << 9 | 1U << 10,
    .vd_selects_templates = true,
    .dst_rows_per_access = 2,
    .dst_holds_patterns = false,
    .usable_flag_stack = 8,
    .mad_has_denormals = false,
    .mad_adds_half = false,
    .settles_by_nops = false,
    .nan_form = NanForm::Canonical,
    .signed_zero_results = true,
    .mad_negate_bits = true,
    .overflow_loses_to_addend = true,
    .exact_rounding_sticky = true,
    .rounds_into_normals = true,
    .has_compare_arecip_mul24 = true,
    .logic_uses_vb = true,
    .shift_has_modes = true,
    .shuffle_edge_latch = false,
    .cast_mode_mask = 3,
    .round_toward_zero = true,
    .pushc_mutates = true,
    .popc_full_stack_bug = false,
    .int8_load_magnitude_bits = 8,
    .int_sm_converts = false,
    .fp32_store_flushes = true,
    .has_stack_pointer = true,
    .has_dst_format_override = true,
    .has_dst_row_remap = true,
    .has_implied_formats = true,
    .minus_one_erratum = false,
    .zeroacc_picks_half = true,
    .unpacks_fp8_to_all_ones = true,
    .has_fp8_of_long_mantissa = true,
    .packs_bf16_as_fp16 = true,
    .l1_bytes = 1536 * 1024,
    .packers = 1,
    .mutexes = 1U << 0 | 1U << 2 | 1U << 3 | 1U << 4,
    .adc_zw_bits = 13,
    .unpack_rows_of_32 = true,
    .unpacr_nop_has_fields = true,
    .packs_to_byte_addresses = true,
    .shared_pack_masks = true,
    .reg2flop_writes_config = false,
    .cores_sync_registers = true,
    .wait_conditions = {WaitFor::ScalarMemory, WaitFor::Unpacker0, WaitFor::Unpacker1,
                        WaitFor::Packer, WaitFor::MatrixUnit, WaitFor::SrcAToFill,
                        WaitFor::SrcBToFill, WaitFor::SrcAFilled, WaitFor::SrcBFilled,
                        WaitFor::Mover, WaitFor::CoreRequest, WaitFor::VectorUnit,
                        WaitFor::ConfigurationUnit, WaitFor::Nothing, WaitFor::Nothing},
    .wait_for_everything = 0x0F,
    .has_result_interlock = true,
    .stalls_inside_unit = true,
    .stallwait_vector_condition = 11,
    .stallwait_matrix_condition = 4,
    .mistaken_vector_condition = MistakenCondition::None,
    .mistaken_matrix_condition = MistakenCondition::SrcA,
    .fastest_push = 1,
    .slowest_push = 1,
    .fused_pushes = 4,
    .loop_return_cycles = 5,
    .addr_mod_bits = 3,
    .addr_mod_sections = 8,
    .addr_mod_has_base = false,
    .replay_slots = 32,
    .shared_config_words = 224,
    .global_config_base = 180,
    .config_writes_both = true,
    .cores_wait =
        "A core takes no further instruction before a loaded value has come that an "
        "instruction uses, be it a branch, a select or any other, nor before a fence is "
        "done; aq and rl of an AMO do nothing",
    .cores_have_extensions = true,
    .thread_config_words = 68,
    .addr_mod_ab_word = 12,
    .addr_mod_ab_stride = 1,
    .addr_mod_dst_word = 28,
    .addr_mod_bias_word = 47,
};

inline constexpr ArchParams kWormhole{
    .name = "wh",
    .family = "Wormhole",
    .long_name = "Wormhole B0",
    .kernel_define = "ARCH_WORMHOLE",
    .llk_folder = "tt_llk_wormhole_b0",
    .metal_folder = "wormhole_b0",
    .clock_ghz = 1.0,
    .has_clock = true,
    .arithmetic_source = "",
    .only_sfpi_release = 0,
    .lanes = 32,
    .lane_bits = 32,
    .lregs = 8,
    .zero_lreg = 9,
    .reset_lregs = {0, 0, 0, 0, 0, 0, 0, 0, 0x3F56594B, 0, 0x3F800000, 0xBF800000, 0x3B000000,
                    0xBF2CC4C7, 0xBEB08FF9},
    .fixed_lregs = 1U << 8 | 1U << 9 | 1U << 10,
    .vd_selects_templates = true,
    .dst_rows_per_access = 2,
    .dst_holds_patterns = false,
    .usable_flag_stack = 8,
    .mad_has_denormals = false,
    .mad_adds_half = false,
    .settles_by_nops = false,
    .nan_form = NanForm::LeakingMantissa,
    .signed_zero_results = false,
    .mad_negate_bits = false,
    .overflow_loses_to_addend = false,
    .exact_rounding_sticky = false,
    .rounds_into_normals = false,
    .has_compare_arecip_mul24 = false,
    .logic_uses_vb = false,
    .shift_has_modes = false,
    .shuffle_edge_latch = true,
    .cast_mode_mask = 1,
    .round_toward_zero = false,
    .pushc_mutates = false,
    .popc_full_stack_bug = true,
    .int8_load_magnitude_bits = 7,
    .int_sm_converts = true,
    .fp32_store_flushes = true,
    .has_stack_pointer = false,
    .has_dst_format_override = false,
    .has_dst_row_remap = false,
    .has_implied_formats = false,
    .minus_one_erratum = true,
    .zeroacc_picks_half = false,
    .unpacks_fp8_to_all_ones = false,
    .has_fp8_of_long_mantissa = false,
    .packs_bf16_as_fp16 = false,
    .l1_bytes = 1464 * 1024,
    .packers = 4,
    .mutexes = 1U << 0 | 0xFC,
    .adc_zw_bits = 8,
    .unpack_rows_of_32 = false,
    .unpacr_nop_has_fields = false,
    .packs_to_byte_addresses = false,
    .shared_pack_masks = false,
    .reg2flop_writes_config = true,
    .cores_sync_registers = false,
    .wait_conditions = {WaitFor::ScalarMemory, WaitFor::Unpacker0, WaitFor::Unpacker1,
                        WaitFor::Packer, WaitFor::Packer, WaitFor::Packer, WaitFor::Packer,
                        WaitFor::MatrixUnit, WaitFor::SrcAToFill, WaitFor::SrcBToFill,
                        WaitFor::SrcAFilled, WaitFor::SrcBFilled, WaitFor::Mover,
                        WaitFor::CoreRequest, WaitFor::VectorUnit},
    .wait_for_everything = 0x7F,
    .has_result_interlock = false,
    .stalls_inside_unit = false,
    .stallwait_vector_condition = 14,
    .stallwait_matrix_condition = 7,
    .mistaken_vector_condition = MistakenCondition::SrcB,
    .mistaken_matrix_condition = MistakenCondition::Packer,
    .fastest_push = 1.25,
    .slowest_push = 1.41,
    .fused_pushes = 1,
    .loop_return_cycles = 0,
    .addr_mod_bits = 2,
    .addr_mod_sections = 8,
    .addr_mod_has_base = true,
    .replay_slots = 32,
    .shared_config_words = 188,
    .global_config_base = 152,
    .config_writes_both = false,
    .cores_wait =
        "A core takes no further instruction before a loaded value has come that an "
        "instruction uses, be it a branch, a select or any other; a fence does nothing",
    .cores_have_extensions = false,
    .thread_config_words = 57,
    .addr_mod_ab_word = 7,
    .addr_mod_ab_stride = 2,
    .addr_mod_dst_word = 23,
    .addr_mod_bias_word = 48,
};

/// Grayskull's Vector Unit, as far as SFPI's own release 5.0 knows it (docs/grayskull.md). What
/// that does not say is 0 or false here, and nothing that needs it is done for the chip.
inline constexpr ArchParams kGrayskull{
    .name = "gs",
    .family = "Grayskull",
    .long_name = "Grayskull",
    .kernel_define = "ARCH_GRAYSKULL",
    .llk_folder = "",
    .metal_folder = "",
    .clock_ghz = 0,
    .has_clock = false,
    .arithmetic_source =
        "binary32 arithmetic cut to 19 bits, as SFPI 5.0's emulator computes; no source gives "
        "the bits of silicon",
    .only_sfpi_release = 500,
    .lanes = 64,
    .lane_bits = 19,
    .lregs = 4,
    .zero_lreg = 4,
    .reset_lregs = {0, 0, 0, 0, 0, 0x3F316000, 0xBF80E000, 0x3FB8A000, 0x3F564000, 0xBF000000,
                    0x3F800000, 0xBF800000, 0x3B000000, 0xBF2CC000, 0xBEB08000},
    .fixed_lregs = 0x7FF0,
    .vd_selects_templates = false,
    .dst_rows_per_access = 4,
    .dst_holds_patterns = true,
    .usable_flag_stack = 7,
    .mad_has_denormals = true,
    .mad_adds_half = true,
    .settles_by_nops = true,
    .nan_form = NanForm::Canonical,
    .signed_zero_results = true,
    .mad_negate_bits = false,
    .overflow_loses_to_addend = false,
    .exact_rounding_sticky = true,
    .rounds_into_normals = true,
    .has_compare_arecip_mul24 = false,
    .logic_uses_vb = false,
    .shift_has_modes = false,
    .shuffle_edge_latch = false,
    .cast_mode_mask = 0,
    .round_toward_zero = false,
    .pushc_mutates = false,
    .popc_full_stack_bug = false,
    .int8_load_magnitude_bits = 0,
    .int_sm_converts = false,
    .fp32_store_flushes = false,
    .has_stack_pointer = false,
    .has_dst_format_override = false,
    .has_dst_row_remap = false,
    .has_implied_formats = false,
    .minus_one_erratum = false,
    .zeroacc_picks_half = false,
    .unpacks_fp8_to_all_ones = false,
    .has_fp8_of_long_mantissa = false,
    .packs_bf16_as_fp16 = false,
    .l1_bytes = 0,
    .packers = 0,
    .mutexes = 0,
    .adc_zw_bits = 0,
    .unpack_rows_of_32 = false,
    .unpacr_nop_has_fields = false,
    .packs_to_byte_addresses = false,
    .shared_pack_masks = false,
    .reg2flop_writes_config = false,
    .cores_sync_registers = false,
    .wait_conditions = {},
    .wait_for_everything = 0,
    .has_result_interlock = false,
    .stalls_inside_unit = false,
    .stallwait_vector_condition = 0,
    .stallwait_matrix_condition = 0,
    .mistaken_vector_condition = MistakenCondition::None,
    .mistaken_matrix_condition = MistakenCondition::None,
    .fastest_push = 1,
    .slowest_push = 1,
    .fused_pushes = 1,
    .loop_return_cycles = 0,
    .addr_mod_bits = 0,
    .addr_mod_sections = 0,
    .addr_mod_has_base = false,
    .replay_slots = 0,
    .shared_config_words = 0,
    .global_config_base = 0,
    .config_writes_both = false,
    .cores_wait = "",
    .cores_have_extensions = false,
    .thread_config_words = 0,
    .addr_mod_ab_word = 0,
    .addr_mod_ab_stride = 0,
    .addr_mod_dst_word = 0,
    .addr_mod_bias_word = 0,
};

/// The record of a chip known only at run time.
constexpr const ArchParams& arch_params(Arch arch) {
  switch (arch) {
    case Arch::Blackhole: return kBlackhole;
    case Arch::Wormhole: return kWormhole;
    case Arch::Grayskull: break;
  }
  return kGrayskull;
}

/// The record of a chip, for templates: `if constexpr (kArch<A>.mad_negate_bits)`.
template <Arch A>
inline constexpr const ArchParams& kArch = arch_params(A);

/// The chip beside which a name may be meant for the other one: of the two that are sold.
constexpr Arch other_chip(Arch arch) {
  return arch == Arch::Blackhole ? Arch::Wormhole : Arch::Blackhole;
}

/// A chip as a type.
template <Arch A>
struct Chip {};

/// Leads from a chip known only at run time to templates over it: the result of `work` for
/// Chip<arch>.
template <class Work>
constexpr decltype(auto) with_chip(Arch arch, const Work& work) {
  switch (arch) {
    case Arch::Blackhole: return work(Chip<Arch::Blackhole>());
    case Arch::Wormhole: return work(Chip<Arch::Wormhole>());
    case Arch::Grayskull: break;
  }
  return work(Chip<Arch::Grayskull>());
}

/// "bh", "wh" or "gs" to a chip; nothing for any other name.
constexpr std::optional<Arch> parse_arch(std::string_view name) {
  for (Arch arch : kEveryArch) {
    if (arch_params(arch).name == name) return arch;
  }
  return std::nullopt;
}

/// The same of the chips of which all is here, kArchs.
constexpr std::optional<Arch> parse_whole_arch(std::string_view name) {
  const std::optional<Arch> arch = parse_arch(name);
  return arch && arch_params(*arch).has_clock ? arch : std::nullopt;
}

/// Groups of 32 lanes. On a chip with two, one has the even columns of Dst and one the odd ones,
/// and no instruction leads from one to the other.
constexpr unsigned lane_groups(Arch arch) {
  return arch_params(arch).lanes / 32U;
}

/// The number of a lane among all of a register: that of its column in the four rows that a load
/// reads. It is what LReg[15] holds (VU C2, SFPI 4).
constexpr unsigned lane_number(unsigned group, unsigned lane) {
  return 2 * lane + group;
}

/// Bits of a binary32 below those that a lane has room for.
constexpr unsigned dropped_float_bits(Arch arch) {
  return 32U - arch_params(arch).lane_bits;
}

constexpr bool has_narrow_lanes(Arch arch) {
  return dropped_float_bits(arch) != 0;
}

/// The low bits of an integer, as many as a lane has, sign-extended to 32.
constexpr std::uint32_t wrap_lane(Arch arch, std::uint32_t value) {
  const unsigned dropped = dropped_float_bits(arch);
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(value << dropped) >>
                                    static_cast<int>(dropped));
}

/// What a lane holds of a binary32, cut and not rounded, sign-extended to 32 bits.
constexpr std::uint32_t lane_of_float(Arch arch, std::uint32_t bits) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >>
                                    static_cast<int>(dropped_float_bits(arch)));
}

/// The binary32 that a lane holds.
constexpr std::uint32_t float_of_lane(Arch arch, std::uint32_t lane) {
  return lane << dropped_float_bits(arch);
}

} // namespace lanewise
