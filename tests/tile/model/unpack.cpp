// UNPACR and UNPACR_NOP (core.md 12 and 13; ISA UNPACR_Regular, UNPACR_IncrementContextCounter,
// UNPACR_NOP_*).
#include "tile/model/model.h"
#include "tile/model/values.h"

namespace lanewise::test::model {

std::uint32_t Model::read_bits(std::uint64_t bit_address, unsigned count) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < count; ++i, ++bit_address) {
    const std::uint64_t byte = bit_address / 8;
    if (byte >= l1.size()) {
      undefined = true;
      return value;
    }
    if (traces) l1_read.insert(static_cast<std::uint32_t>(byte));
    value |= static_cast<std::uint32_t>(l1[byte] >> (bit_address % 8) & 1) << i;
  }
  return value;
}

/// Adj16 and Adj32 of Dst's page; on Wormhole there is nothing to remap.
unsigned Model::dst_row(unsigned row, bool wide) const {
  row &= 0x3FF;
  if (get(kRemapAddrs, 0) != 0) row = (row & 0x3C7) ^ ((row & 0x030) >> 1) ^ ((row & 0x008) << 2);
  if (!wide && !views_high_halves) return row;
  if (get(kSwizzle32b, 0) != 0) row = (row & 0x3F3) ^ ((row & 0x018) >> 1) ^ ((row & 0x004) << 1);
  return ((row & 0x1F8) << 1) | (row & 0x207);
}

void Model::hand_over(unsigned unpacker, unsigned thread, std::optional<unsigned> format) {
  SourceModel& to = source[unpacker];
  to.with_matrix_unit[to.unpack_bank] = true;
  if (is_blackhole && format) to.format[to.unpack_bank] = *format;
  to.unpack_bank ^= 1;
  to.row[thread] = get_thread(unpacker == 0 ? kSrcASetBase : kSrcBSetBase, thread) << 4 & 63;
}

void Model::advance_unpack_counters(unsigned u, unsigned thread, unsigned which,
                                    std::uint32_t word) {
  for (unsigned t = 0; t < kThreadCount; ++t) {
    if (t != thread && t != which) continue;
    auto& channel = adc[t][u];
    increment(channel[0], 2, word >> 15 & 3);
    increment(channel[0], 1, word >> 17 & 3);
    increment(channel[1], 2, word >> 19 & 3);
    increment(channel[1], 1, word >> 21 & 3);
  }
}

bool Model::unpack(unsigned thread, std::uint32_t word) {
  const unsigned u = word >> 23 & 1;
  SourceModel& target = source[u];
  const unsigned contexts = is_blackhole && get(context_count_non_log2_enable(u), thread) != 0
                                ? get(context_count_non_log2(u), thread)
                                : 1U << get(context_count(u), thread);
  const auto next_context = [&](unsigned context) {
    const unsigned next = (context + 1) & 7;
    target.context[thread] = next >= contexts ? 0 : next;
  };
  if ((word >> 13 & 1) != 0) { // no data, only the counter
    next_context(target.context[thread]);
    return true;
  }
  const bool multi = (word >> 7 & 1) != 0, counted = (word >> 3 & 1) != 0;
  if ((word >> 1 & 3) != 0 || (word >> 5 & 1) != 0) undefined = true; // cache, row search, bit 5
  unsigned context = 0, which = thread;
  if (multi) {
    context = counted ? target.context[thread] : word >> 10 & 7;
    context = (context + get_thread(context_offset(u), thread)) & 7;
    which = word >> 8 & 3;
    if ((u == 1 && context >= 2) || which == 3) {
      undefined = true;
      return true;
    }
  }
  if ((multi ? get(disable_zero_compress(u, context), thread) : get(descriptor(u, 4, 1), thread)) ==
      0)
    undefined = true; // compressed: not modelled

  const std::uint64_t x_dim = multi && u == 0 ? get(tile_x_dim(u, context & 3), thread)
                                              : get(descriptor(u, 16, 16), thread);
  const std::uint64_t y_dim = get(descriptor(u, 32, 8), thread);
  const std::uint64_t z_field = get(descriptor(u, 48, 8), thread), z_dim = z_field ? z_field : 1;
  const std::uint64_t w_field = get(descriptor(u, 64, 8), thread), w_dim = w_field ? w_field : 1;

  UnpackMode mode{.is_blackhole = is_blackhole,
                  .in = get(descriptor(u, 0, 4), thread),
                  .out = get(unpack_out_format(u), thread)};
  if (multi && get(ovrd_data_format(u), thread) != 0) {
    mode.in = get(format_of_context(u, context), thread);
    mode.out = get(out_format_of_context(u, context), thread);
  }
  mode.is_unsigned = get(source_unsigned(u), thread) != 0;
  mode.e4m3 = get(unpack_fp8_e4m3(u), thread) != 0;
  const unsigned bits = bits_of(mode.in);

  const unsigned base_context = multi ? context : 0;
  std::uint64_t address = std::uint64_t{get(base_address(u, base_context), thread)} +
                          get(offset_address(u, base_context == 0 ? 0 : base_context & 3), thread) +
                          1 + get(descriptor(u, 120, 8), thread);
  address = (address & 0xFFFFFFF) * 16;

  const bool reads_exponents = shares_exponents(mode.in) && get(force_shared_exp(u), thread) == 0;
  std::uint64_t exponent16 = address * 16; // in sixteenths of a byte
  const bool has_section =
      mode.in == kBfp8 || mode.in == kBfp8a || get(descriptor(u, 5, 1), thread) == 0;
  if (reads_exponents && has_section) {
    const std::uint64_t exponents = (x_dim * y_dim * z_dim * w_dim + 15) / 16;
    address += (exponents + 15) / 16 * 16;
  }

  const auto& xy = adc[which][u];
  const auto& own = adc[thread][u];
  const std::uint64_t z = own[0].value[2] & 0xFF, w = own[0].value[3] & 0xFF;
  const std::uint64_t first = ((w * z_dim + z) * y_dim + xy[0].value[1]) * x_dim + xy[0].value[0];
  const std::uint32_t count = xy[1].value[0] + 1 - xy[0].value[0];
  exponent16 += first;
  std::uint64_t at = address * 8 + first * bits; // in bits
  const std::uint64_t limit = std::uint64_t{get(unpack_limit(u), thread)} * 16,
                      fifo = std::uint64_t{get(unpack_fifo(u), thread)} * 16;
  const auto wrap = [&](std::uint64_t& place, unsigned units_of_byte) {
    if (place > limit * units_of_byte) place -= fifo * units_of_byte;
  };
  wrap(exponent16, 16);
  wrap(at, 8);

  const unsigned row_width = is_blackhole && bits > 8 ? 32 : 16;
  const bool tileize = get(tileize_mode(u), thread) != 0;
  const std::uint64_t row_stride = // in bits
      tileize ? std::uint64_t{get(shift_amount(u, 0), thread) << 4 |
                              get(shift_amount(u, 1), thread) << 8 |
                              get(shift_amount(u, 2), thread) << 12} *
                    8
              : std::uint64_t{bits} * row_width;

  mode.to_dst =
      u == 0 && get(multi ? if_sel_of_context(u, context) : unpack_if_sel(u), thread) != 0;
  const bool transpose = u == 0 && get(haloize_mode(u), thread) != 0;

  std::uint64_t out = get(unpack_base(u), thread);
  for (unsigned axis = 1; axis < 4; ++axis)
    out += std::uint64_t{own[1].value[axis]} * get(unpack_stride(u, axis), thread);
  const unsigned out_bytes = bits_of(mode.out) >= 16 ? bits_of(mode.out) / 8 : 1;
  if (out % out_bytes != 0) undefined = true;
  out = (out & 0xFFFFFFFF) / out_bytes;
  if (multi && u == 0) {
    const std::uint64_t destination = get(dest_address(u, context & 3), thread);
    const bool adds = mode.to_dst || get(add_dest_addr_cntr(u), thread) != 0;
    out = adds ? out + destination : destination;
  }
  const unsigned column_shift =
      tileize || u == 1 ? 0 : get(shift_amount(u, multi ? context & 3 : 0), thread);

  if ((transpose || tileize) && at % 128 != 0) undefined = true;
  if (mode.to_dst && (column_shift != 0 || transpose)) undefined = true;
  if (target.with_matrix_unit[target.unpack_bank]) return false; // waits
  const bool with_address = get_thread(kSrcASetOvrdWithAddr, thread) != 0;
  if (mode.to_dst && with_address) undefined = true;
  const bool wide = mode.out == kFp32 || mode.out == kTf32 || mode.out == kInt32;

  for (std::uint32_t i = 0; i < count && !undefined; ++out) {
    const std::uint32_t datum = read_bits(at, bits);
    at += bits;
    if (++i % row_width == 0) {
      at += row_stride - std::uint64_t{bits} * row_width;
      wrap(at, 8);
    }
    std::uint32_t exponent = get(forced_exponent(u), thread);
    if (reads_exponents) {
      exponent = read_bits(exponent16 / 16 * 8, 8);
      if (++exponent16 % 256 == 0) wrap(exponent16, 16);
    }
    auto value = unpacked(mode, datum, exponent);
    if (!value) {
      undefined = true;
      break;
    }
    if ((word >> 4 & 1) != 0) value = 0;
    auto row = static_cast<unsigned>(out / 16);
    unsigned column = out % 16;
    if (u == 1) {
      row += target.row[thread];
      if (row >= 64) {
        undefined = true;
        break;
      }
      target.cell[target.unpack_bank][row][column] = *value;
      continue;
    }
    if (mode.to_dst) {
      if (row < 4) { // "Row -= 4" of a row below 4: nobody knows
        undefined = true;
        break;
      }
      const unsigned physical = dst_row(row - 4, wide);
      dst_valid[physical] = true;
      dst[physical][column] = static_cast<std::uint16_t>(wide ? *value >> 16 : *value);
      if (wide) dst[physical + 8][column] = static_cast<std::uint16_t>(*value);
      continue;
    }
    if (row < 4 || column < column_shift) continue;
    row -= 4;
    column -= column_shift;
    if (row >= (with_address ? 64U : 16U)) {
      undefined = true;
      break;
    }
    if (!with_address) row += target.row[thread];
    if (row >= 64) {
      undefined = true;
      break;
    }
    if (transpose) {
      const unsigned low = row & 15;
      row = (row & ~15U) | column;
      column = low;
    }
    target.cell[target.unpack_bank][row][column] = *value;
  }

  if (multi && counted) next_context(context);
  advance_unpack_counters(u, thread, which, word);
  if ((word >> 6 & 1) != 0) {
    hand_over(u, thread, mode.out);
  } else if (get(src_reg_set_upd(u), thread) != 0) {
    const Field& base = u == 0 ? kSrcASetBase : kSrcBSetBase;
    target.row[thread] = (target.row[thread] + 16 + (get_thread(base, thread) << 4)) & 63;
  }
  return true;
}

bool Model::unpack_nop(unsigned thread, std::uint32_t word) {
  const unsigned u = word >> 23 & 1;
  SourceModel& target = source[u];
  bool clears = false, waits_like_unpacr = false, ones = false, hands_over = false;
  if (is_blackhole) {
    clears = (word & 3) == 1;
    if ((word & 3) != 1 || (word >> 3 & 1) != 0 || (word >> 4 & 1) != 0) undefined = true;
    ones = (word >> 2 & 3) == 1;
    waits_like_unpacr = (word >> 5 & 1) != 0;
    hands_over = (word >> 8 & 1) != 0;
  } else if ((word & 7) == 2) {
    return true;
  } else {
    clears = (word & 3) == 1;
    hands_over = (word & 7) == 7;
    if (!clears && !hands_over) undefined = true;
    if (clears && (word >> 3 & 1) != 0) undefined = true; // both banks
    ones = (word >> 2 & 1) != 0 && u == 0;
    waits_like_unpacr = (word >> 4 & 1) != 0;
  }
  if (clears) {
    if (target.with_matrix_unit[waits_like_unpacr ? target.unpack_bank : target.matrix_bank])
      return false;
    for (auto& row : target.cell[target.unpack_bank]) row.fill(ones ? 0x7FFFF : 0);
  }
  if (hands_over) hand_over(u, thread, get(unpack_out_format(u), thread));
  return true;
}

} // namespace lanewise::test::model
