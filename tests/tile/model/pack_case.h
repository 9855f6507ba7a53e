// A random configuration of the packers, and a stream of PACRs.
#pragma once

#include <string>
#include <vector>

#include "tile/model/tile_pair.h"

namespace lanewise::test::model {

/// Modes that the vendor's simulator accepts (core.md 14.12).
struct PackFormats {
  bool reads_32;
  unsigned in, out;
  bool only_blackhole = false, must_round = false;
};
inline constexpr PackFormats kPackFormats[] = {{false, 1, 0},
                                               {false, 1, 1},
                                               {false, 1, 5},
                                               {false, 2, 6},
                                               {false, 5, 0},
                                               {false, 5, 5},
                                               {false, 5, 6},
                                               {false, 5, 7},
                                               {false, 5, 15},
                                               {false, 6, 0},
                                               {false, 6, 5},
                                               {false, 6, 6},
                                               {false, 6, 7},
                                               {false, 9, 9},
                                               {true, 0, 0},
                                               {true, 0, 1},
                                               {true, 0, 6},
                                               {true, 0, 7},
                                               {true, 0, 15},
                                               {true, 5, 5},
                                               {true, 6, 6},
                                               {true, 6, 7},
                                               {true, 8, 8},
                                               {true, 9, 9},
                                               {true, 14, 14},
                                               {false, 1, 10, true},
                                               {true, 1, 1, true, true},
                                               {true, 1, 10, true, true}};

/// A configuration of the packers, and a stream of PACRs that ends with its streams.
class PackCase {
 public:
  explicit PackCase(TilePair& pair) : p(pair), m(pair.model) {
    do {
      formats_ = p.any_of(kPackFormats);
    } while (formats_.only_blackhole && !m.is_blackhole);
  }

  unsigned thread() const { return thread_; }
  unsigned data() const { return count_; }
  /// "pack/5-6", and from what.
  std::string family() const {
    return fmt::format("pack/{}-{}{}", formats_.in, formats_.out, formats_.reads_32 ? "-32" : "");
  }
  std::string text() const {
    return fmt::format("format {} to {}{}, {} data each, mask {:X}{}{}", formats_.in, formats_.out,
                       formats_.reads_32 ? " from 32 bits" : "", count_, mask_,
                       sums_ ? ", sums" : "", strided_ ? ", strided" : "") +
           fmt::format(", ReLU {} {:04X}", m.get(model::kApplyRelu, thread_),
                       m.get(model::kReluThreshold, thread_));
  }

  std::vector<std::uint32_t> make() {
    p.reset();
    p.randomise_counters();
    thread_ = p.below(3);
    m.thread_config[thread_][0] = static_cast<std::uint16_t>(p.below(2));
    constexpr unsigned kWormholeMasks[] = {0, 1, 2, 4, 8, 3, 12, 15};
    mask_ = m.is_blackhole ? p.below(16) : p.any_of(kWormholeMasks);
    strided_ = m.is_blackhole && p.one_in(6);
    if (strided_) mask_ = p.below(2) == 0 ? 1 : 3;
    overrides_ = !m.is_blackhole && p.one_in(6);
    choose_formats();
    choose_counts();
    choose_input();
    choose_output();
    choose_edges();
    for (unsigned section = 0; section < 4; ++section)
      m.set_thread(model::addr_mod_pack(section, 0, 16), p.one_in(3) ? 0 : p.bits(), thread_);
    p.disturb_other_bank(thread_);
    return words();
  }

 private:
  bool makes_blocks() const { return model::shares_exponents(formats_.out); }

  void choose_formats() {
    sums_ = (formats_.out == 0 || formats_.out == 1 || formats_.out == 5) && p.one_in(4);
    for (unsigned i = 0; i < 4; ++i) {
      m.set(model::pack_in_format(i), formats_.in);
      m.set(model::pack_out_format(i), formats_.out);
      m.set(model::pack_fp8_e4m3(i), formats_.out == 10);
      m.set(model::pack_l1_acc(i), sums_);
      m.set(model::disable_zero_compress_of_packer(i), 1);
    }
    const bool overridden = p.one_in(3);
    m.set(model::kDstaccOverride, overridden);
    m.set(model::kDstaccVal, overridden ? formats_.in : p.bits());
    m.set(model::kDstacc, overridden ? p.bits() : formats_.in);
    m.set(model::kRead32bData, formats_.reads_32);
    if (formats_.in == 14) m.set(model::kReadUnsigned, p.below(2));
    if (formats_.only_blackhole) m.set(model::kRound10bMant, formats_.must_round || p.one_in(2));
    const bool is_integer = formats_.in == 8 || formats_.in == 9 || formats_.in == 14;
    if (formats_.in == 8) m.set(model::kApplyRelu, p.below(2));
    if (!is_integer && p.one_in(2)) m.set(model::kApplyRelu, p.below(4));
    m.set(model::kReluThreshold, p.bits() & 0x7FFF);
    choose_documented();
  }

  /// What only the documents have: raw reads, shifts of integers, the exponent threshold.
  void choose_documented() {
    const unsigned in = formats_.in, out = formats_.out;
    const bool is_float = in != 8 && in != 9 && in != 14;
    if (in == 14 && p.one_in(2)) {
      m.set(model::kDescaleEnable, 1);
      m.set(model::kDescaleValue, p.bits());
    }
    if (is_float && !(in == 1 && formats_.reads_32) && p.one_in(4)) {
      for (unsigned i = 0; i < 4; ++i) {
        m.set(model::exponent_threshold_enable(i), 1);
        m.set(model::exponent_threshold(i), p.below(in == 1 || in == 2 ? 40 : 256));
      }
    }
    const bool is_exact = in == out || (in == 5 && out == 0) || (in == 6 && out == 5);
    if (!is_exact || formats_.only_blackhole || in == 2 || in == 9 || !p.one_in(4)) return;
    m.set(model::kReadRaw, 1);
    m.set(model::kApplyRelu, 0);
  }

  void choose_counts() {
    count_ = 1 + p.below(p.one_in(4) ? 256 : 48);
    if (m.is_blackhole) count_ = 1 + p.below(16);
    if (makes_blocks() || sums_ || p.one_in(2)) count_ = m.is_blackhole ? 16 : (count_ + 15) & ~15U;
    for (unsigned t = 0; t < 3; ++t) {
      auto& counters = m.adc[t][2];
      // All of them in range, for any thread's may be asked for.
      counters[0].value[0] = m.is_blackhole ? p.below(17 - count_) : p.below(16);
      counters[1].value[0] = counters[0].value[0] + count_ - 1;
      for (unsigned channel = 0; channel < 2; ++channel) {
        for (unsigned axis = 1; axis < 4; ++axis)
          counters[channel].value[axis] = counters[channel].cr[axis] = p.below(4);
      }
    }
  }

  /// Strides of whole rows; on Blackhole such that what the mask names stays in its group of four.
  void choose_input() {
    const unsigned bytes = (formats_.in & 3) == 0 ? 4 : (formats_.in & 3) == 1 ? 2 : 1;
    const unsigned rows = m.is_blackhole && mask_ != 1 ? 4 : 1;
    if (strided_) {
      m.set(model::kRemapAddrs, 1);
      m.set(model::kSwizzle32b, 1);
    }
    m.set(model::pack_stride(0, 0), p.one_in(2) ? 0 : bytes);
    for (unsigned axis = 1; axis < 4; ++axis)
      m.set(model::pack_stride(0, axis), p.below(m.is_blackhole ? 3 : 2) * rows * 16 * bytes);
    m.set(model::pack_base(0), p.below(8) * rows * 16 * bytes);
    for (unsigned i = 0; i < 4; ++i) m.set(model::pack_dst_offset(i), p.below(40) * rows);
  }

  void choose_output() {
    constexpr unsigned kApart = 0x1000; // 64 KiB for each packer
    const bool relative = !m.is_blackhole && p.one_in(3);
    const unsigned first = 0x1000 + p.below(0x200);
    for (unsigned i = 0; i < 4; ++i) {
      unsigned address = first + kApart * i;
      if (relative) address = i == 0 ? first | 1U << 31 : kApart * i;
      m.set(model::l1_dest_addr(i), address);
      m.set(model::sub_tile_header(i), p.below(2));
      m.set(model::exp_section_size(i), 0x40 + p.below(0x40));
      m.set(model::pack_limit(i), p.one_in(2) || relative ? 0x1FFFF : 0x800 + p.below(0x200));
      m.set(model::pack_fifo(i), relative ? 0 : p.below(0x100));
      m.set(model::addr_cnt_context(i), p.below(4));
    }
    for (unsigned axis = 1; axis < 4; ++axis)
      m.set(model::pack_stride(1, axis), p.below(m.is_blackhole ? 0x200 : 0x20));
    m.set(model::pack_base(1), p.below(0x40));
  }

  void choose_edges() {
    const bool may_be_infinite =
        formats_.in == formats_.out && (formats_.in == 0 || formats_.in == 5);
    m.set(model::kEdgeMode, may_be_infinite && !sums_ && p.one_in(3));
    for (unsigned i = 0; i < 4; ++i) {
      m.set(model::edge_mask(i), p.one_in(2) ? 0xFFFF : p.bits());
      m.set(model::reads_per_xy_plane(i), p.one_in(2) ? 16 : 1 + p.below(20));
      if (!m.is_blackhole) m.set(model::yz_transposed(i), p.one_in(4));
      m.set(model::pack_z_offset(i), p.one_in(4) ? p.below(16) : 0);
      for (unsigned k = 0; k < 16; ++k) {
        m.set(model::row_set_mapping(i, k), p.bits());
        m.set(model::face_set_mapping(i, k), p.bits());
      }
    }
    // Blackhole has one packer: what stands for the others is set to the same.
    m.set(model::kRowSetSelect, m.is_blackhole ? 0x55 * p.below(4) : p.bits());
    m.set(model::kFaceSetSelect, m.is_blackhole ? 0x55 * p.below(4) : p.bits());
    m.set(model::kFaceSetEnable, p.one_in(4));
  }

  std::vector<std::uint32_t> words() {
    const unsigned packs = 1 + p.below(6);
    std::vector<std::uint32_t> words;
    for (unsigned i = 0; i < packs; ++i) {
      std::uint32_t word = 0x41000000U | mask_ << 8 | p.below(4) << 15;
      if (overrides_) word |= 1U << 7;
      if (strided_) word |= 1U << 17;
      if (m.get(model::kEdgeMode, thread_) == 0 && p.one_in(12)) word |= 1U << 12; // ZeroWrite
      if (i + 1 == packs)
        word |= p.one_in(8) ? 2U : 1U;
      else if (p.one_in(8))
        word |= 1;
      words.push_back(word);
    }
    return words;
  }

  TilePair& p;
  model::Model& m;
  PackFormats formats_{};
  unsigned thread_ = 0, mask_ = 0, count_ = 0;
  bool strided_ = false, overrides_ = false, sums_ = false;
};

} // namespace lanewise::test::model
