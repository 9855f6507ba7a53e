// Enumerations that kernels take as template arguments.
#pragma once

#include <cstdint>

#include "tensix_types.h"

namespace ckernel {

/// Which faces of a tile an operation visits.
enum VectorMode { None = 0, R = 1, C = 2, RC = 4, RC_custom = 6, Invalid = 0xFF };

enum ReduceDim { REDUCE_ROW, REDUCE_COL, REDUCE_SCALAR };
enum TileDim { R_IDX = 0, C_IDX = 1 };
enum PoolType { SUM, AVG, MAX, MIN };
enum DataCopyType { A2D, B2D };
enum EltwiseBinaryType { ELWMUL, ELWDIV, ELWADD, ELWSUB, ELWLESS };
enum class EltwiseBinaryReuseDestType { NONE = 0, DEST_TO_SRCA = 1, DEST_TO_SRCB = 2 };
enum DstSync { SyncHalf = 0, SyncFull = 1 };
enum BroadcastType { NONE = 0, COL = 1, ROW = 2, SCALAR = 3 };
enum ReluType { NO_RELU, ZERO_RELU, MIN_THRESHOLD_RELU, MAX_THRESHOLD_RELU };
enum class MathFidelity : std::uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4 };
enum struct StochRndType { None = 0, Fpu = 1, Pack = 2, All = 0xF };

inline constexpr bool UnpackToDestEn = true;
inline constexpr bool UnpackToDestDis = false;

/// Mod0 of SFPLOAD and SFPSTORE.
enum InstrModLoadStore {
  DEFAULT = 0,
  FP16A = 1,
  FP16B = 2,
  FP32 = 3,
  INT32 = 4,
  INT8 = 5,
  LO16 = 6,
  HI16 = 7,
  INT32_2S_COMP = 12,
  INT8_2S_COMP = 13,
  LO16_ONLY = 14,
  HI16_ONLY = 15
};

/// The Mod0 that reads and writes Dst cells of a format; block floats are whatever Dst holds. With
/// 32 bits in Dst, floats of 16 bits lie there as FP32.
template <DataFormat format, bool fp32_dst = false>
constexpr InstrModLoadStore GetSfpLoadStoreInstrMod() {
  switch (format) {
    case DataFormat::Float32:
    case DataFormat::Tf32: return InstrModLoadStore::FP32;
    case DataFormat::Float16: return fp32_dst ? InstrModLoadStore::FP32 : InstrModLoadStore::FP16A;
    case DataFormat::Float16_b:
      return fp32_dst ? InstrModLoadStore::FP32 : InstrModLoadStore::FP16B;
    case DataFormat::Int32:
    case DataFormat::UInt32: return InstrModLoadStore::INT32;
    case DataFormat::UInt16: return InstrModLoadStore::LO16;
    case DataFormat::Int8:
    case DataFormat::UInt8: return InstrModLoadStore::INT8;
    default: return InstrModLoadStore::DEFAULT;
  }
}

/// Mod1 of SFPCAST; the last two are Blackhole's.
enum InstrModCast {
  INT32_TO_FP32_NEAREST_EVEN = 0,
  INT32_TO_FP32_STOCHASTIC = 1,
  INT32_2S_COMP_TO_INT_SIGN_MAGN = 2,
  INT_SIGN_MAGN_TO_INT32_2S_COMP = 3
};

} // namespace ckernel
