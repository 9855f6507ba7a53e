#pragma once
#include <cstdint>
namespace lanewise::semantics {
/// How the Matrix Unit computes (MU 2.2).
enum class MatrixArithmetic : std::uint8_t {
  Exponent8, ///< BF16, TF32 and block formats with 8-bit exponents
  Exponent5, ///< FP16, FP8 and block formats with 5-bit exponents
  Int8
};
} // namespace lanewise::semantics
