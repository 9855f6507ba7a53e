// Shapes, enumerations and format predicates that kernels share.
#pragma once

#include <cstdint>
#include <type_traits>

#include "ckernel_ops.h"
#include "llk_defs.h"
#include "tensix.h"
#include "tensix_types.h"

/// Half of a scalar register as SETDMAREG and its like number them.
#define LO_16(REG) (2 * (REG))
#define HI_16(REG) (2 * (REG) + 1)

#define LOWER_HALFWORD(x) ((x)&0xFFFF)
#define UPPER_HALFWORD(x) ((x) >> 16)

namespace ckernel {

enum Srcs { SrcA = 0, SrcB = 1, SrcC = 2 };
enum Unpackers { Unp0 = 0, Unp1 = 1, UnpAll = 2 };
enum DstStart { StartZero = 0, StartHalf = 1 };
enum DstClear { ClearRow = 0, Clear16Rows = 1, ClearHalf = 2, ClearFull = 3 };
enum ThreadId { BriscThreadId = 0, UnpackThreadId = 1, MathThreadId = 2, PackThreadId = 3 };
enum class DataLayout { TILE = 0, ROW_MAJOR = 1 };
enum DstTileShape { Tile32x32 = 0, Tile32x16 = 1, Tile16x16 = 2 };
enum UnpackDestination { SrcRegs = 0, DestReg = 1 };
enum register_space_e { TDMA_REGS = 0, LOCAL_REGS = 1, ADDR_COUNTERS = 2 };
enum SortDir : bool { ArgMax = false, ArgMin = true };
enum class ActivationType { Celu = 0, Elu = 1, Gelu = 2, Hardtanh = 3, Hardsigmoid = 4 };
enum class RoundingMode : std::uint8_t { None = 0, Trunc = 1, Floor = 2 };
enum class BinaryOp : std::uint8_t {
  ADD = 0,
  SUB = 1,
  MUL = 2,
  DIV = 3,
  RSUB = 4,
  POW = 5,
  XLOGY = 6,
  RSHFT = 7,
  LSHFT = 8,
  LOGICAL_RSHFT = 9,
  ADD_TOP_ROW = 10
};

inline constexpr std::uint32_t FACE_HEIGHT = 16, FACE_WIDTH = 16;
inline constexpr std::uint32_t TILE_HEIGHT = 32, TILE_WIDTH = 32;
inline constexpr std::uint32_t FACE_R_DIM = FACE_HEIGHT, FACE_C_DIM = FACE_WIDTH;
inline constexpr std::uint32_t TILE_R_DIM = TILE_HEIGHT, TILE_C_DIM = TILE_WIDTH;
inline constexpr std::uint32_t FACE_SIZE = FACE_R_DIM * FACE_C_DIM;
inline constexpr std::uint32_t TILE_NUM_FACES = TILE_R_DIM * TILE_C_DIM / FACE_SIZE;

/// Tiles of 16-bit cells that Dst holds.
inline constexpr std::uint32_t DEST_NUM_TILES_FP16 =
    DEST_REGISTER_FULL_SIZE * DEST_FACE_WIDTH / (TILE_HEIGHT * TILE_WIDTH);
inline constexpr std::uint32_t DEST_NUM_TILES_FP16_HALF = DEST_NUM_TILES_FP16 / 2;

/// Bits of a data format that hardware sees.
inline constexpr std::uint32_t DATA_FORMAT_BIT_COUNT = 4;
inline constexpr std::uint32_t DATA_FORMAT_CONFIG_MASK = (1U << DATA_FORMAT_BIT_COUNT) - 1;

template <typename T>
constexpr auto to_underlying(T value) noexcept {
  return static_cast<std::underlying_type_t<T>>(value);
}

constexpr std::uint32_t masked_data_format(std::uint32_t format) {
  return format & DATA_FORMAT_CONFIG_MASK;
}

/// Block floats with 5-bit exponents.
constexpr bool IS_BFP_A_FORMAT(std::uint32_t format) {
  const auto masked = static_cast<DataFormat>(masked_data_format(format));
  return masked == DataFormat::Bfp8 || masked == DataFormat::Bfp4 || masked == DataFormat::Bfp2;
}

constexpr bool IS_BFP_FORMAT(std::uint32_t format) {
  const auto masked = static_cast<DataFormat>(masked_data_format(format));
  return IS_BFP_A_FORMAT(format) || masked == DataFormat::Bfp8_b || masked == DataFormat::Bfp4_b ||
         masked == DataFormat::Bfp2_b;
}

/// Formats with 5-bit exponents.
constexpr bool IS_A_FORMAT(std::uint32_t format) {
  const auto masked = static_cast<DataFormat>(masked_data_format(format));
  return IS_BFP_A_FORMAT(format) || masked == DataFormat::Float16 || masked == DataFormat::Lf8;
}

/// Bytes of `datum_count` values.
constexpr std::uint32_t SCALE_DATUM_SIZE(std::uint32_t format, std::uint32_t datum_count) {
  switch (static_cast<DataFormat>(masked_data_format(format))) {
    case DataFormat::Int32:
    case DataFormat::Float32: return datum_count * 4;
    case DataFormat::Float16:
    case DataFormat::Float16_b:
    case DataFormat::UInt16: return datum_count * 2;
    default: return datum_count;
  }
}

} // namespace ckernel
