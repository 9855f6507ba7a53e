// Data formats and the size of Dst.
#pragma once

#include <cstdint>

/// Numbers that unpackers, packers and the configuration use; from 16 on only software tells them
/// apart, hardware sees the low four bits.
enum class DataFormat : std::uint8_t {
  Float32 = 0,
  Float16 = 1,
  Bfp8 = 2,
  Bfp4 = 3,
  Tf32 = 4,
  Float16_b = 5,
  Bfp8_b = 6,
  Bfp4_b = 7,
  Int32 = 8,
  UInt16 = 9,
  Lf8 = 10,
  Bfp2 = 11,
  Int8 = 14,
  Bfp2_b = 15,
  UInt32 = 24,
  Fp8_e4m3 = 26,
  UInt8 = 30,
  RawUInt8 = 0xF0,
  RawUInt16 = 0xF1,
  RawUInt32 = 0xF2,
  Invalid = 0xFF
};

/// Rows of Dst with 16-bit cells, all of them and one of the two halves.
#define DEST_REGISTER_FULL_SIZE 1024
#define DEST_REGISTER_HALF_SIZE 512
#define DEST_FACE_WIDTH 16
#define DEST_FACE_WIDTH_LOG2 4
