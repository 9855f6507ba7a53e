// Random programs of three threads whose results do not depend on the order.
#pragma once

#include <array>
#include <vector>

#include "tile/model/tile_pair.h"
#include "tile/model/values.h"

namespace lanewise::test::model {

inline constexpr std::uint32_t kDown = 0x20000, kUp = 0x40000, kShared = 0x10000; ///< in L1
inline constexpr unsigned kBlocks = 8; ///< of 16 rows of Dst

/// T0 unpacks blocks to Dst, T1 passes them on, T2 packs them, with two semaphores between them.
/// Beside that T0 fills banks of SrcA and SrcB that T1 gives back, and all three count in L1, by
/// ATINCGET and under a mutex.
class ProgramCase {
 public:
  explicit ProgramCase(TilePair& pair) : p(pair), m(pair.model) {}

  void make() {
    p.reset();
    for (auto& of_thread : m.adc) of_thread = {};
    configure();
    const unsigned rounds = 2 + p.below(10);
    for (unsigned round = 0; round < rounds; ++round) {
      for (unsigned thread = 0; thread < 3; ++thread) {
        if (p.one_in(2)) count_in_memory(thread);
        if (p.one_in(3)) count_under_mutex(thread);
      }
      for (unsigned which = 0; which < 2; ++which) {
        if (p.one_in(2)) pass_bank(which, round);
      }
      pass_block(round, round + 1 == rounds);
    }
  }

  const std::vector<std::uint32_t>& words(unsigned thread) const { return words_[thread]; }

 private:
  void emit(unsigned thread, std::uint32_t word) { words_[thread].push_back(word); }

  void configure() {
    for (unsigned u = 0; u < 2; ++u) {
      m.set(model::descriptor(u, 0, 4), model::kBf16);
      m.set(model::unpack_out_format(u), model::kBf16);
      m.set(model::descriptor(u, 16, 16), 256);
      for (unsigned c = 0; c < 2; ++c) {
        m.set(model::disable_zero_compress(u, c), 1);
        m.set(model::tile_x_dim(u, c), 256);
        m.set(model::base_address(u, c), kDown / 16 - 1 + 0x200 * c);
      }
      m.set(model::descriptor(u, 32, 8), 1);
      m.set(model::unpack_stride(u, 2), 512);
      for (unsigned thread = 0; thread < 3; ++thread) m.adc[thread][u][1].value[0] = 255;
    }
    m.set(model::add_dest_addr_cntr(0), 0);
    m.set(model::dest_address(0, 0), 64); // SrcA
    m.set(model::dest_address(0, 1), 64); // Dst, to which the counters are added
    m.set(model::if_sel_of_context(0, 1), 1);
    const unsigned out = p.one_in(2) ? model::kBf16 : model::kBfp8;
    m.set(model::pack_in_format(0), model::kBf16);
    m.set(model::kDstacc, model::kBf16);
    m.set(model::pack_out_format(0), out);
    m.set(model::exp_section_size(0), 64); // room for all exponents of a program
    m.set(model::disable_zero_compress_of_packer(0), 1);
    m.set(model::l1_dest_addr(0), kUp / 16 - 1);
    m.set(model::pack_stride(0, 1), 32);
    m.set(model::pack_stride(0, 2), 512);
    m.set(model::pack_stride(1, 2), m.is_blackhole ? 1024 : 64);
    for (unsigned i = 0; i < 4; ++i) m.set(model::edge_mask(i), 0xFFFF);
    for (unsigned i = 0; i < 2; ++i) m.semaphore[i] = {0, 1 + p.below(3)};
    for (auto& registers : m.gpr) {
      registers.fill(0);
      registers[0] = kShared / 16;
      registers[1] = kShared / 16 + 1;
      registers[3] = 4; // the offset of what mutex 2 protects
    }
  }

  void clear_register(unsigned thread, unsigned reg) {
    for (unsigned half = 0; half < 2; ++half) emit(thread, 0x45000000U | (2 * reg + half));
  }

  void count_in_memory(unsigned thread) {
    emit(thread, 0x45000000U | p.below(0x4000) << 8 | 16); // SETDMAREG of register 8
    emit(thread, 0x61000000U | 31U << 14 | p.below(4) << 12 | 8U << 6);
    clear_register(thread, 8);
  }

  void count_under_mutex(unsigned thread) {
    const std::uint32_t mutex = p.one_in(2) ? 0 : 2, offset = mutex == 0 ? 4 : 6;
    emit(thread, 0xA0000000U | mutex);
    emit(thread, 0x49000000U | 1U << 22 | offset << 14 | 8U << 6 | 1); // LOADIND of 32 bits
    emit(thread, 0x58800000U | 8U << 12 | p.below(64) << 6 | 8);
    emit(thread, 0x66800000U | 1U << 21 | offset << 14 | 8U << 6 | 1);
    emit(thread, 0xA1000000U | mutex);
    clear_register(thread, 8);
  }

  void set_block(unsigned thread, unsigned unit, unsigned block) { // SETADCZW, both Z
    emit(thread, 0x54000000U | 1U << (21 + unit) | block << 6 | block << 12 | 0b0101);
  }

  /// T0 fills a bank, T1 waits for it and gives it back.
  void pass_bank(unsigned which, unsigned round) {
    set_block(0, which, round % 4);
    if (which == 1) emit(0, 0x54000000U | 1U << 22 | 0b0100); // SrcB from its first row
    emit(0, 0x42000000U | which << 23 | 1U << 7 | 1U << 6);
    const unsigned condition = (m.is_blackhole ? 7U : 10U) + which;
    emit(1, 0xA2000000U | (1U << 6 | 1U << 1 | p.below(512)) << 15 | 1U << condition);
    emit(1, (p.one_in(2) ? 0x36000000U : 0x37000000U) | 1U << (22 + which));
  }

  void wait(unsigned thread, unsigned semaphore, unsigned condition, unsigned block) {
    const unsigned also = p.one_in(2) ? p.below(512) : 0;
    emit(thread, 0xA6000000U | (block | 1U << 1 | also) << 15 | 1U << (2 + semaphore) | condition);
  }
  void post(unsigned thread, unsigned semaphore) {
    emit(thread, 0xA4000000U | 1U << (2 + semaphore));
  }
  void get(unsigned thread, unsigned semaphore) {
    emit(thread, 0xA5000000U | 1U << (2 + semaphore));
  }

  void pass_block(unsigned round, bool is_last) {
    constexpr unsigned kZero = 1, kAtMax = 2;
    wait(0, 0, kAtMax, 1U << 3);
    set_block(0, 0, round % kBlocks);
    emit(0, 0x42000000U | 1U << 10 | 1U << 7);
    post(0, 0);
    wait(1, 0, kZero, 0);
    wait(1, 1, kAtMax, 0);
    post(1, 1);
    get(1, 0);
    wait(2, 1, kZero, 1U << 2);
    set_block(2, 2, round % kBlocks);
    pack_block(is_last || p.one_in(2));
    get(2, 1);
  }

  void pack_block(bool ends) {
    if (!m.is_blackhole) {
      emit(2, 0x5E800000U | 255U << 10);
      emit(2, 0x41000100U | (ends ? 1U : 0U));
      return;
    }
    emit(2, 0x5E800000U | 15U << 10);
    for (unsigned row = 0; row < 16; row += 4) {
      emit(2, 0x51800000U | (row % 8) << 9 | 0b0010); // SETADCXY: Y of channel 0, 3 bits
      if (row >= 8) emit(2, 0x50800000U | 1U << 18 | row);
      emit(2, 0x41000F00U | (ends && row == 12 ? 1U : 0U));
    }
  }

  TilePair& p;
  model::Model& m;
  std::array<std::vector<std::uint32_t>, 3> words_;
};

/// The model, in a random order. False: nobody can go on.
inline bool run_model(TilePair& pair, const ProgramCase& test) {
  std::array<std::size_t, 3> next{};
  for (unsigned stuck = 0; stuck < 1000;) {
    const unsigned thread = pair.below(3);
    if (next[thread] == test.words(thread).size()) {
      ++stuck;
    } else if (pair.model.step(thread, test.words(thread)[next[thread]])) {
      ++next[thread];
      stuck = 0;
    } else {
      ++stuck;
    }
  }
  for (unsigned thread = 0; thread < 3; ++thread) {
    if (next[thread] != test.words(thread).size()) return false;
  }
  return true;
}

} // namespace lanewise::test::model
