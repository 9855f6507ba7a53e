// A random UNPACR of every mode that a document defines, with everything that it looks at.
#pragma once

#include <algorithm>
#include <string>

#include "tile/model/tile_pair.h"

namespace lanewise::test::model {

/// What unpackers convert, as formats' codes.
struct UnpackPairOfFormats {
  unsigned in, out;
  bool to_dst;
};
inline constexpr UnpackPairOfFormats kUnpackPairs[] = {
    {0, 1, false},   {0, 4, false},   {0, 5, false},   {1, 1, false},   {5, 5, false},
    {6, 6, false},   {7, 7, false},   {9, 9, false},   {2, 2, false},   {3, 3, false},
    {10, 10, false}, {14, 14, false}, {15, 15, false}, {11, 11, false}, {0, 0, true},
    {0, 4, true},    {8, 8, true},    {4, 4, true},    {1, 1, true},    {5, 5, true},
    {9, 9, true},    {14, 14, true},  {0, 1, true},    {0, 5, true},    {6, 6, true},
    {2, 2, true}};

inline bool has_five_exponent_bits(unsigned format) {
  return format == 2 || format == 3 || format == 11;
}

/// One UNPACR with everything that it looks at.
class UnpackCase {
 public:
  explicit UnpackCase(TilePair& pair)
      : p(pair), m(pair.model), formats_(pair.any_of(kUnpackPairs)) {}

  unsigned thread() const { return thread_; }
  unsigned data() const { return count_; }
  /// "unpack/5-5", and where it goes.
  std::string family() const {
    return fmt::format("unpack/{}-{}{}", formats_.in, formats_.out, formats_.to_dst ? "-dst" : "");
  }
  /// What matters, for a message.
  std::string text() const {
    return fmt::format("unpacker {}, format {} to {}{}, {} data{}{}{}", unpacker_, formats_.in,
                       formats_.out, formats_.to_dst ? " in Dst" : "", count_,
                       multi_ ? fmt::format(", context {}", context_) : "",
                       tileize_ ? ", tileize" : "", transposes_ ? ", transpose" : "");
  }

  /// Chooses a state, and returns the word.
  std::uint32_t make() {
    p.reset();
    p.randomise_counters();
    thread_ = p.below(3);
    m.thread_config[thread_][0] = static_cast<std::uint16_t>(p.below(2));
    unpacker_ = formats_.to_dst ? 0 : p.below(2);
    multi_ = p.one_in(2);
    choose_context();
    choose_shape();
    choose_input();
    choose_output();
    choose_banks();
    p.disturb_other_bank(thread_);
    return word();
  }

 private:
  void choose_context() {
    context_ = !multi_ ? 0 : p.below(unpacker_ == 0 ? 8 : 2);
    const unsigned offset = p.below(std::min(4U, context_ + 1)); // no sum above 7
    m.set_thread(model::context_offset(unpacker_), offset, thread_);
    counted_ = multi_ && p.one_in(2);
    number_ = context_ - offset;
    for (unsigned& each : m.source[unpacker_].context) each = p.below(8);
    if (counted_) m.source[unpacker_].context[thread_] = number_;
    m.set(model::context_count(unpacker_), p.below(4));
    if (m.is_blackhole && p.one_in(4)) {
      m.set(model::context_count_non_log2_enable(unpacker_), 1);
      m.set(model::context_count_non_log2(unpacker_), 1 + p.below(7));
    }
    which_ = multi_ ? p.below(3) : thread_;
  }

  void choose_shape() {
    const unsigned u = unpacker_;
    m.set(model::descriptor(u, 4, 1), 1);
    for (unsigned c = 0; c < 8; ++c) m.set(model::disable_zero_compress(u, c), 1);
    x_dim_ = 1 + p.below(64);
    m.set(model::descriptor(u, 16, 16), multi_ && u == 0 ? p.bits() : x_dim_);
    m.set(model::tile_x_dim(u, context_ & 3), x_dim_);
    m.set(model::descriptor(u, 32, 8), p.below(9));
    m.set(model::descriptor(u, 48, 8), p.below(5));
    m.set(model::descriptor(u, 64, 8), p.below(4));
    m.set(model::descriptor(u, 5, 1), p.one_in(4));
    m.set(model::descriptor(u, 120, 8), p.below(3));
    const bool overrides = multi_ && p.one_in(2);
    m.set(model::ovrd_data_format(u), overrides || (!multi_ && p.one_in(2)));
    for (unsigned c = 0; c < 8; ++c) {
      m.set(model::format_of_context(u, c), p.bits());
      m.set(model::out_format_of_context(u, c), p.bits());
    }
    m.set(model::descriptor(u, 0, 4), overrides ? p.bits() : formats_.in);
    m.set(model::unpack_out_format(u), overrides ? p.bits() : formats_.out);
    if (overrides) {
      m.set(model::format_of_context(u, context_), formats_.in);
      m.set(model::out_format_of_context(u, context_), formats_.out);
    }
    m.set(model::source_unsigned(u), p.below(2));
    m.set(model::unpack_fp8_e4m3(u), p.below(2));
    tileize_ = p.one_in(4);
    transposes_ = !formats_.to_dst && p.one_in(4);
    m.set(model::tileize_mode(u), tileize_);
    m.set(model::haloize_mode(u), u == 0 && transposes_);
  }

  void choose_input() {
    const unsigned u = unpacker_;
    const unsigned base_context = multi_ ? context_ : 0;
    for (unsigned c = 0; c < 8; ++c) m.set(model::base_address(u, c), p.bits());
    for (unsigned c = 0; c < 4; ++c) m.set(model::offset_address(u, c), p.bits());
    m.set(model::base_address(u, base_context), 0x1000 + p.below(0x4000));
    m.set(model::offset_address(u, base_context & 3), p.below(0x800));
    for (unsigned c = 0; c < 4; ++c)
      m.set(model::shift_amount(u, c), tileize_ ? (c == 2 ? p.below(2) : p.below(16)) : 0);
    if (!tileize_ && !formats_.to_dst && p.one_in(3))
      m.set(model::shift_amount(u, context_ & 3), p.below(16));
    const bool aligned = tileize_ || transposes_;
    auto& xy = m.adc[which_][u];
    auto& own = m.adc[thread_][u];
    own[0].value[2] = aligned ? 0 : p.below(4);
    own[0].value[3] = aligned ? 0 : p.below(3);
    xy[0].value[1] = aligned ? 0 : p.below(6);
    xy[0].value[0] = aligned ? 64 * p.below(2) : p.below(60);
    if (m.is_blackhole && p.one_in(2)) own[0].value[2] |= 0x100 * p.below(32); // not seen
    count_ = 1 + p.below(p.one_in(2) ? 48 : 1024);
    const bool forced = has_five_exponent_bits(formats_.in) || p.one_in(4);
    m.set(model::force_shared_exp(u), forced);
    m.set(model::forced_exponent(u),
          has_five_exponent_bits(formats_.in) ? 8 + p.below(24) : p.bits());
    m.set(model::unpack_limit(u), p.one_in(2) ? 0x1FFFF : 0x1800 + p.below(0x4000));
    m.set(model::unpack_fifo(u), aligned ? 0 : p.below(0x1000));
  }

  unsigned out_bytes() const {
    const unsigned bits = model::bits_of(formats_.out);
    return bits >= 16 ? bits / 8 : 1;
  }

  /// As many data as there is room for, from a place on that leaves it.
  void choose_output() {
    const unsigned u = unpacker_;
    const bool with_address = u == 0 && !formats_.to_dst && !p.one_in(4);
    m.set_thread(model::kSrcASetOvrdWithAddr, with_address, thread_);
    for (unsigned& each : m.source[u].row) each = 16 * p.below(4);
    unsigned first = 0, rows = 64; // of the room
    if (u == 1) rows = 64 - m.source[1].row[thread_];
    if (u == 0) first = 4;
    if (u == 0 && !with_address) rows = 16;
    if (formats_.to_dst) rows = model::bits_of(formats_.out) == 32 ? 512 : 900;
    const unsigned room = rows * 16;
    count_ = std::min(count_, room);
    unsigned start = p.below(room - count_ + 1);
    if (p.one_in(2)) start &= ~15U;
    if (u == 0 && !formats_.to_dst && p.one_in(8)) first = 0; // rows that nobody gets
    m.adc[which_][u][1].value[0] = m.adc[which_][u][0].value[0] + count_ - 1;
    place_output(first * 16 + start);
    m.set(model::src_reg_set_upd(u), p.one_in(3));
    m.set_thread(u == 0 ? model::kSrcASetBase : model::kSrcBSetBase, p.below(4), thread_);
    if (m.is_blackhole && formats_.to_dst && p.one_in(2)) {
      m.set(model::kRemapAddrs, p.below(2));
      m.set(model::kSwizzle32b, p.below(2));
    }
  }

  /// Sums up to datum `index`: base, strides, and what belongs to the context.
  void place_output(unsigned index) {
    const unsigned u = unpacker_;
    const bool by_context = multi_ && u == 0;
    const bool adds = by_context && (formats_.to_dst || p.one_in(2));
    for (unsigned c = 0; c < 4; ++c) m.set(model::dest_address(u, c), p.bits());
    m.set(model::add_dest_addr_cntr(u), adds);
    if (by_context && !adds) m.set(model::dest_address(u, context_ & 3), index);
    if (by_context && adds) {
      const unsigned part = p.below(index + 1);
      m.set(model::dest_address(u, context_ & 3), part);
      index -= part;
    }
    unsigned left = index;
    auto& own = m.adc[thread_][u][1];
    for (unsigned axis = 1; axis < 4; ++axis) {
      own.value[axis] = p.below(axis == 1 ? 9 : 4);
      unsigned stride = p.below(40);
      if (stride * own.value[axis] > left) stride = 0;
      left -= stride * own.value[axis];
      m.set(model::unpack_stride(u, axis), stride * out_bytes());
    }
    m.set(model::unpack_base(u), left * out_bytes());
    m.set(model::unpack_if_sel(u), multi_ ? p.below(2) : formats_.to_dst);
    for (unsigned c = 0; c < 8; ++c) m.set(model::if_sel_of_context(u, c), p.below(2));
    if (multi_) m.set(model::if_sel_of_context(u, context_), formats_.to_dst);
  }

  void choose_banks() {
    for (model::SourceModel& each : m.source) {
      each.matrix_bank = p.below(2);
      each.unpack_bank = p.below(2);
      each.with_matrix_unit = {p.one_in(2), p.one_in(2)};
      each.format = {p.below(16), p.below(16)};
    }
    model::SourceModel& mine = m.source[unpacker_];
    if (!p.one_in(16)) mine.with_matrix_unit[mine.unpack_bank] = false;
  }

  std::uint32_t word() {
    std::uint32_t word = 0x42000001U | unpacker_ << 23 | p.below(256) << 15;
    if (multi_) word |= 1U << 7 | which_ << 8;
    if (multi_ && !counted_) word |= number_ << 10;
    if (counted_) word |= 1U << 3 | p.below(8) << 10;
    if (p.one_in(2)) word |= 1U << 6;
    if (p.one_in(16)) word |= 1U << 4;                      // all data are 0
    if (p.one_in(16)) word = 0x42002000U | unpacker_ << 23; // the context counter alone
    return word;
  }

  TilePair& p;
  Model& m;
  UnpackPairOfFormats formats_;
  unsigned thread_ = 0, unpacker_ = 0, context_ = 0, number_ = 0, which_ = 0, count_ = 0,
           x_dim_ = 0;
  bool multi_ = false, counted_ = false, tileize_ = false, transposes_ = false;
};

} // namespace lanewise::test::model
