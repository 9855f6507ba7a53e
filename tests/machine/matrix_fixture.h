// SrcA, SrcB and Dst for tests of the Matrix Unit.
#pragma once

#include "machine/machine_fixture.h"

namespace lanewise::test {

/// Instructions of the Matrix Unit on a machine with data of its own in every register.
class MatrixRig : public OnBothChips {
 protected:
  MatrixRig() {
    rig.configure("ALU_FORMAT_SPEC_REG0_SrcA", kBf16);
    rig.configure("ALU_FORMAT_SPEC_REG1_SrcB", kBf16);
    if (blackhole()) {
      rig.configure("DISABLE_IMPLIED_SRCA_FMT_Base", 1);
      rig.configure("DISABLE_IMPLIED_SRCB_FMT_Base", 1);
    }
    for (unsigned bank = 0; bank < kSourceBanks; ++bank) {
      for (unsigned row = 0; row < kSourceRows; ++row) {
        for (unsigned column = 0; column < kSourceColumns; ++column) {
          srca().cell[bank][row][column] = cell_a(bank, row, column);
          srcb().cell[bank][row][column] = cell_b(bank, row, column);
        }
      }
    }
    for (unsigned row = 0; row < kDstRows; ++row) {
      for (unsigned column = 0; column < kDstColumns; ++column)
        dst().cell[row][column] = half(row, column);
    }
  }

  static constexpr std::uint32_t kFp16 = 1, kTf32 = 4, kBf16 = 5, kFp8 = 10;

  /// Cells that are different everywhere, clean for BF16, with exponents that are not 0.
  static std::uint32_t cell_a(unsigned bank, unsigned row, unsigned column) {
    return bank << 31 | (64 + row) << 23 | column << 16;
  }
  static std::uint32_t cell_b(unsigned bank, unsigned row, unsigned column) {
    return bank << 31 | (128 + row) << 23 | column << 16;
  }
  /// Stored halves of Dst that are different everywhere.
  static std::uint16_t half(unsigned row, unsigned column) {
    return static_cast<std::uint16_t>(row << 4 | column | 0x4000);
  }
  /// A cell of BF16 as Dst stores it: sign, mantissa, exponent (MU 1.1).
  static std::uint16_t stored_bf16(std::uint32_t cell) {
    return static_cast<std::uint16_t>((cell >> 31) << 15 | (cell >> 16 & 0x7F) << 8 |
                                      (cell >> 23 & 0xFF));
  }

  bool blackhole() const { return GetParam() == Arch::Blackhole; }
  SourceFile& srca() { return rig.state().srca; }
  SourceFile& srcb() { return rig.state().srcb; }
  Dst& dst() { return rig.state().dst; }

  /// Exactly one fault, of that kind, whose text contains `text`.
  void expect_fault(const std::string& program, FaultKind kind, std::string_view text) {
    const auto faults = rig.run(program);
    ASSERT_EQ(faults.size(), 1U) << program;
    EXPECT_EQ(faults[0].kind, kind) << to_string(faults[0]);
    EXPECT_NE(to_string(faults[0]).find(text), std::string::npos) << to_string(faults[0]);
  }
};

} // namespace lanewise::test
