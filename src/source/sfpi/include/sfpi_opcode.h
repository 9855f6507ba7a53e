// The instructions that SFPI's operations name.
#pragma once

#include <cstdint>

namespace lanewise_sfpi {

/// Tensix opcodes that SFPI operations become.
enum Opcode : std::uint8_t {
  kSfpLoad = 0x70,
  kSfpLoadI = 0x71,
  kSfpStore = 0x72,
  kSfpLut = 0x73,
  kSfpDivP2 = 0x76,
  kSfpExExp = 0x77,
  kSfpExMan = 0x78,
  kSfpIAdd = 0x79,
  kSfpShft = 0x7A,
  kSfpMov = 0x7C,
  kSfpAbs = 0x7D,
  kSfpAnd = 0x7E,
  kSfpOr = 0x7F,
  kSfpNot = 0x80,
  kSfpLz = 0x81,
  kSfpSetExp = 0x82,
  kSfpSetMan = 0x83,
  kSfpSetSgn = 0x89,
  kSfpTransp = 0x8C,
  kSfpXor = 0x8D,
  kSfpStochRnd = 0x8E,
  kSfpCast = 0x90,
  kSfpSwap = 0x92,
  kSfpShft2 = 0x94,
  kSfpLutFp32 = 0x95,
  kSfpMul24 = 0x98,
  kSfpARecip = 0x99,
};

} // namespace lanewise_sfpi
