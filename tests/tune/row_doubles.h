// Rows written by hand for tests of what computes and changes them.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "study/tune/row_rewrite.h"
#include "study/tune/row_values.h"
#include "tune/tune_doubles.h"

namespace lanewise::tune {

inline std::uint32_t bits_of(double value) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}
inline double number_of_bits(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}

inline Node operation(isa::Op op, std::vector<NodeId> operands, std::uint8_t mod = 0) {
  return {.kind = NodeKind::Operation, .op = op, .mod = mod, .operands = std::move(operands)};
}

inline RowGraph graph_of_rows(const Plain& plain) {
  const auto rows = find_rows(plain.arch, plain.program, {.as_kernel = plain.as_kernel});
  EXPECT_TRUE(rows) << (rows ? "" : to_string(rows.error()));
  return rows ? rows->row : RowGraph{};
}

/// A row that has nothing but its load, node 0, of bf16.
inline RowGraph loaded_row(Arch arch) {
  RowGraph row = graph_of_rows(plain_rows(arch, "SFPABS L0, L0, 1"));
  row.nodes.resize(1);
  return row;
}

inline RowEvaluator evaluator_of(const Plain& plain) {
  auto evaluator = RowEvaluator::prepare(plain, {});
  EXPECT_TRUE(evaluator) << (evaluator ? "" : to_string(evaluator.error()));
  return std::move(*evaluator);
}

inline RowValues values_of(RowEvaluator& evaluator, const RowGraph& row) {
  auto values = evaluator.evaluate(row);
  EXPECT_TRUE(values) << (values ? "" : to_string(values.error()));
  return values ? std::move(*values) : RowValues{};
}

/// SFPLOADIs and the SFPCONFIG that put a number into LReg 11 to 14.
inline std::string programmed_constant(unsigned lreg, double value) {
  const std::uint32_t bits = bits_of(value);
  return fmt::format(
      "SFPLOADI L0, USHORT, 0x{:x}\nSFPLOADI L0, UPPER, 0x{:x}\nSFPCONFIG 0, {}, 0\n",
      bits & 0xFFFF, bits >> 16, lreg);
}

/// 1 + x + x^2 / 2 + x^3 / 6, nearly, of x within 0 and 1; LReg[6] has the first coefficient.
inline Plain cubic_rows(Arch arch) {
  constexpr double kCubic[] = {0.99966, 1.01652, 0.42177, 0.28005};
  const std::uint32_t first = bits_of(kCubic[0]);
  const std::string once = programmed_constant(12, kCubic[3]) + programmed_constant(13, kCubic[2]) +
                           programmed_constant(14, kCubic[1]) +
                           fmt::format("SFPLOADI L6, USHORT, 0x{:x}\nSFPLOADI L6, UPPER, 0x{:x}",
                                       first & 0xFFFF, first >> 16);
  return plain_rows(arch,
                    "SFPMOV L10, L1, 2\nSFPSWAP L0, L1, 1\nSFPNOP\nSFPMOV L9, L2, 2\n"
                    "SFPSWAP L1, L2, 1\nSFPNOP\nSFPMAD L12, L1, L13, L2, 0\nSFPNOP\n"
                    "SFPMAD L2, L1, L14, L2, 0\nSFPNOP\nSFPMAD L2, L1, L6, L0, 0\nSFPNOP",
                    once);
}

} // namespace lanewise::tune
