#include "chip/tile/pack_plan.h"

#include <algorithm>

#include "chip/tile/formats.h"

namespace lanewise::tile {

namespace {

using isa::ConfigField;
using isa::DataFormat;
using F = isa::ConfigField;

constexpr Finding kMaskUndefined{FaultKind::UndefinedBehavior,
                                 "names a set of packers that hardware does not start together; "
                                 "the first of them was taken",
                                 "use one packer, 0 and 1, 2 and 3, or all", "core.md 14.1"};
constexpr Finding kCompresses{FaultKind::Unsupported,
                              "compresses its output, whose form is not specified; it was written "
                              "as it is",
                              "set Disable_zero_compress", "core.md 14.11"};

/// What a packer adds to its base address by the counters of channel 1.
std::uint32_t counted_offset(const TileState& tile, const PackerConfig& config,
                             const Channel& channel) {
  const std::uint32_t sum =
      config.get(F::PCK0_ADDR_BASE_REG_1_Base) +
      channel[Axis::Y].value * config.get(F::PCK0_ADDR_CTRL_XY_REG_1_Ystride) +
      channel[Axis::Z].value * config.get(F::PCK0_ADDR_CTRL_ZW_REG_1_Zstride) +
      channel[Axis::W].value * config.get(F::PCK0_ADDR_CTRL_ZW_REG_1_Wstride);
  return arch_params(tile.arch()).tile.packs_to_byte_addresses ? sum >> 4 : sum & ~15U;
}

/// L1_Dest_addr in units of 16 bytes, of which the header's is skipped.
std::uint32_t base_address(const PackerConfig& config) {
  const bool has_no_header = config.thcon(F::THCON_SEC0_REG1_Sub_l1_tile_header_size,
                                          F::THCON_SEC0_REG8_Sub_l1_tile_header_size) != 0;
  return config.thcon(F::THCON_SEC0_REG1_L1_Dest_addr, F::THCON_SEC0_REG8_L1_Dest_addr) +
         (has_no_header ? 0 : 1);
}

bool compresses(const TileState& tile, const PackerConfig& config, unsigned packer) {
  const bool for_all =
      config.get(F::THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd) != 0 &&
      isa::config_place(F::THCON_SEC0_REG1_All_pack_disable_zero_compress).exists(tile.arch());
  if (for_all)
    return (config.get(F::THCON_SEC0_REG1_All_pack_disable_zero_compress) >> packer & 1U) == 0;
  return config.thcon(F::THCON_SEC0_REG1_Disable_zero_compress,
                      F::THCON_SEC0_REG8_Disable_zero_compress) == 0;
}

void set_address(PackStream& stream, std::uint32_t address) {
  constexpr std::uint32_t kAddressMask = 0x1FFFF;
  if (!stream.needs_address) return;
  stream.address = (address & kAddressMask) << 4;
  stream.needs_address = false;
}

void advance(Channel& channel, Arch arch, Axis axis, bool clears, bool by_cr,
             std::uint32_t increment) {
  AddressCounter& counter = channel[axis];
  const std::uint32_t mask = counter_mask(arch, axis);
  if (clears) {
    counter = {};
  } else if (by_cr) {
    counter.cr = (counter.cr + increment) & mask;
    counter.value = counter.cr;
  } else {
    counter.value = (counter.value + increment) & mask;
  }
}

} // namespace

unsigned packers_of(TileState& tile, const Instruction& i) {
  if (arch_params(tile.arch()).tile.shared_pack_masks) return 1;
  const unsigned mask = pacr_field<"PackerMask">(tile, i);
  constexpr unsigned kDefined =
      1U << 1 | 1U << 2 | 1U << 4 | 1U << 8 | 1U << 3 | 1U << 12 | 1U << 15;
  if (mask == 0) return 1;
  if ((kDefined >> mask & 1U) != 0) return mask;
  note(tile, i, kMaskUndefined);
  return mask & ~(mask - 1);
}

unsigned counters_of(const PackerConfig& config, const Instruction& i) {
  if (isa::field<"OvrdThreadId", isa::Op::PACR>(i.word.word) == 0) return i.thread;
  const unsigned selected =
      config.thcon(F::THCON_SEC0_REG1_Addr_cnt_context, F::THCON_SEC0_REG8_Addr_cnt_context);
  return selected < kThreads ? selected : 0;
}

unsigned input_place(const TileState& tile, const PackerConfig& config, const Instruction& i) {
  const Channel& from = tile.counters.of(counters_of(config, i), kPackerCounters)[0];
  const std::uint32_t x = from[Axis::X].value;
  const std::uint32_t address =
      config.get(F::PCK0_ADDR_BASE_REG_0_Base) +
      x * (config.get(F::PCK0_ADDR_CTRL_XY_REG_0_Xstride) & 15) +
      from[Axis::Y].value * config.get(F::PCK0_ADDR_CTRL_XY_REG_0_Ystride) +
      from[Axis::Z].value * config.get(F::PCK0_ADDR_CTRL_ZW_REG_0_Zstride) +
      from[Axis::W].value * config.get(F::PCK0_ADDR_CTRL_ZW_REG_0_Wstride);
  const auto in = static_cast<DataFormat>(
      config.thcon(F::THCON_SEC0_REG1_In_data_format, F::THCON_SEC0_REG8_In_data_format));
  // By the two low bits of the code: 4, 2, 1 bytes, 1 of all others.
  const unsigned bytes = std::max(bits_in_l1(in) / 8, 1U);
  const std::uint32_t within = 16 / bytes - 1;
  constexpr unsigned kPlaceMask = kDstRows * kDstColumns - 1;
  return (((address / bytes) & ~within) + (x & within) +
          (config.of_section(F::DEST_TARGET_REG_CFG_PACK_SEC0_Offset) << 4)) &
         kPlaceMask;
}

std::uint32_t input_count(const TileState& tile, const PackerConfig& config, const Instruction& i) {
  if (pacr_field<"Flush">(tile, i) != 0) return 0;
  const UnitCounters& counters = tile.counters.of(counters_of(config, i), kPackerCounters);
  return (counters[1][Axis::X].value - counters[0][Axis::X].value + 1) &
         counter_mask(tile.arch(), Axis::X);
}

semantics::Packing packing_of(const TileState& tile, const PackerConfig& config) {
  const auto flag = [&](ConfigField field) { return config.get(field) != 0; };
  semantics::Packing how;
  how.arch = tile.arch();
  how.intermediate = static_cast<DataFormat>(config.get(flag(F::ALU_FORMAT_SPEC_REG_Dstacc_override)
                                                            ? F::ALU_FORMAT_SPEC_REG_Dstacc_val
                                                            : F::ALU_FORMAT_SPEC_REG2_Dstacc));
  how.out = static_cast<DataFormat>(
      config.thcon(F::THCON_SEC0_REG1_Out_data_format, F::THCON_SEC0_REG8_Out_data_format));
  how.reads_32_bits = flag(F::PCK_DEST_RD_CTRL_Read_32b_data);
  how.is_unsigned = flag(F::PCK_DEST_RD_CTRL_Read_unsigned);
  how.rounds_to_10_bits = flag(F::PCK_DEST_RD_CTRL_Round_10b_mant);
  how.fp8_has_long_mantissa = flag(F::THCON_SEC0_REG1_Pac_LF8_4b_exp);
  how.raw = flag(F::PCK_DEST_RD_CTRL_Read_int8);
  how.in = static_cast<DataFormat>(
      config.thcon(F::THCON_SEC0_REG1_In_data_format, F::THCON_SEC0_REG8_In_data_format));
  if (flag(F::INT_DESCALE_Enable))
    how.shift = static_cast<std::uint8_t>(config.get(F::INT_DESCALE_VALUES_SEC0_Value));
  if (config.thcon(F::THCON_SEC0_REG1_Exp_threshold_en, F::THCON_SEC0_REG8_Exp_threshold_en) != 0)
    how.exponent_threshold = static_cast<std::uint8_t>(
        config.thcon(F::THCON_SEC0_REG1_Exp_threshold, F::THCON_SEC0_REG8_Exp_threshold));
  // The field has four bits, of which two count.
  how.relu = static_cast<semantics::Relu>(config.get(F::STACC_RELU_ApplyRelu) & 3);
  how.threshold = static_cast<std::uint16_t>(config.get(F::STACC_RELU_ReluThreshold));
  return how;
}

void place_output(TileState& tile, unsigned packer, const Instruction& i) {
  constexpr std::uint32_t kRelative = 1U << 31;
  const PackerConfig config(tile, packer, i.thread);
  std::uint32_t address = base_address(config);
  const std::uint32_t of_first = base_address(PackerConfig(tile, 0, i.thread));
  if (packer != 0 && (of_first & kRelative) != 0) address += of_first;
  address +=
      counted_offset(tile, config, tile.counters.of(counters_of(config, i), kPackerCounters)[1]);
  Packer& state = tile.packer[packer];
  if (config.thcon(F::THCON_SEC0_REG1_Add_l1_dest_addr_offset,
                   F::THCON_SEC0_REG8_Add_l1_dest_addr_offset) != 0)
    address += state.address_offset;
  const std::uint32_t limit = config.thcon(F::THCON_SEC0_REG9_Pack_0_2_limit_address,
                                           F::THCON_SEC0_REG9_Pack_1_3_limit_address);
  if (address > limit * 2 + 1) {
    address -= 2 * config.thcon(F::THCON_SEC0_REG9_Pack_0_2_fifo_size,
                                F::THCON_SEC0_REG9_Pack_1_3_fifo_size);
  }
  if (compresses(tile, config, packer)) note(tile, i, kCompresses);
  const unsigned out =
      config.thcon(F::THCON_SEC0_REG1_Out_data_format, F::THCON_SEC0_REG8_Out_data_format);
  // FP8 and INT8 have room for exponents, too, though they write none (core.md 14.3).
  if ((out & 2) != 0) {
    set_address(state.exponents, address);
    address +=
        config.thcon(F::THCON_SEC0_REG1_Exp_section_size, F::THCON_SEC0_REG8_Exp_section_size);
  }
  if (!state.data.needs_address) return;
  set_address(state.data, address);
  state.first_data = state.data.address;
  state.tile_x = state.tile_y = state.tile_z = 0;
}

std::uint16_t edge_mask(const PackerConfig& config, unsigned packer, std::uint32_t tile_y,
                        std::uint32_t tile_z) {
  constexpr unsigned kEntries = 16; // of a mapping
  unsigned rows = config.get(F::PCK_EDGE_TILE_ROW_SET_SELECT_select) >> (2 * packer) & 3U;
  if (config.get(F::PCK_EDGE_TILE_FACE_SET_SELECT_enable) != 0) {
    const unsigned faces = config.get(F::PCK_EDGE_TILE_FACE_SET_SELECT_select) >> (2 * packer) & 3U;
    const std::uint32_t z = config.of_section(F::DEST_TARGET_REG_CFG_PACK_SEC0_ZOffset) + tile_z;
    rows = config.get(isa::of_section(F::TILE_FACE_SET_MAPPING_0_face_set_mapping_0,
                                      kEntries * faces + z % kEntries));
  }
  const unsigned mask = config.get(isa::of_section(F::TILE_ROW_SET_MAPPING_0_row_set_mapping_0,
                                                   kEntries * rows + tile_y % kEntries));
  return static_cast<std::uint16_t>(
      config.get(isa::of_section(F::PCK_EDGE_OFFSET_SEC0_mask, mask)));
}

void advance_pack_counters(TileState& tile, const Instruction& i, unsigned threads) {
  const unsigned section = pacr_field<"AddrMod">(tile, i);
  const auto get = [&](ConfigField first) {
    return tile.machine.config.get(isa::of_section(first, section), i.thread);
  };
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    if ((threads >> thread & 1U) == 0) continue;
    UnitCounters& counters = tile.counters.of(thread, kPackerCounters);
    const Arch arch = tile.arch();
    advance(counters[0], arch, Axis::Y, get(F::ADDR_MOD_PACK_SEC0_YsrcClear) != 0,
            get(F::ADDR_MOD_PACK_SEC0_YsrcCR) != 0, get(F::ADDR_MOD_PACK_SEC0_YsrcIncr));
    advance(counters[0], arch, Axis::Z, get(F::ADDR_MOD_PACK_SEC0_ZsrcClear) != 0, false,
            get(F::ADDR_MOD_PACK_SEC0_ZsrcIncr));
    advance(counters[1], arch, Axis::Y, get(F::ADDR_MOD_PACK_SEC0_YdstClear) != 0,
            get(F::ADDR_MOD_PACK_SEC0_YdstCR) != 0, get(F::ADDR_MOD_PACK_SEC0_YdstIncr));
    advance(counters[1], arch, Axis::Z, get(F::ADDR_MOD_PACK_SEC0_ZdstClear) != 0, false,
            get(F::ADDR_MOD_PACK_SEC0_ZdstIncr));
  }
}

} // namespace lanewise::tile
