// SFPI code over tiles of Dst, on the MATH thread: face by face, eight steps of two rows each.
#pragma once

#include "lanewise_compute.h"

#if defined(UCK_CHLKC_MATH)

#include "sfpi.h"

namespace lanewise_metal {

/// Entries of dst_reg that a tile takes, and steps of a face.
inline constexpr int kTileEntries = 32, kFaceSteps = 8;

/// Dst's rows from where a face begins to the next one.
FORCE_INLINE void next_face() {
  constexpr u32 kFromRow = 4, kHalfFace = 8, kDst = 4;
  push(TT_OP_SETRWC(0, kFromRow, kHalfFace, 0, 0, kDst));
  push(TT_OP_SETRWC(0, kFromRow, kHalfFace, 0, 0, kDst));
}

/// `face` for each of the faces that the mode names, with dst_reg[0] at the face's first rows;
/// `tile` is where dst_reg counts from.
template <class Face, class... Arguments>
void over_faces(u32 tile, int mode, Face&& face, Arguments... arguments) {
  stall(kVector, kMultiplies);
  aim_at(tile);
#if defined(ADDR_MOD_SET_Base_ADDR32)
  // Loads and stores of SFPI name ADDR_MOD section 3, which is 7 then, and empty.
  configure_thread(ADDR_MOD_SET_Base_ADDR32, 1);
#endif
  end_tile(kNone);
  for (u32 i = 0; i < 4; ++i) {
    const bool is_meant = mode == VectorMode::RC || (mode == VectorMode::R && i < 2) ||
                          (mode == VectorMode::C && i % 2 == 0);
    if (is_meant) face(arguments...);
    next_face();
  }
  stall(kMatrix | kConfig, kComputes);
  end_tile(kNone);
#if defined(ADDR_MOD_SET_Base_ADDR32)
  configure_thread(ADDR_MOD_SET_Base_ADDR32, 0);
#endif
}

/// Whether Dst holds FP16: some circular buffer does.
constexpr bool has_fp16() {
  for (const auto format : unpack_dst_format)
    if (format_code(format) == 1) return true;
  return false;
}

/// What a cell of Dst stores without cutting bits off, ties away from zero.
sfpi_inline sfpi::vFloat rounded(sfpi::vFloat x) {
  if constexpr (DST_ACCUM_MODE)
    return x;
  else if constexpr (has_fp16())
    return sfpi::reinterpret<sfpi::vFloat>(sfpi::float_to_fp16a(x, 0));
  else
    return sfpi::reinterpret<sfpi::vFloat>(sfpi::float_to_fp16b(x, 0));
}

/// The same, with ties to even: half an ULP and the last bit that stays, added to the bits.
sfpi_inline sfpi::vFloat rounded_to_even(sfpi::vFloat x) {
  if constexpr (DST_ACCUM_MODE || has_fp16()) return rounded(x);
  const sfpi::vUInt bits = sfpi::reinterpret<sfpi::vUInt>(x);
  const sfpi::vUInt last = (bits >> 16) & 1;
  return sfpi::reinterpret<sfpi::vFloat>(bits + 0x7FFF + last);
}

/// A function of each number.
template <class Function>
void unary(u32 tile, int mode, Function function) {
  over_faces(tile, mode, [&] {
    for (int step = 0; step < kFaceSteps; ++step) {
      const sfpi::vFloat x = sfpi::dst_reg[0];
      sfpi::dst_reg[0] = function(x);
      sfpi::dst_reg++;
    }
  });
}

/// A function of the numbers of two tiles, to a third.
template <class Function>
void binary(u32 a, u32 b, u32 out, Function function) {
  (void)dst_row(a), (void)dst_row(b), (void)dst_row(out); // all three must be there
  over_faces(0, VectorMode::RC, [&] {
    for (int step = 0; step < kFaceSteps; ++step) {
      const sfpi::vFloat x = sfpi::dst_reg[a * kTileEntries];
      const sfpi::vFloat y = sfpi::dst_reg[b * kTileEntries];
      sfpi::dst_reg[out * kTileEntries] = function(x, y);
      sfpi::dst_reg++;
    }
  });
}

} // namespace lanewise_metal

/// For SFPI code of kernels: a function of one face, over a tile; for two and three tiles it is
/// given their numbers.
template <bool = false, class Face, class... Arguments>
void _llk_math_eltwise_unary_sfpu_params_(Face&& face, std::uint32_t tile,
                                          int mode = VectorMode::RC, Arguments... arguments) {
  lanewise_metal::over_faces(tile, mode, face, arguments...);
}
template <bool = false, class Face, class... Arguments>
void _llk_math_eltwise_binary_sfpu_params_(Face&& face, std::uint32_t a, std::uint32_t b,
                                           std::uint32_t out, int mode = VectorMode::RC,
                                           Arguments... arguments) {
  lanewise_metal::over_faces(0, mode, face, a, b, out, arguments...);
}
template <bool = false, class Face, class... Arguments>
void _llk_math_eltwise_ternary_sfpu_params_(Face&& face, std::uint32_t a, std::uint32_t b,
                                            std::uint32_t c, std::uint32_t out,
                                            int mode = VectorMode::RC, Arguments... arguments) {
  lanewise_metal::over_faces(0, mode, face, a, b, c, out, arguments...);
}
#define SFPU_UNARY_CALL_NO_TEMPLATE_ARGS(sync, fp32, function, ...) \
  _llk_math_eltwise_unary_sfpu_params_(::ckernel::sfpu::function, __VA_ARGS__)
#define SFPU_BINARY_CALL_NO_TEMPLATE_ARGS(sync, fp32, function, ...) \
  _llk_math_eltwise_binary_sfpu_params_(::ckernel::sfpu::function, __VA_ARGS__)

#endif
