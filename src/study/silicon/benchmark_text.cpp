// The text of the benchmarks, which is compiled with the headers of a checkout.
#include "study/silicon/benchmark.h"

namespace lanewise::silicon {

std::string_view benchmark_text() {
  return R"benchmark(// The benchmarks behind tables of cycles (docs/timing.md): three threads, of which one is measured
// and the others do what hardware needs of them. build.h has the constants; BENCH_... says which
// benchmark it is.
#undef ENABLE_LLK_ASSERT
#include <algorithm>
#include <cstdint>

#include "ckernel.h"
#include "ckernel_defs.h"
#include "counters.h"
#include "llk_defs.h"
#include "params.h"
#include "perf.h"
#include "profiler.h"
#include "tensor_shape.h"

std::uint32_t unp_cfg_context = 0;
std::uint32_t pack_sync_tile_dst_ptr = 0;
std::uint32_t math_sync_tile_dst_index = 0;

using namespace ckernel;

#define BENCH_INLINE inline __attribute__((always_inline))

constexpr DstSync kSync = DstSync::SyncHalf;
constexpr bool kWide = is_fp32_dest_acc_en;
constexpr std::uint32_t kTilesOfHalf = kWide ? 4 : 8;
constexpr bool kUnpacks = PERF_RUN_TYPE == PerfRunType::UNPACK_ISOLATE;
constexpr bool kComputes = PERF_RUN_TYPE == PerfRunType::MATH_ISOLATE;
constexpr bool kPacks = PERF_RUN_TYPE == PerfRunType::PACK_ISOLATE;

#if defined(BENCH_UNARY) || defined(BENCH_BINARY)
#define BENCH_VECTOR
#define BENCH_FACES params.num_faces
#else
#define BENCH_FACES TILE_NUM_FACES
#endif

// The faces of a tile that is described by its shape, which is made of their number: two by two, or a
// row of them.
BENCH_INLINE std::uint32_t faces_of_shape(std::uint8_t faces) {
  struct Shape {
    std::uint8_t down, across;
  };
  const std::uint8_t whole = 4, side = 2, one = 1;
  const Shape shape{faces == whole ? side : one, faces == whole ? side : faces};
  return static_cast<std::uint8_t>(shape.down * shape.across);
}

// The calls are the same in all variants; the zone has all of them, or the first or second part. A
// macro: g++ keeps no marker of a zone in a template.
#define BENCH_INITIALISE(zone, first, second)      \
  {                                                \
    if constexpr (zone == bench_part::Own) first();    \
    {                                              \
      START_PERF_MEASURE("INIT")                   \
      if constexpr (zone != bench_part::Own) first();  \
      if constexpr (zone != bench_part::Common) second(); \
      PROFILER_SYNC();                             \
    }                                              \
    if constexpr (zone == bench_part::Common) second(); \
  }

// Tiles by halves of Dst: the tile's place there, and its number.
template <class Work>
BENCH_INLINE void by_halves(std::uint32_t loops, std::uint32_t tiles, Work work) {
  for (std::uint32_t loop = 0; loop < loops; ++loop) {
    for (std::uint32_t start = 0; start < tiles; start += kTilesOfHalf) {
      const std::uint32_t count = std::min(tiles - start, kTilesOfHalf);
      for (std::uint32_t tile = 0; tile < count; ++tile) work(tile, start + tile);
    }
  }
}

template <class Work>
BENCH_INLINE void one_by_one(std::uint32_t loops, std::uint32_t tiles, Work work) {
  for (std::uint32_t loop = 0; loop < loops; ++loop) {
    for (std::uint32_t tile = 0; tile < tiles; ++tile) work(tile);
  }
}

#ifdef LLK_TRISC_UNPACK

#include "llk_unpack_common.h"
#if defined(BENCH_ELEMENTS)
#include "llk_unpack_AB.h"
#elif defined(BENCH_REDUCE)
#include "llk_unpack_AB_reduce.h"
#else
#include "llk_unpack_A.h"
#endif

void run_kernel(RUNTIME_PARAMETERS params) {
  const std::uint32_t tiles = params.TILE_CNT, loops = params.LOOP_FACTOR;
  const auto& buffer_A = params.buffer_A;
  [[maybe_unused]] const auto& buffer_B = params.buffer_B;
  constexpr bench_part zone = kUnpacks ? BENCH_ZONE : bench_part::Whole;
  const auto common = [&] {
    _llk_unpack_hw_configure_<kWide>(formats.unpack_A_src, formats.unpack_B_src,
                                     formats.unpack_A_dst, formats.unpack_B_dst, FACE_R_DIM,
                                     FACE_R_DIM, BENCH_FACES, BENCH_FACES);
  };
  const auto own = [&] {
#if defined(BENCH_ELEMENTS)
    _llk_unpack_AB_init_<>(DEFAULT_TENSOR_SHAPE);
#elif defined(BENCH_REDUCE)
    _llk_unpack_AB_reduce_init_<POOL_TYPE, REDUCE_DIM>(DEFAULT_TENSOR_SHAPE);
#else
    _llk_unpack_A_init_<BroadcastType::NONE, false, EltwiseBinaryReuseDestType::NONE,
                        unpack_to_dest>(params.UNPACK_TRANSPOSE_FACES,
                                        params.UNPACK_TRANSPOSE_WITHIN_FACE, FACE_R_DIM,
                                        faces_of_shape(params.num_faces), formats.unpack_A_src,
                                        formats.unpack_A_dst);
#endif
  };
  BENCH_INITIALISE(zone, common, own)
  {
    START_PERF_MEASURE("TILE_LOOP")
    if constexpr (kComputes) {
#if defined(BENCH_ELEMENTS) || defined(BENCH_REDUCE)
      _perf_unpack_loop_set_valid<true, true>(loops * tiles * TILE_NUM_FACES);
#else
      if constexpr (!unpack_to_dest)
        _perf_unpack_loop_set_valid<true, kWide>(loops * tiles * BENCH_FACES);
#endif
    }
    if constexpr (kUnpacks) {
      one_by_one(loops, tiles, [&](std::uint32_t tile) {
#if defined(BENCH_ELEMENTS)
        _llk_unpack_AB_<>(L1_ADDRESS(buffer_A[tile]), L1_ADDRESS(buffer_B[tile]));
#elif defined(BENCH_REDUCE)
        _llk_unpack_AB_reduce_<POOL_TYPE, REDUCE_DIM>(L1_ADDRESS(buffer_A[tile]),
                                                      L1_ADDRESS(buffer_B[tile]));
#else
        _llk_unpack_A_<BroadcastType::NONE, false, EltwiseBinaryReuseDestType::NONE,
                       unpack_to_dest>(L1_ADDRESS(buffer_A[tile]), formats.unpack_A_src,
                                       formats.unpack_A_dst);
#endif
      });
    }
#ifndef BENCH_VECTOR
    if constexpr (!kUnpacks) return;
#endif
    PROFILER_SYNC();
  }
}

#endif

#ifdef LLK_TRISC_MATH

#include "llk_math_common.h"
#if defined(BENCH_ELEMENTS)
#include "llk_math_eltwise_binary.h"
#elif defined(BENCH_REDUCE)
#include "llk_math_reduce.h"
#else
#include "llk_math_eltwise_unary_datacopy.h"
#endif
#ifdef BENCH_VECTOR
#include "llk_math_eltwise_binary_sfpu_params.h"
#include "llk_math_eltwise_unary_sfpu_params.h"
#include BENCH_HEADER
using namespace ckernel::sfpu;
#endif

// What comes from SrcA goes to Dst; with unpack_to_dest, only the hand-shake.
#if !defined(BENCH_ELEMENTS) && !defined(BENCH_REDUCE)
BENCH_INLINE void copy_tile(std::uint32_t tile) {
  _llk_math_eltwise_unary_datacopy_<DataCopyType::A2D, kSync, kWide, BroadcastType::NONE,
                                    unpack_to_dest>(tile, formats.math, formats.math);
}
#endif

// An operation's own initialisation, which begins anew where the common part has ended; LLK's tests have
// it in a function.
#ifdef BENCH_UNARY
BENCH_INLINE void initialise_unary() {
  _llk_math_eltwise_unary_sfpu_init_<BENCH_TYPE>();
  if constexpr (BENCH_INIT_FORM == init_form::ApartWithSteps)
    addr_mod_t{.dest = {.incr = 2}}.set(ADDR_MOD_6);
  if constexpr (BENCH_INIT_FORM == init_form::ApartWithAll)
    _llk_math_eltwise_unary_sfpu_init_<BENCH_TYPE>();
  else if constexpr (BENCH_INIT_FORM != init_form::Common)
    math::reset_counters(p_setrwc::SET_ABD_F);
  BENCH_INIT;
}
extern "C" __attribute__((noinline)) void bench_init_left() { initialise_unary(); }
#endif

void run_kernel(RUNTIME_PARAMETERS params) {
  const std::uint32_t tiles = params.TILE_CNT, loops = params.LOOP_FACTOR;
  constexpr bench_part zone = kComputes ? BENCH_ZONE : bench_part::Whole;
  const auto common = [&] {
#ifdef BENCH_VECTOR
    _llk_math_eltwise_unary_datacopy_init_<DataCopyType::A2D, kWide>(BENCH_FACES,
                                                                    formats.math);
#endif
    _llk_math_pack_sync_init_<kSync, kWide>();
    _llk_math_hw_configure_<kWide>(formats.math, formats.math);
  };
  const auto own = [&] {
#if defined(BENCH_ELEMENTS)
    _llk_math_eltwise_binary_init_<ELTWISE_BINARY_OP, BroadcastType::NONE, MATH_FIDELITY>(
        DEFAULT_TENSOR_SHAPE, 0);
#elif defined(BENCH_REDUCE)
    _llk_math_reduce_init_<POOL_TYPE, REDUCE_DIM, kWide, MATH_FIDELITY, false>();
#elif defined(BENCH_UNARY)
    if constexpr (BENCH_INIT_LEFT)
      bench_init_left();
    else
      initialise_unary();
#elif defined(BENCH_BINARY)
    _llk_math_eltwise_binary_sfpu_init_<BENCH_TYPE>();
    if constexpr (BENCH_INIT_FORM == init_form::WithSteps) {
      addr_mod_t{.dest = {.incr = 2}}.set(ADDR_MOD_6);
      math::reset_counters(p_setrwc::SET_ABD_F);
    }
    BENCH_INIT;
#else
    _llk_math_eltwise_unary_datacopy_init_<DataCopyType::A2D, kWide>(BENCH_FACES,
                                                                    formats.math);
#endif
  };
  BENCH_INITIALISE(zone, common, own)
  {
    START_PERF_MEASURE("TILE_LOOP")
    if constexpr (kUnpacks) {
#if defined(BENCH_ELEMENTS) || defined(BENCH_REDUCE)
      _perf_math_loop_clear_valid<true, true>(loops * tiles * TILE_NUM_FACES);
#else
      one_by_one(loops, tiles, [&](std::uint32_t tile) {
        if constexpr (unpack_to_dest)
          copy_tile(tile % kTilesOfHalf);
        else
          _perf_math_loop_clear_valid<true, true>(BENCH_FACES);
      });
#endif
    }
    if constexpr (kComputes) {
      by_halves(loops, tiles, [&](std::uint32_t tile, std::uint32_t) {
#if defined(BENCH_ELEMENTS)
        _llk_math_eltwise_binary_<ELTWISE_BINARY_OP, BroadcastType::NONE, kSync, kWide,
                                  MATH_FIDELITY>(DEFAULT_TENSOR_SHAPE, tile, false);
#elif defined(BENCH_REDUCE)
        _llk_math_reduce_<POOL_TYPE, REDUCE_DIM, kWide, MATH_FIDELITY, false, false>(
            tile, DEFAULT_TENSOR_SHAPE);
#else
        if constexpr (!unpack_to_dest) copy_tile(tile);
#ifdef BENCH_VECTOR
        if constexpr (!BENCH_COPY_ONLY) {
#ifdef BENCH_UNARY
          _llk_math_eltwise_unary_sfpu_params_([] { BENCH_CALL; }, tile, BENCH_MODE);
#else
          _llk_math_eltwise_binary_sfpu_params_(BENCH_CALL, tile, (tile + 1) % kTilesOfHalf, tile,
                                                BENCH_MODE);
#endif
        }
#endif
#endif
      });
    }
#ifndef BENCH_VECTOR
    if constexpr (!kComputes) return;
#endif
    PROFILER_SYNC();
  }
}

#endif

#ifdef LLK_TRISC_PACK

#include "llk_lib_pack_wrappers.h"
#include "llk_pack.h"
#include "llk_pack_common.h"

BENCH_INLINE void configure_packer(RUNTIME_PARAMETERS params) {
  _llk_pack_hw_configure_<kWide, PackMode::Default>(formats.pack_src, formats.pack_dst,
                                                    FACE_R_DIM * FACE_C_DIM * BENCH_FACES);
  _llk_pack_init_wrapper_<PackMode::Default, false>(formats.pack_dst, FACE_R_DIM, TILE_C_DIM,
                                                    BENCH_FACES);
  _llk_pack_dest_init_<kSync, kWide>();
}
BENCH_INLINE void mask_packer() {
#ifdef BENCH_REDUCE
  _llk_pack_reduce_mask_config_<REDUCE_DIM>();
#endif
}
template <bench_part part>
__attribute__((noinline)) void initialise_packer_left(RUNTIME_PARAMETERS params) {
  if constexpr (part == bench_part::Own)
    mask_packer();
  else
    configure_packer(params);
}

void run_kernel(RUNTIME_PARAMETERS params) {
  const std::uint32_t tiles = params.TILE_CNT, loops = params.LOOP_FACTOR;
  const auto& buffer_Res = params.buffer_Res;
  constexpr bench_part zone = kPacks ? BENCH_ZONE : bench_part::Whole;
  const auto own = [&] {
    if constexpr (BENCH_INIT_LEFT && zone == bench_part::Own)
      initialise_packer_left<zone>(params);
    else
      mask_packer();
  };
  const auto common = [&] {
    if constexpr (BENCH_INIT_LEFT && zone != bench_part::Own)
      initialise_packer_left<zone>(params);
    else
      configure_packer(params);
  };
  BENCH_INITIALISE(zone, common, own)
  {
    START_PERF_MEASURE("TILE_LOOP")
    if constexpr (kPacks) {
      by_halves(loops, tiles, [&](std::uint32_t tile, std::uint32_t number) {
        _llk_pack_<kSync, kWide, PackMode::Default>(tile, L1_ADDRESS(buffer_Res[number]));
      });
    }
#ifdef BENCH_REDUCE
    _llk_pack_reduce_mask_clear_();
#endif
#ifndef BENCH_VECTOR
    if constexpr (!kPacks) return;
#endif
    PROFILER_SYNC();
  }
}

#endif
)benchmark";
}

} // namespace lanewise::silicon
