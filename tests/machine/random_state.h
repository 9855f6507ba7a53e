// Random states, random instruction words, and comparison of whole states, for tests of properties.
#pragma once

#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "chip/machine/machine.h"
#include "semantics/random_bits.h"

namespace lanewise::test {

/// Knuth's, of which the upper half is taken: a state has thousands of numbers, and a Mersenne
/// twister takes as long for them as all else that is done with the state.
using Random =
    std::linear_congruential_engine<std::uint64_t, 6364136223846793005U, 1442695040888963407U, 0>;

class RandomMachine {
 public:
  RandomMachine(Arch arch, std::uint32_t seed)
      : arch_(arch),
        random_(seed),
        floats_(seed + 1),
        vector_rows_(find_rows(arch, isa::Unit::Vector)),
        matrix_rows_(find_rows(arch, isa::Unit::Matrix)) {}

  std::uint32_t bits() { return static_cast<std::uint32_t>(random_() >> 32); }
  bool one_in(std::uint32_t n) { return bits() % n == 0; }

  /// A word that differs in nothing but a number, where it has one.
  std::uint32_t of_same_form(std::uint32_t word) {
    const isa::Row* row = isa::decode(arch_, word).row;
    return row == nullptr ? word : word ^ (bits() & ~row->form);
  }

  /// A register value: floats of every kind, small integers, random bits.
  std::uint32_t value() {
    switch (bits() % 4) {
      case 0: return bits();
      case 1: return bits() % 64 - 32;
      default: return floats_.any();
    }
  }

  /// A state in which every part that an instruction can see is random.
  MachineState state() {
    MachineState s(arch_);
    VectorState& v = s.vector;
    for (unsigned reg = 0; reg < kLRegs; ++reg) {
      if (reg >= 8 && reg <= 10) continue; // constants
      if (reg == 15) continue;
      for (std::uint32_t& lane : v.lreg[reg]) lane = value();
    }
    for (std::uint32_t& lane : v.prng) lane = bits();
    for (std::uint32_t& lane : v.shuffle_latch) lane = bits();
    v.flags = one_in(3) ? kAllLanes : bits();
    v.use_flags = one_in(3) ? 0 : bits() | bits();
    const unsigned depth = bits() % 9;
    for (unsigned i = 0; i < depth; ++i)
      v.stack.push(one_in(8) ? bits() : kAllLanes, {bits(), bits()});
    std::array<std::uint32_t, kColumns> columns{};
    if (one_in(2)) {
      const std::uint32_t common = bits() & 0x30FFF;
      for (std::uint32_t& column : columns)
        column = one_in(4) ? bits() & lane_config::kBits : common;
    }
    v.set_lane_config(columns);
    for (auto& words : v.macro.instruction_template) {
      for (std::uint32_t& word : words) word = bits();
    }
    for (auto& row : s.dst.cell) {
      for (std::uint16_t& cell : row) cell = static_cast<std::uint16_t>(bits());
    }
    for (std::uint64_t& valid : s.dst.valid_bits)
      valid = std::uint64_t{bits() | bits()} << 32 | bits();
    for (SourceFile* file : {&s.srca, &s.srcb}) fill(*file);
    s.last_srca_row = bits() & 0x30;
    s.rwc = {.dst = bits() & Rwc::kDstMask,
             .dst_cr = bits() & Rwc::kDstMask,
             .srca = bits() & Rwc::kSrcMask,
             .srca_cr = bits() & Rwc::kSrcMask,
             .srcb = bits() & Rwc::kSrcMask,
             .srcb_cr = bits() & Rwc::kSrcMask,
             .fidelity = bits() & Rwc::kFidelityMask,
             .bias = bits() & 1,
             .sp = one_in(2) ? 0 : bits() & Rwc::kDstMask};
    s.config.set_every_word([&] { return one_in(2) ? bits() : 0U; });
    for (unsigned section = 0; section < 8; ++section) {
      const auto words = [&] { return static_cast<std::uint16_t>(bits()); };
      s.config.set_addr_mod(section,
                            unpack_addr_mod({.ab = words(), .dst = words(), .bias = words()}));
    }
    for (std::uint32_t& reg : s.gpr) reg = bits();
    return s;
  }

  /// A word of a row of the table: a plain destination preferred, and now and then a bit that no
  /// field covers.
  std::uint32_t word_of(const isa::Row& row) {
    std::uint32_t word = bits();
    if (!one_in(8)) word &= row.covered_bits();
    for (const isa::Field& field : row.fields()) {
      constexpr std::uint32_t kGeneral = 7;
      if (field.name == "VD" && !one_in(4)) word &= ~field.insert(~kGeneral);
    }
    return std::uint32_t{row.opcode} << 24 | (word & 0xFFFFFF);
  }

  /// A word: mostly of the Vector Unit, with plain destinations preferred, and of the Matrix Unit.
  std::uint32_t word() {
    if (one_in(8)) return bits();
    const isa::Unit unit = one_in(4) ? isa::Unit::Matrix : isa::Unit::Vector;
    return word_of(*rows_of(unit)[bits() % rows_of(unit).size()]);
  }

 private:
  void fill(SourceFile& file) {
    constexpr std::uint32_t kCellBits = 0xFFFFE000U;
    for (auto& bank : file.cell) {
      for (auto& row : bank) {
        // Ordinary numbers are rare among random bits, equal exponents more so.
        const std::uint32_t common = one_in(2) ? 0 : 0x40000000U | (bits() & 0x0F800000U);
        const std::uint32_t random = common == 0 ? kCellBits : kCellBits & ~0x7F800000U;
        for (std::uint32_t& cell : row) cell = common | (bits() & random);
      }
    }
    for (std::uint8_t& format : file.format) format = bits() & 15;
    file.current = bits() & 1;
    file.filling = bits() & 1;
    file.owned_by_matrix_unit = {!one_in(4), !one_in(4)};
  }

  static std::vector<const isa::Row*> find_rows(Arch arch, isa::Unit unit) {
    std::vector<const isa::Row*> rows;
    for (const isa::Row& row : isa::rows()) {
      // SETDVALID belongs to the Matrix Unit's banks.
      const bool belongs =
          row.unit == unit || (unit == isa::Unit::Matrix && row.op == isa::Op::SETDVALID);
      if (belongs && includes(row.chips, arch)) rows.push_back(&row);
    }
    return rows;
  }
  const std::vector<const isa::Row*>& rows_of(isa::Unit unit) const {
    return unit == isa::Unit::Matrix ? matrix_rows_ : vector_rows_;
  }

  Arch arch_;
  Random random_;
  BiasedFloats floats_;
  std::vector<const isa::Row*> vector_rows_, matrix_rows_;
};

inline bool same_source(const SourceFile& a, const SourceFile& b) {
  return std::memcmp(a.cell, b.cell, sizeof a.cell) == 0 && a.format == b.format &&
         a.current == b.current && a.filling == b.filling &&
         a.owned_by_matrix_unit == b.owned_by_matrix_unit;
}

/// Whether everything but the LRegs agrees.
inline bool same_beside_lregs(const MachineState& a, const MachineState& b) {
  const VectorState &v = a.vector, &w = b.vector;
  return a.config == b.config && std::memcmp(v.prng, w.prng, sizeof v.prng) == 0 &&
         std::memcmp(v.shuffle_latch, w.shuffle_latch, sizeof v.shuffle_latch) == 0 &&
         v.flags == w.flags && v.use_flags == w.use_flags && v.active == w.active &&
         v.stack.entry == w.stack.entry && v.stack.at_depth == w.stack.at_depth &&
         v.lane_config == w.lane_config &&
         v.macro.instruction_template == w.macro.instruction_template &&
         v.macro.sequence == w.macro.sequence && v.macro.misc == w.macro.misc &&
         std::memcmp(a.dst.cell, b.dst.cell, sizeof a.dst.cell) == 0 &&
         a.dst.valid_bits == b.dst.valid_bits && a.rwc == b.rwc && a.srca == b.srca &&
         a.last_srca_row == b.last_srca_row && a.srcb == b.srcb && a.gpr == b.gpr &&
         a.faults.records() == b.faults.records();
}

inline bool same_lregs(const MachineState& a, const MachineState& b) {
  return std::memcmp(a.vector.lreg, b.vector.lreg, sizeof a.vector.lreg) == 0;
}

/// How many random words a test runs: LANEWISE_FUZZ_WORDS, or this.
inline std::size_t fuzz_words(std::size_t otherwise) {
  const char* wanted = std::getenv("LANEWISE_FUZZ_WORDS");
  return wanted == nullptr ? otherwise : std::strtoull(wanted, nullptr, 10);
}

} // namespace lanewise::test
