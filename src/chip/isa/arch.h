// One record per chip: what differs between Blackhole, Wormhole and Grayskull. What the parameters
// mean, and where they come from, stands in chip/isa/chip_record.h.
//
// Nothing outside this file asks "which chip is this?": code asks for the parameter it needs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "chip/isa/chip_record.h"

namespace lanewise {

enum class Arch : std::uint8_t { Blackhole, Wormhole, Grayskull };

/// Every chip.
inline constexpr std::array kEveryArch{Arch::Blackhole, Arch::Wormhole, Arch::Grayskull};
/// The same, in the order in which they came.
inline constexpr std::array kOldestFirst{Arch::Grayskull, Arch::Wormhole, Arch::Blackhole};
/// The chips of which all is here: Vector Unit and Matrix Unit, bits and clock.
inline constexpr std::array kArchs{Arch::Blackhole, Arch::Wormhole};
/// The chip that is meant where none is named.
inline constexpr Arch kDefaultArch = Arch::Blackhole;

inline constexpr ArchParams kBlackhole{
    .names =
        {
            .id = "bh",
            .family = "Blackhole",
            .full = "Blackhole A0",
            .kernel_define = "ARCH_BLACKHOLE",
            .llk_folder = "tt_llk_blackhole",
            .metal_folder = "blackhole",
        },
    .clock_ghz = 1.35,
    .has_clock = true,
    .arithmetic_source = "",
    .only_sfpi_release = 0,
    .vector =
        {
            .lanes = 32,
            .lane_bits = 32,
            .lregs = 8,
            .zero_lreg = 9,
            .reset_lregs = {0, 0, 0, 0, 0, 0, 0, 0, 0x3F56594B, 0, 0x3F800000, 0xBF800000,
                            0x3B000000, 0xBF2CC4C7, 0xBEB08FF9},
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
            .has_result_interlock = true,
            .stalls_inside_unit = true,
        },
    .matrix =
        {
            .has_implied_formats = true,
            .minus_one_erratum = false,
            .zeroacc_picks_half = true,
        },
    .tile =
        {
            .unpacks_fp8_to_all_ones = true,
            .has_fp8_of_long_mantissa = true,
            .packs_bf16_as_fp16 = true,
            .l1_bytes = 1536 * 1024,
            .packers = 1,
            .mutexes = 1U << 0 | 1U << 2 | 1U << 3 | 1U << 4,
            .adc_zw_bits = 13,
            .unpack_rows_of_32 = true,
            .srca_comes_around = true,
            .unpacr_nop_has_fields = true,
            .packs_to_byte_addresses = true,
            .shared_pack_masks = true,
            .reg2flop_writes_config = false,
            .wait_conditions = {WaitFor::ScalarMemory, WaitFor::Unpacker0, WaitFor::Unpacker1,
                                WaitFor::Packer, WaitFor::MatrixUnit, WaitFor::SrcAToFill,
                                WaitFor::SrcBToFill, WaitFor::SrcAFilled, WaitFor::SrcBFilled,
                                WaitFor::Mover, WaitFor::CoreRequest, WaitFor::VectorUnit,
                                WaitFor::ConfigurationUnit, WaitFor::Nothing, WaitFor::Nothing},
            .wait_for_everything = 0x0F,
        },
    .cores =
        {
            .sync_registers = true,
            .fastest_push = 1,
            .slowest_push = 1,
            .fused_pushes = 4,
            .loop_return_cycles = 5,
            .waiting =
                "A core takes no further instruction before a loaded value has come that an "
                "instruction uses, be it a branch, a select or any other, nor before a fence is "
                "done; aq and rl of an AMO do nothing",
            .have_extensions = true,
        },
    .core_costs =
        {
            .queue_entries = 8,
            .forwards_from_queue = true,
            .multiply_occupies = 1,
            .multiply_latency = 2,
            .divide_trivial = 2,
            .divide_base = 2,
            .divide_most = 33,
            .csr_latency = 4,
            .fence_drains = true,
            .mispredict_bubble = 4,
            .remembered_branches = 1024,
            .load_local = 2,
            .load_l1 = 8,
            .load_sync = 3,
            .load_backend = 4,
            .load_tdma = 4,
            .load_tile = 7,
            .load_atomic = 12,
            .loads_in_flight = 4,
            .data_cache_lines = 4,
            .store_entries = 4,
            .l1_store = 5.32,
            .merge_reach = 4,
            .code_cache_bytes = {4096, 4096, 4096},
            .code_cache_ways = 2,
            .line_interval = {5, 5, 5},
            .lines_ahead = 3,
        },
    .front_end =
        {
            .addr_mod_bits = 3,
            .addr_mod_sections = 8,
            .addr_mod_has_base = false,
            .replay_slots = 32,
        },
    .config =
        {
            .shared_words = 224,
            .global_base = 180,
            .writes_both = true,
            .thread_words = 68,
            .addr_mod_ab_word = 12,
            .addr_mod_ab_stride = 1,
            .addr_mod_dst_word = 28,
            .addr_mod_bias_word = 47,
        },
};

inline constexpr ArchParams kWormhole{
    .names =
        {
            .id = "wh",
            .family = "Wormhole",
            .full = "Wormhole B0",
            .kernel_define = "ARCH_WORMHOLE",
            .llk_folder = "tt_llk_wormhole_b0",
            .metal_folder = "wormhole_b0",
        },
    .clock_ghz = 1.0,
    .has_clock = true,
    .arithmetic_source = "",
    .only_sfpi_release = 0,
    .vector =
        {
            .lanes = 32,
            .lane_bits = 32,
            .lregs = 8,
            .zero_lreg = 9,
            .reset_lregs = {0, 0, 0, 0, 0, 0, 0, 0, 0x3F56594B, 0, 0x3F800000, 0xBF800000,
                            0x3B000000, 0xBF2CC4C7, 0xBEB08FF9},
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
            .has_result_interlock = false,
            .stalls_inside_unit = false,
        },
    .matrix =
        {
            .has_implied_formats = false,
            .minus_one_erratum = true,
            .zeroacc_picks_half = false,
        },
    .tile =
        {
            .unpacks_fp8_to_all_ones = false,
            .has_fp8_of_long_mantissa = false,
            .packs_bf16_as_fp16 = false,
            .l1_bytes = 1464 * 1024,
            .packers = 4,
            .mutexes = 1U << 0 | 0xFC,
            .adc_zw_bits = 8,
            .unpack_rows_of_32 = false,
            .srca_comes_around = false,
            .unpacr_nop_has_fields = false,
            .packs_to_byte_addresses = false,
            .shared_pack_masks = false,
            .reg2flop_writes_config = true,
            .wait_conditions = {WaitFor::ScalarMemory, WaitFor::Unpacker0, WaitFor::Unpacker1,
                                WaitFor::Packer, WaitFor::Packer, WaitFor::Packer, WaitFor::Packer,
                                WaitFor::MatrixUnit, WaitFor::SrcAToFill, WaitFor::SrcBToFill,
                                WaitFor::SrcAFilled, WaitFor::SrcBFilled, WaitFor::Mover,
                                WaitFor::CoreRequest, WaitFor::VectorUnit},
            .wait_for_everything = 0x7F,
        },
    .cores =
        {
            .sync_registers = false,
            .fastest_push = 1.25,
            .slowest_push = 1.41,
            .fused_pushes = 1,
            .loop_return_cycles = 0,
            .waiting =
                "A core takes no further instruction before a loaded value has come that an "
                "instruction uses, be it a branch, a select or any other; a fence does nothing",
            .have_extensions = false,
        },
    .core_costs =
        {
            .queue_entries = 8,
            .forwards_from_queue = false,
            .multiply_occupies = 2,
            .multiply_latency = 2,
            .divide_trivial = 2,
            .divide_base = 2,
            .divide_most = 33,
            .csr_latency = 0,
            .fence_drains = false,
            .mispredict_bubble = 2,
            .remembered_branches = 16,
            .load_local = 2,
            .load_l1 = 8,
            .load_sync = 3,
            .load_backend = 4,
            .load_tdma = 7,
            .load_tile = 7,
            .load_atomic = 0,
            .loads_in_flight = 4,
            .data_cache_lines = 0,
            .store_entries = 4,
            .l1_store = 5.2,
            .merge_reach = 0,
            .code_cache_bytes = {2048, 512, 2048},
            .code_cache_ways = 2,
            .line_interval = {4.6, 5.6, 4.6},
            .lines_ahead = 3,
        },
    .front_end =
        {
            .addr_mod_bits = 2,
            .addr_mod_sections = 8,
            .addr_mod_has_base = true,
            .replay_slots = 32,
        },
    .config =
        {
            .shared_words = 188,
            .global_base = 152,
            .writes_both = false,
            .thread_words = 57,
            .addr_mod_ab_word = 7,
            .addr_mod_ab_stride = 2,
            .addr_mod_dst_word = 23,
            .addr_mod_bias_word = 48,
        },
};

/// Grayskull's Vector Unit, as far as SFPI's own release 5.0 knows it (docs/grayskull.md). What
/// that does not say is 0 or false here, and nothing that needs it is done for the chip.
inline constexpr ArchParams kGrayskull{
    .names =
        {
            .id = "gs",
            .family = "Grayskull",
            .full = "Grayskull",
            .kernel_define = "ARCH_GRAYSKULL",
            .llk_folder = "",
            .metal_folder = "",
        },
    .clock_ghz = 0,
    .has_clock = false,
    .arithmetic_source =
        "binary32 arithmetic cut to 19 bits, as SFPI 5.0's emulator computes; no source gives "
        "the bits of silicon",
    .only_sfpi_release = 500,
    .vector =
        {
            .lanes = 64,
            .lane_bits = 19,
            .lregs = 4,
            .zero_lreg = 4,
            .reset_lregs = {0, 0, 0, 0, 0, 0x3F316000, 0xBF80E000, 0x3FB8A000, 0x3F564000,
                            0xBF000000, 0x3F800000, 0xBF800000, 0x3B000000, 0xBF2CC000, 0xBEB08000},
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
            .has_result_interlock = false,
            .stalls_inside_unit = false,
        },
    .matrix = {},
    .tile = {},
    .cores =
        {
            .sync_registers = false,
            .fastest_push = 1,
            .slowest_push = 1,
            .fused_pushes = 1,
            .loop_return_cycles = 0,
            .waiting = "",
            .have_extensions = false,
        },
    .core_costs = {},
    .front_end = {},
    .config = {},
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

/// The record of a chip, for templates: `if constexpr (kArch<A>.vector.mad_negate_bits)`.
template <Arch A>
inline constexpr const ArchParams& kArch = arch_params(A);

/// The chip beside which a name may be meant for the other one: of the two that are sold.
constexpr Arch other_chip(Arch arch) {
  return arch == Arch::Blackhole ? Arch::Wormhole : Arch::Blackhole;
}

/// The bit of STALLWAIT's condition mask that waits for something, the lowest one if several do;
/// one behind the mask where the chip has none (VU C49).
constexpr unsigned wait_condition(Arch arch, WaitFor what) {
  unsigned bit = 0;
  for (const WaitFor each : arch_params(arch).tile.wait_conditions) {
    if (each == what) break;
    ++bit;
  }
  return bit;
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

/// What `make` makes of each chip, in the order of kEveryArch: a table that is indexed by the chip.
template <class Make>
constexpr auto for_every_arch(const Make& make) {
  return std::array{make(kEveryArch[0]), make(kEveryArch[1]), make(kEveryArch[2])};
}
static_assert(kEveryArch.size() == 3);

/// The largest value of a parameter among the chips, for arrays that have room for each of them.
template <class Parameter>
constexpr auto largest_of_archs(const Parameter& parameter) {
  auto largest = parameter(arch_params(kEveryArch[0]));
  for (const Arch arch : kEveryArch) {
    if (const auto value = parameter(arch_params(arch)); value > largest) largest = value;
  }
  return largest;
}

/// "bh", "wh" or "gs" to a chip; nothing for any other name.
constexpr std::optional<Arch> parse_arch(std::string_view name) {
  for (Arch arch : kEveryArch) {
    if (arch_params(arch).names.id == name) return arch;
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
  return arch_params(arch).vector.lanes / 32U;
}

/// The number of a lane among all of a register: that of its column in the four rows that a load
/// reads. It is what LReg[15] holds (VU C2, SFPI 4).
constexpr unsigned lane_number(unsigned group, unsigned lane) {
  return 2 * lane + group;
}

/// Bits of a binary32 below those that a lane has room for.
constexpr unsigned dropped_float_bits(Arch arch) {
  return 32U - arch_params(arch).vector.lane_bits;
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
