// Random operands of the Matrix Unit, and its arithmetic computed number by number from the scalar
// reference (chip/semantics/matrix_terms.h and its companions) for tests of the kernels.
#pragma once

#include <algorithm>
#include <array>
#include <random>

#include "chip/machine/matrix/arithmetic.h"
#include "chip/machine/state.h"
#include "chip/semantics/dst_format.h"
#include "chip/semantics/matrix_accumulate.h"
#include "chip/semantics/matrix_integer.h"
#include "chip/semantics/matrix_terms.h"

namespace lanewise::test {

/// What cells of SrcA, SrcB and Dst look like.
enum class Profile : std::uint8_t {
  Near1,       ///< exponents around the bias
  AnyBits,     ///< uniform
  AnyExponent, ///< all exponents, few mantissas
  OneExponent, ///< sums in which many products have the largest exponent
  Small,       ///< products at the lower edge
  Large,       ///< products at the upper edge
  Moderate,    ///< all exponents of factors that the kernels multiply as floats of the host
  Limit,       ///< around the largest of those
  Sparse,      ///< mostly zeros, denormals and -0
  NothingInA,  ///< of SrcA only zeros, denormals and -0; of Dst often +0 or nearly so
  NothingInB   ///< the same of SrcB
};
inline constexpr std::array kProfiles{
    Profile::Near1,  Profile::AnyBits,    Profile::AnyExponent, Profile::OneExponent,
    Profile::Small,  Profile::Large,      Profile::Moderate,    Profile::Limit,
    Profile::Sparse, Profile::NothingInA, Profile::NothingInB};

/// One way to set up the Matrix Unit.
struct MatrixSetting {
  std::uint8_t srca = 5, srcb = 5; ///< format codes
  bool wide = false;
  bool int8 = false;
  std::uint8_t phase = 0;
  bool keeps_denormals = false;
};

class RandomOperands {
 public:
  explicit RandomOperands(std::uint32_t seed) : random_(seed) {}

  std::uint32_t bits() { return static_cast<std::uint32_t>(random_()); }

  /// Every cell, flag and counter that an instruction looks at.
  void fill(MachineState& s, const MatrixSetting& setting, Profile profile) {
    using isa::ConfigField;
    s.config.set(ConfigField::ALU_FORMAT_SPEC_REG0_SrcA, setting.srca);
    s.config.set(ConfigField::ALU_FORMAT_SPEC_REG1_SrcB, setting.srcb);
    s.config.set(ConfigField::DISABLE_IMPLIED_SRCA_FMT_Base, 1);
    s.config.set(ConfigField::DISABLE_IMPLIED_SRCB_FMT_Base, 1);
    s.config.set(ConfigField::ALU_ACC_CTRL_Fp32_enabled, setting.wide ? 1 : 0);
    s.config.set(ConfigField::ALU_ACC_CTRL_INT8_math_enabled, setting.int8 ? 1 : 0);
    s.config.set(ConfigField::ALU_ACC_CTRL_Zero_Flag_disabled_src, setting.keeps_denormals ? 1 : 0);
    s.config.set(ConfigField::FIDELITY_BASE_Phase, setting.phase);
    const bool exponent_5 =
        setting.int8 || has_5bit_exponent(static_cast<DataFormat>(setting.srca));
    for (SourceFile* file : {&s.srca, &s.srcb}) {
      for (auto& bank : file->cell) {
        for (auto& row : bank) {
          for (std::uint32_t& cell : row) cell = source(setting.int8, exponent_5, profile);
        }
      }
    }
    for (auto& row : s.dst.cell) {
      for (std::uint16_t& cell : row) cell = dst(setting, exponent_5, profile);
    }
    if (profile == Profile::NothingInA) empty(s.srca, s.dst);
    if (profile == Profile::NothingInB) empty(s.srcb, s.dst);
    for (std::uint64_t& valid : s.dst.valid_bits)
      valid = std::uint64_t{bits() | bits() | bits()} << 32 | bits() | bits() | bits();
    s.rwc.srca = bits() & 0x30;
    s.rwc.srcb = bits() & Rwc::kSrcMask;
    s.rwc.dst = bits() & Rwc::kDstMask;
    s.srca.current = bits() & 1;
    s.srcb.current = bits() & 1;
  }

 private:
  static constexpr std::uint32_t kMostOfFloats =
      179; ///< chip/machine/kernels/matrix_products_fma.h

  /// No cell of the source has an exponent; of Dst nothing is left, or low halves alone, or all.
  void empty(SourceFile& file, Dst& dst) {
    for (auto& bank : file.cell) {
      for (auto& row : bank) {
        for (std::uint32_t& cell : row) cell &= ~semantics::kExponentMask;
      }
    }
    const bool keeps_low = bits() % 3 == 0, keeps_high = bits() % 3 == 0;
    for (unsigned row = 0; row < kDstRows; ++row) {
      if ((row & kDstLowHalf) != 0 ? !keeps_low : !keeps_high)
        std::ranges::fill(dst.cell[row], std::uint16_t{0});
    }
  }
  std::uint32_t exponent(bool exponent_5, Profile profile) {
    const std::uint32_t bias = exponent_5 ? 15 : 127, most = exponent_5 ? 31 : 255;
    switch (profile) {
      case Profile::Near1: return bias - 2 + bits() % 5;
      case Profile::OneExponent: return bias;
      case Profile::Small: return bias / 2 - 1 + bits() % 4;
      case Profile::Large: return most - bits() % (bias / 2);
      case Profile::Moderate: return bits() % (exponent_5 ? 32 : kMostOfFloats + 1);
      case Profile::Limit: return exponent_5 ? 28 + bits() % 4 : kMostOfFloats - 4 + bits() % 6;
      case Profile::Sparse: return bits() % 8 == 0 ? bias + bits() % 3 : 0;
      default: return bits() & most;
    }
  }
  std::uint32_t mantissa(unsigned width) {
    const std::uint32_t all = (1U << width) - 1;
    switch (bits() % 4) {
      case 0: return 0;
      case 1: return all;
      default: return bits() & all;
    }
  }
  std::uint32_t source(bool int8, bool exponent_5, Profile profile) {
    if (int8) {
      const std::uint32_t exponent = bits() % 8 == 0 ? 0 : 16;
      return (bits() & 0x80000000U) | exponent << 23 | mantissa(10) << 13;
    }
    if (profile == Profile::AnyBits && !exponent_5) return bits() & 0xFFFFE000U;
    return (bits() & 0x80000000U) | exponent(exponent_5, profile) << 23 | mantissa(10) << 13;
  }
  /// A stored cell: with 16 bits a number, else a half of one.
  std::uint16_t dst(const MatrixSetting& setting, bool exponent_5, Profile profile) {
    if (setting.wide || setting.int8 || profile == Profile::AnyBits || bits() % 4 == 0)
      return static_cast<std::uint16_t>(bits());
    const std::uint32_t sign = bits() & 0x8000;
    if (exponent_5)
      return static_cast<std::uint16_t>(sign | mantissa(10) << 5 | exponent(true, profile));
    return static_cast<std::uint16_t>(sign | mantissa(7) << 8 | exponent(false, profile));
  }

  std::mt19937 random_;
};

/// Dst as numbers in register form, of one mode.
class ReferenceDst {
 public:
  ReferenceDst(Dst& dst, const MatrixMode& mode) : dst_(dst), mode_(mode) {}

  std::uint32_t load(unsigned row, unsigned column) const {
    if (!dst_.valid(place(row))) return 0;
    if (mode_.wide) return semantics::unshuffle_32(dst_.load_32(row, column));
    const std::uint32_t cell = dst_.cell[row][column];
    if (mode_.arithmetic == semantics::MatrixArithmetic::Exponent5)
      return (cell & 0x8000) << 16 | (cell & 31) << 23 | (cell >> 5 & 0x3FF) << 13;
    return semantics::unshuffle_16(cell) << 16;
  }
  void store(unsigned row, unsigned column, std::uint32_t value) {
    if (mode_.wide) return dst_.store_32(row, column, semantics::shuffle_32(value));
    std::uint32_t cell = semantics::shuffle_16(value >> 16);
    if (mode_.arithmetic == semantics::MatrixArithmetic::Exponent5)
      cell = (value >> 16 & 0x8000) | (value >> 13 & 0x3FF) << 5 | (value >> 23 & 31);
    dst_.cell[row][column] = static_cast<std::uint16_t>(cell);
  }
  void set_valid(unsigned row) { dst_.set_valid(place(row), true); }

 private:
  unsigned place(unsigned row) const { return mode_.wide ? adjust_row_32(row) : row; }

  Dst& dst_;
  MatrixMode mode_;
};

/// The rules of MU 5 and 6 on whole instructions. Addresses are the tests' own.
class MatrixReference {
 public:
  explicit MatrixReference(MachineState& s) : s_(s), mode_(matrix_mode(s)), dst_(s.dst, mode_) {
    float_ = {.exponent_5 = mode_.arithmetic == semantics::MatrixArithmetic::Exponent5,
              .wide = mode_.wide,
              .phase = mode_.phase,
              .minus_one_erratum = arch_params(s.config.arch()).matrix.minus_one_erratum,
              .keeps_denormals = mode_.keeps_denormals};
  }

  /// Dst[dst + i] += SrcB[srcb + i] x SrcA[srca..]
  void multiply_rows(unsigned dst, unsigned srca, unsigned srcb, unsigned rows) {
    for (unsigned i = 0; i < rows; ++i) multiply_row(dst + i, srca, srcb + i);
  }
  void multiply_row(unsigned dst, unsigned srca, unsigned srcb) {
    for (unsigned j = 0; j < kDstColumns; ++j) {
      const std::uint32_t before = dst_.load(dst, j);
      dst_.store(
          dst, j,
          is_integer() ? integer_sum(before, srca, srcb, j) : float_sum(before, srca, srcb, j));
    }
    dst_.set_valid(dst);
  }

  enum class Element : std::uint8_t { Multiply, Add, Subtract };

  /// Dst = or += SrcA op SrcB, one number.
  void element(Element what, bool accumulates, unsigned dst, unsigned column, std::uint32_t a,
               std::uint32_t b) {
    const std::uint32_t before = accumulates ? dst_.load(dst, column) : 0;
    dst_.store(
        dst, column,
        is_integer() ? integer_element(what, before, a, b) : float_element(what, before, a, b));
  }
  void set_valid(unsigned dst) { dst_.set_valid(dst); }

  std::uint32_t a(unsigned row, unsigned column) const {
    return s_.srca.rows()[row % kSourceRows][column];
  }
  std::uint32_t b(unsigned row, unsigned column) const { return s_.srcb.rows()[row][column]; }

 private:
  bool is_integer() const { return mode_.arithmetic == semantics::MatrixArithmetic::Int8; }

  std::uint32_t float_sum(std::uint32_t before, unsigned srca, unsigned srcb, unsigned j) const {
    std::array<semantics::MatrixProduct, 16> product{};
    for (unsigned k = 0; k < 16; ++k) {
      product[k] = semantics::multiply_parts(
          float_, semantics::source_operand(a(srca + k, j) & mode_.srca_mask),
          semantics::source_operand(b(srcb, k) & mode_.srcb_mask));
    }
    const std::span<const semantics::MatrixProduct, 16> all(product);
    return semantics::accumulate(float_, semantics::sum_group(all.first<8>()),
                                 semantics::sum_group(all.last<8>()), before);
  }
  std::uint32_t integer_sum(std::uint32_t before, unsigned srca, unsigned srcb, unsigned j) const {
    std::int32_t sum = 0;
    for (unsigned k = 0; k < 16; ++k) sum += integer_product(a(srca + k, j), b(srcb, k));
    return semantics::accumulate_integer(sum, before);
  }
  std::int32_t integer_product(std::uint32_t a, std::uint32_t b) const {
    return semantics::int8_operand(a, semantics::int8_part_a(mode_.phase), false) *
           semantics::int8_operand(b, semantics::int8_part_b(mode_.phase), mode_.keeps_denormals);
  }
  std::uint32_t integer_element(Element what, std::uint32_t before, std::uint32_t a,
                                std::uint32_t b) const {
    if (what == Element::Multiply)
      return semantics::accumulate_integer(integer_product(a, b), before);
    const std::int32_t x = semantics::int8_operand(a, semantics::kInt8Magnitude, false);
    const std::int32_t y =
        semantics::int8_operand(b, semantics::kInt8Magnitude, mode_.keeps_denormals);
    return semantics::accumulate_integer(what == Element::Add ? x + y : x - y, before);
  }
  std::uint32_t float_element(Element what, std::uint32_t before, std::uint32_t a,
                              std::uint32_t b) const {
    a &= mode_.srca_mask;
    b &= mode_.srcb_mask;
    if (what == Element::Subtract) b ^= 0x80000000U;
    const semantics::MatrixTerm term = what == Element::Multiply
                                           ? semantics::multiply_term(float_, a, b)
                                           : semantics::add_term(float_, a, b);
    return semantics::accumulate(float_, term, {}, before);
  }

  MachineState& s_;
  MatrixMode mode_;
  semantics::MatrixFloat float_;
  ReferenceDst dst_;
};

} // namespace lanewise::test
