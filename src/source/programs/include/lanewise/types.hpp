// What host programs of tt-metal name: chips, formats, settings of kernels. Written
// for Lanewise after docs/programs.md; no text of tt-metal is in it.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fmt/ostream.h>

namespace tt {

enum class ARCH : std::uint8_t { BLACKHOLE, WORMHOLE_B0, GRAYSKULL, QUASAR, Invalid };

enum class DataFormat : std::uint8_t {
  Float32 = 0, Float16 = 1, Bfp8 = 2, Bfp4 = 3, Tf32 = 4, Float16_b = 5, Bfp8_b = 6, Bfp4_b = 7, Int32 = 8,
  UInt16 = 9, Lf8 = 10, Bfp2 = 11, Int8 = 14, Bfp2_b = 15, UInt32 = 24, Fp8_e4m3 = 26, UInt8 = 30,
  RawUInt8 = 240, RawUInt16 = 241, RawUInt32 = 242, Invalid = 255
};

inline const char* lanewise_format_name(DataFormat format) {
  switch (format) {
    case DataFormat::Float32: return "Float32";
    case DataFormat::Float16: return "Float16";
    case DataFormat::Bfp8: return "Bfp8";
    case DataFormat::Bfp4: return "Bfp4";
    case DataFormat::Tf32: return "Tf32";
    case DataFormat::Float16_b: return "Float16_b";
    case DataFormat::Bfp8_b: return "Bfp8_b";
    case DataFormat::Bfp4_b: return "Bfp4_b";
    case DataFormat::Int32: return "Int32";
    case DataFormat::UInt16: return "UInt16";
    case DataFormat::Lf8: return "Lf8";
    case DataFormat::Bfp2: return "Bfp2";
    case DataFormat::Int8: return "Int8";
    case DataFormat::Bfp2_b: return "Bfp2_b";
    case DataFormat::UInt32: return "UInt32";
    case DataFormat::Fp8_e4m3: return "Fp8_e4m3";
    case DataFormat::UInt8: return "UInt8";
    case DataFormat::RawUInt8: return "RawUInt8";
    case DataFormat::RawUInt16: return "RawUInt16";
    case DataFormat::RawUInt32: return "RawUInt32";
    case DataFormat::Invalid: break;
  }
  return "Invalid";
}
inline std::ostream& operator<<(std::ostream& stream, DataFormat format) {
  return stream << lanewise_format_name(format);
}

/// Bytes of a tile of 32 x 32.
constexpr std::uint32_t tile_size(DataFormat format) {
  constexpr std::uint32_t kData = 1024, kExponents = 64;
  switch (format) {
    case DataFormat::Bfp8:
    case DataFormat::Bfp8_b: return kData + kExponents;
    case DataFormat::Bfp4:
    case DataFormat::Bfp4_b: return kData / 2 + kExponents;
    case DataFormat::Bfp2:
    case DataFormat::Bfp2_b: return kData / 4 + kExponents;
    case DataFormat::Float16:
    case DataFormat::Float16_b:
    case DataFormat::UInt16:
    case DataFormat::RawUInt16: return 2 * kData;
    case DataFormat::Float32:
    case DataFormat::Tf32:
    case DataFormat::Int32:
    case DataFormat::UInt32:
    case DataFormat::RawUInt32: return 4 * kData;
    case DataFormat::Lf8:
    case DataFormat::Int8:
    case DataFormat::UInt8:
    case DataFormat::Fp8_e4m3:
    case DataFormat::RawUInt8: return kData;
    case DataFormat::Invalid: break;
  }
  throw std::invalid_argument("there is no tile of this format");
}

enum CBIndex : std::uint8_t {
  c_0, c_1, c_2, c_3, c_4, c_5, c_6, c_7, c_8, c_9, c_10, c_11, c_12, c_13, c_14, c_15, c_16, c_17, c_18, c_19,
  c_20, c_21, c_22, c_23, c_24, c_25, c_26, c_27, c_28, c_29, c_30, c_31, SIZE
};
using CB = CBIndex;

namespace constants {
constexpr std::uint32_t TILE_HEIGHT = 32, TILE_WIDTH = 32, TILE_HW = 1024, FACE_HEIGHT = 16, FACE_WIDTH = 16,
                        FACE_HW = 256;
constexpr std::uint32_t BFLOAT8_B_TILE_HW = 1088;
} // namespace constants

template <class A, class B>
constexpr auto div_up(A a, B b) { return (a + b - 1) / b; }
template <class A, class B>
constexpr auto round_up(A a, B b) { return b * div_up(a, b); }
template <class A, class B>
constexpr auto align(A a, B b) { return round_up(a, b); }

namespace tt_metal {

enum class MathFidelity : std::uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4, Invalid = 255 };
enum class UnpackToDestMode : std::uint8_t { Default, UnpackToDestFp32 };
enum NOC : std::uint8_t { RISCV_0_default = 0, RISCV_1_default = 1, NOC_0 = 0, NOC_1 = 1 };
enum NOC_MODE : std::uint8_t { DM_DEDICATED_NOC = 0, DM_DYNAMIC_NOC = 1 };
enum class DataMovementProcessor : std::uint8_t { RISCV_0 = 0, RISCV_1 = 1 };
enum class KernelBuildOptLevel : std::uint8_t { O0, O1, O2, O3, Os, Ofast, Oz };
enum class BufferType : std::uint8_t { DRAM, L1, SYSTEM_MEMORY, L1_SMALL, TRACE };
enum class TensorMemoryLayout : std::uint8_t { INTERLEAVED, SINGLE_BANK, HEIGHT_SHARDED, WIDTH_SHARDED, BLOCK_SHARDED };
enum class ShardOrientation : std::uint8_t { ROW_MAJOR, COL_MAJOR };
inline std::ostream& operator<<(std::ostream& stream, TensorMemoryLayout layout) {
  constexpr std::array<const char*, 5> kNames{"INTERLEAVED", "SINGLE_BANK", "HEIGHT_SHARDED", "WIDTH_SHARDED",
                                              "BLOCK_SHARDED"};
  return stream << kNames.at(static_cast<std::size_t>(layout));
}
using DeviceAddr = std::uint64_t;
using ChipId = int;
using KernelHandle = std::uint32_t;
using CBHandle = std::uintptr_t;

struct DataMovementConfig {
  DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
  NOC noc = NOC::RISCV_0_default;
  NOC_MODE noc_mode = NOC_MODE::DM_DEDICATED_NOC;
  std::vector<std::uint32_t> compile_args = {};
  std::map<std::string, std::string> defines = {};
  std::unordered_map<std::string, std::uint32_t> named_compile_args = {};
  KernelBuildOptLevel opt_level = KernelBuildOptLevel::O2;
  std::vector<std::string> compiler_include_paths = {};
};
/// Readers are on RISCV_1 and NoC 0, writers on RISCV_0 and NoC 1.
struct ReaderDataMovementConfig : DataMovementConfig {
  ReaderDataMovementConfig(std::vector<std::uint32_t> args = {}, std::map<std::string, std::string> macros = {},
                           std::unordered_map<std::string, std::uint32_t> named = {})
      : DataMovementConfig{DataMovementProcessor::RISCV_1, NOC::NOC_0, NOC_MODE::DM_DEDICATED_NOC, std::move(args),
                           std::move(macros), std::move(named)} {}
};
struct WriterDataMovementConfig : DataMovementConfig {
  WriterDataMovementConfig(std::vector<std::uint32_t> args = {}, std::map<std::string, std::string> macros = {},
                           std::unordered_map<std::string, std::uint32_t> named = {})
      : DataMovementConfig{DataMovementProcessor::RISCV_0, NOC::NOC_1, NOC_MODE::DM_DEDICATED_NOC, std::move(args),
                           std::move(macros), std::move(named)} {}
};
struct ComputeConfig {
  MathFidelity math_fidelity = MathFidelity::HiFi4;
  bool fp32_dest_acc_en = false;
  bool dst_full_sync_en = false;
  std::vector<UnpackToDestMode> unpack_to_dest_mode = {};
  bool bfp8_pack_precise = false;
  bool math_approx_mode = false;
  std::vector<std::uint32_t> compile_args = {};
  std::map<std::string, std::string> defines = {};
  std::unordered_map<std::string, std::uint32_t> named_compile_args = {};
  KernelBuildOptLevel opt_level = KernelBuildOptLevel::O3;
  std::vector<std::string> compiler_include_paths = {};
};

} // namespace tt_metal
} // namespace tt

/// What semaphores begin with (common_values.hpp of tt-metal).
constexpr std::uint32_t INVALID = 0, VALID = 1;

using tt::tt_metal::MathFidelity;

template <>
struct fmt::formatter<tt::tt_metal::TensorMemoryLayout> : fmt::ostream_formatter {};
template <>
struct fmt::formatter<tt::DataFormat> : fmt::ostream_formatter {};
