// A function of the Vector Unit over whole tiles, as LLK's own performance tests have it: 32 rows
// in one call behind the copy to Dst, of which the unpack thread only marks the banks valid. For
// functions that the tree's tests do not name: LAW_HEADER has it, LAW_INIT what it needs before,
// and LAW_CALL the call for `tile` (tests/silicon/laws.csv).
#include <algorithm>
#include <cstdint>

#include "ckernel.h"
#include "counters.h"
#include "llk_defs.h"
#include "params.h"
#include "perf.h"
#include "profiler.h"

std::uint32_t unp_cfg_context = 0;
std::uint32_t pack_sync_tile_dst_ptr = 0;
std::uint32_t math_sync_tile_dst_index = 0;

constexpr std::uint32_t kTiles = 8, kLoops = 16, kFaces = 4;

#ifdef LLK_TRISC_UNPACK

#include "llk_unpack_common.h"

void run_kernel(RUNTIME_PARAMETERS) {
  START_PERF_MEASURE("TILE_LOOP")
  _perf_unpack_loop_set_valid<true, is_fp32_dest_acc_en>(kFaces * kTiles * kLoops);
  PROFILER_SYNC();
}

#endif

#ifdef LLK_TRISC_MATH

#include "llk_math_common.h"
#include "llk_math_eltwise_unary_datacopy.h"
#include "llk_math_eltwise_unary_sfpu.h"
#include "sfpu_operations.h"
// What only some functions need.
#include "llk_sfpu/llk_math_eltwise_ternary_sfpu_macros.h"
#include LAW_HEADER

using namespace ckernel;

constexpr DstSync kSync = DstSync::SyncHalf;
constexpr bool kWide = is_fp32_dest_acc_en;

void run_kernel(RUNTIME_PARAMETERS) {
  {
    START_PERF_MEASURE("INIT")
    _llk_math_eltwise_unary_datacopy_init_<DataCopyType::A2D, kWide>(kFaces, formats.math);
    _llk_math_pack_sync_init_<kSync, kWide>();
    _llk_math_hw_configure_<kWide>(formats.math, formats.math);
    LAW_INIT;
    PROFILER_SYNC();
  }
  {
    START_PERF_MEASURE("TILE_LOOP")
    for (std::uint32_t loop = 0; loop < kLoops; ++loop) {
      for (std::uint32_t tile = 0; tile < kTiles; ++tile) {
        _llk_math_eltwise_unary_datacopy_<DataCopyType::A2D, kSync, kWide, BroadcastType::NONE,
                                          false>(tile, formats.math, formats.math);
        LAW_CALL;
      }
    }
    PROFILER_SYNC();
  }
}

#endif

#ifdef LLK_TRISC_PACK

void run_kernel(RUNTIME_PARAMETERS) {}

#endif
