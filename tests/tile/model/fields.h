// Where the configuration that the model reads stands: words and bits as the vendor's table of
// registers has them, on purpose not by our table of fields.
#pragma once

#include <cstdint>

namespace lanewise::test::model {

/// Bits of a word.
struct Place {
  unsigned word = 0, low = 0, bits = 0; ///< no bits: the chip has no such field
};

/// A field of both chips.
struct Field {
  Place wh, bh;
};

/// A field at the same bits of the word on both chips.
constexpr Field same_bits(unsigned wh_word, unsigned bh_word, unsigned low, unsigned bits) {
  return {{wh_word, low, bits}, {bh_word, low, bits}};
}

// ------------------------------------------------------------ ThreadConfig
inline constexpr Field kStateId = same_bits(0, 0, 0, 1);
inline constexpr Field kSrcASetBase = same_bits(3, 5, 0, 2);
inline constexpr Field kSrcASetOvrdWithAddr = same_bits(3, 5, 2, 1);
inline constexpr Field kSrcBSetBase = same_bits(4, 6, 0, 2);
inline constexpr Field kClrDvalidSrcADisable = same_bits(5, 7, 0, 1);
inline constexpr Field kClrDvalidSrcBDisable = same_bits(5, 7, 1, 1);
constexpr Field addr_mod_pack(unsigned section, unsigned low, unsigned bits) {
  return same_bits(31 + section, 37 + section, low, bits);
}
constexpr Field context_offset(unsigned unpacker) {
  return same_bits(39, 41, 8 * unpacker, 4);
}
constexpr Field context_counter_reset(unsigned unpacker) {
  return same_bits(39, 41, 4 + 8 * unpacker, 1);
}

// ------------------------------------------------------------ Below THCON
inline constexpr Field kDstaccVal = same_bits(0, 0, 10, 4);
inline constexpr Field kDstaccOverride = same_bits(0, 0, 14, 1);
inline constexpr Field kDstacc = same_bits(1, 1, 25, 4);
constexpr Field source_unsigned(unsigned unpacker) {
  return same_bits(1, 1, 15 + unpacker, 1);
}
inline constexpr Field kApplyRelu = same_bits(2, 2, 2, 2);
inline constexpr Field kReluThreshold = same_bits(2, 2, 6, 16);
inline constexpr unsigned kStateResetWord = 4;
inline constexpr Field kDescaleEnable = same_bits(7, 8, 0, 1);
inline constexpr Field kDescaleMode = same_bits(7, 8, 1, 1);

/// PCK0_ADDR_CTRL_*: strides of X, Y, Z and W of a channel.
constexpr Field pack_stride(unsigned channel, unsigned axis) {
  const unsigned wh = 8 + 2 * channel + axis / 2, bh = 12 + 2 * channel + axis / 2;
  constexpr unsigned kLow[] = {0, 12, 0, 12}, kBits[] = {12, 12, 12, 16};
  return {{wh, kLow[axis], kBits[axis]}, {bh, 16 * (axis % 2), 16}};
}
constexpr Field pack_base(unsigned channel) {
  return {{12 + channel, 0, 16}, {16 + channel, 0, 18}};
}
inline constexpr Field kRead32bData = same_bits(14, 18, 0, 1);
inline constexpr Field kReadUnsigned = same_bits(14, 18, 1, 1);
inline constexpr Field kReadRaw = same_bits(14, 18, 2, 1); ///< Read_int8
inline constexpr Field kRound10bMant = same_bits(14, 18, 3, 1);
inline constexpr Field kFaceSetSelect = same_bits(15, 19, 0, 8);
inline constexpr Field kFaceSetEnable = same_bits(15, 19, 8, 1);
constexpr Field row_set_mapping(unsigned set, unsigned k) {
  return same_bits(16 + set, 20 + set, 2 * k, 2);
}
constexpr Field edge_mask(unsigned which) {
  return same_bits(20 + which, 24 + which, 0, 16);
}
inline constexpr Field kEdgeMode = same_bits(20, 24, 16, 1);
inline constexpr Field kRowSetSelect = same_bits(20, 24, 17, 8);
constexpr Field reads_per_xy_plane(unsigned packer) {
  return same_bits(24 + packer, 28 + packer, 8, 8);
}
constexpr Field yz_transposed(unsigned packer) {
  return same_bits(24 + packer, 28 + packer, 23, 1);
}
constexpr Field face_set_mapping(unsigned set, unsigned k) {
  return same_bits(32 + set, 36 + set, 2 * k, 2);
}

/// UNPu_ADDR_CTRL_*_REG_1: strides of Y, Z and W of the output.
constexpr Field unpack_stride(unsigned unpacker, unsigned axis) {
  const unsigned wh = 44 + 2 * unpacker + axis / 2, bh = 56 + 2 * unpacker + axis / 2;
  constexpr unsigned kLow[] = {0, 12, 0, 12}, kBits[] = {12, 12, 12, 16};
  return {{wh, kLow[axis], kBits[axis]}, {bh, 16 * (axis % 2), 16}};
}
/// UNPu_ADDR_BASE_REG_1_Base.
constexpr Field unpack_base(unsigned unpacker) {
  return unpacker == 0 ? Field{{40, 16, 16}, {49, 0, 18}} : Field{{48, 16, 16}, {61, 0, 18}};
}
constexpr Field forced_exponent(unsigned unpacker) {
  return unpacker == 0 ? same_bits(41, 50, 0, 8) : same_bits(49, 62, 0, 8);
}
constexpr Field add_dest_addr_cntr(unsigned unpacker) {
  return unpacker == 0 ? same_bits(41, 50, 8, 1) : same_bits(49, 62, 8, 1);
}

// ------------------------------------------------------------ THCON
/// A field of section 0, in section `section`.
constexpr Field in_section(Field field, unsigned section) {
  field.wh.word += 40 * section;
  field.bh.word += 48 * section;
  return field;
}
constexpr Field thcon(unsigned section, unsigned wh, unsigned bh, unsigned low, unsigned bits) {
  return in_section(same_bits(wh, bh, low, bits), section);
}
/// Bits of the TileDescriptor, four words.
constexpr Field descriptor(unsigned section, unsigned low, unsigned bits) {
  return thcon(section, 52 + low / 32, 64 + low / 32, low % 32, bits);
}
constexpr Field unpack_out_format(unsigned u) {
  return thcon(u, 60, 72, 0, 4);
}
constexpr Field context_count(unsigned u) {
  return thcon(u, 60, 72, 6, 2);
}
constexpr Field haloize_mode(unsigned u) {
  return thcon(u, 60, 72, 8, 1);
}
constexpr Field tileize_mode(unsigned u) {
  return thcon(u, 60, 72, 9, 1);
}
constexpr Field src_reg_set_upd(unsigned u) {
  return thcon(u, 60, 72, 10, 1);
}
constexpr Field unpack_if_sel(unsigned u) {
  return thcon(u, 60, 72, 11, 1);
}
constexpr Field ovrd_data_format(unsigned u) {
  return thcon(u, 60, 72, 14, 1);
}
constexpr Field shift_amount(unsigned u, unsigned context) {
  return thcon(u, 60, 72, 16 + 4 * context, 4);
}
constexpr Field disable_zero_compress(unsigned u, unsigned context) {
  return thcon(u, 61, 73, context < 4 ? context : 12 + context, 1);
}
constexpr Field if_sel_of_context(unsigned u, unsigned context) {
  return thcon(u, 61, 73, context < 4 ? 4 + context : 16 + context, 1);
}
constexpr Field force_shared_exp(unsigned u) {
  return thcon(u, 61, 73, 8, 1);
}
constexpr Field unpack_limit(unsigned u) {
  return thcon(u, 62, 74, 0, 17);
}
constexpr Field unpack_fifo(unsigned u) {
  return thcon(u, 63, 75, 0, 17);
}
constexpr Field base_address(unsigned u, unsigned context) {
  return thcon(u, 64 + context, 76 + context, 0, 32);
}
constexpr Field dest_address(unsigned u, unsigned context) {
  return thcon(u, 72 + context / 2, 84 + context / 2, 16 * (context % 2), 16);
}
constexpr Field tile_x_dim(unsigned u, unsigned context) {
  return thcon(u, 74 + context / 2, 86 + context / 2, 16 * (context % 2), 16);
}
constexpr Field offset_address(unsigned u, unsigned context) {
  return thcon(u, 80 + context, 92 + context, 0, 16);
}
constexpr Field format_of_context(unsigned u, unsigned context) {
  return thcon(u, 80 + context % 4, 92 + context % 4, context < 4 ? 16 : 24, 4);
}
constexpr Field out_format_of_context(unsigned u, unsigned context) {
  return thcon(u, 80 + context % 4, 92 + context % 4, context < 4 ? 20 : 28, 4);
}
constexpr Field unpack_fp8_e4m3(unsigned u) {
  return in_section({{}, {71, 22, 1}}, u);
}
constexpr Field context_count_non_log2(unsigned u) {
  return in_section({{}, {73, 9, 3}}, u);
}
constexpr Field context_count_non_log2_enable(unsigned u) {
  return in_section({{}, {73, 12, 1}}, u);
}

/// A field of a packer: REG1 of section 0, REG8 of section 0, and the same of section 1.
constexpr Field packer_field(unsigned packer, unsigned word, unsigned low, unsigned bits) {
  const unsigned reg8 = packer % 2 * 28;
  return thcon(packer / 2, 56 + reg8 + word, 68 + reg8 + word, low, bits);
}
constexpr Field exp_section_size(unsigned packer) {
  return packer_field(packer, 0, 16, 16);
}
constexpr Field l1_dest_addr(unsigned packer) {
  return packer_field(packer, 1, 0, 32);
}
constexpr Field disable_zero_compress_of_packer(unsigned packer) {
  return packer_field(packer, 2, 0, 1);
}
constexpr Field addr_cnt_context(unsigned packer) {
  return {packer_field(packer, 2, 2, 2).wh, {}};
}
constexpr Field pack_out_format(unsigned packer) {
  return packer_field(packer, 2, 4, 4);
}
constexpr Field pack_in_format(unsigned packer) {
  return packer_field(packer, 2, 8, 4);
}
constexpr Field sub_tile_header(unsigned packer) {
  return packer_field(packer, 2, 15, 1);
}
constexpr Field pack_l1_acc(unsigned packer) {
  return {packer_field(packer, 3, 21, 1).wh, packer_field(packer, 3, 19, 1).bh};
}
constexpr Field pack_fp8_e4m3(unsigned packer) {
  return {{}, packer_field(packer, 3, 23, 1).bh};
}
constexpr Field exponent_threshold_enable(unsigned packer) {
  return packer_field(packer, 3, 20, 1);
}
constexpr Field exponent_threshold(unsigned packer) {
  return packer_field(packer, 3, 24, 8);
}
constexpr Field pack_limit(unsigned packer) {
  return thcon(packer / 2, 88 + 2 * (packer % 2), 100 + 2 * (packer % 2), 0, 17);
}
constexpr Field pack_fifo(unsigned packer) {
  return thcon(packer / 2, 89 + 2 * (packer % 2), 101 + 2 * (packer % 2), 0, 17);
}

// ------------------------------------------------------------ Words with one copy
constexpr Field pack_dst_offset(unsigned packer) {
  return same_bits(152 + packer, 180 + packer, 0, 12);
}
constexpr Field pack_z_offset(unsigned packer) {
  return same_bits(152 + packer, 180 + packer, 12, 6);
}
inline constexpr Field kDescaleValue = same_bits(165, 187, 0, 32); ///< of section 0
inline constexpr Field kSwizzle32b{{}, {220, 0, 1}};
inline constexpr Field kRemapAddrs{{}, {220, 1, 1}};
inline constexpr unsigned kScratchWord = 209; ///< SCRATCH_SEC0_val of Blackhole

} // namespace lanewise::test::model
