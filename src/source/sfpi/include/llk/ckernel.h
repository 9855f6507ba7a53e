// What kernels expect of the core they run on: instruction buffer, semaphores, replay, seeds.
//
// A RISC-V core talks to the coprocessor through memory-mapped registers. On the host everything
// that ends in an instruction is recorded as that instruction; what only the RISC-V core sees
// (mailboxes, clocks, semaphore polling) is not offered, so that a kernel that needs it does not
// compile instead of computing something else.
#pragma once

// Kernels tell compute threads from data-movement cores by this macro.
#ifndef COMPILE_FOR_TRISC
#define COMPILE_FOR_TRISC 1
#endif

#include <cstdint>
#include <type_traits>
#include <utility>

#include "ckernel_config.h"
#include "ckernel_globals.h"
#include "ckernel_include.h"
#include "ckernel_instr_params.h"
#include "ckernel_ops.h"
#include "internal/risc_attribs.h"
#include "llk_assert.h"
#include "llk_defs.h"
#include "lltt.h"
#include "sfpi_emit.h"
#include "tensix.h"

#define LIKELY(condition) __builtin_expect(static_cast<bool>(condition), 1)
#define UNLIKELY(condition) __builtin_expect(static_cast<bool>(condition), 0)
#define UNREACHABLE() __builtin_unreachable()
#define UNROLL_LOOP(factor) GCC unroll factor
#define TT_ALWAYS_INLINE inline __attribute__((always_inline))

namespace ckernel {

/// `instrn_buffer[0] = word` issues the word.
class instruction_slot {
 public:
  const instruction_slot& operator=(std::uint32_t word) const {
    ::lanewise_sfpi::emit(word);
    return *this;
  }
};

class instruction_buffer {
 public:
  instruction_slot operator[](std::size_t /*index*/) const { return {}; }
};

inline constexpr instruction_buffer instrn_buffer{};

/// Whether `value` fits in a field of `width` bits.
template <typename T>
constexpr bool is_valid(T value, std::uint8_t width) {
  const T mask = static_cast<T>((1U << width) - 1U);
  return (value & mask) == value;
}

template <std::uint32_t WaitRes = p_stall::NONE>
inline void t6_semaphore_post(std::uint8_t index) {
  if constexpr (WaitRes != p_stall::NONE) TTI_STALLWAIT(p_stall::STALL_SYNC, WaitRes);
  TTI_SEMPOST(semaphore::t6_sem(index));
}

template <std::uint32_t WaitRes = p_stall::NONE>
inline void t6_semaphore_get(std::uint8_t index) {
  if constexpr (WaitRes != p_stall::NONE) TTI_STALLWAIT(p_stall::STALL_SYNC, WaitRes);
  TTI_SEMGET(semaphore::t6_sem(index));
}

template <std::uint32_t WaitRes>
inline void t6_semaphore_wait_on_max(std::uint8_t index) {
  TTI_SEMWAIT(WaitRes, semaphore::t6_sem(index), p_stall::STALL_ON_MAX);
}

template <std::uint32_t WaitRes>
inline void t6_semaphore_wait_on_zero(std::uint8_t index) {
  TTI_SEMWAIT(WaitRes, semaphore::t6_sem(index), p_stall::STALL_ON_ZERO);
}

inline void t6_semaphore_init(std::uint8_t index, std::uint8_t value, std::uint8_t max) {
  TTI_SEMINIT(max, value, semaphore::t6_sem(index));
}

inline void t6_mutex_acquire(std::uint8_t index) {
  TTI_ATGETM(index);
}
inline void t6_mutex_release(std::uint8_t index) {
  TTI_ATRELM(index);
}

inline void reset_dest_offset_id() {
  dest_offset_id = 0;
}
inline void update_dest_offset_id() {
  dest_offset_id = 1 - dest_offset_id;
}

/// First row of the half of Dst in use.
inline std::uint32_t get_dest_buffer_base() {
  return dest_offset_id != 0 ? DEST_REGISTER_HALF_SIZE : 0;
}

inline void mop_run(std::uint8_t type, std::uint8_t count) {
  TTI_MOP(type, count - 1, 0);
}

/// Clears all of Dst.
inline void zeroacc() {
  addr_mod_t{}.set(ADDR_MOD_1);
  INSTRUCTION_WORD(LANEWISE_OP_ZEROACC(p_zeroacc::CLR_ALL, ADDR_MOD_1, 0));
}

/// Clears both banks of SrcA and SrcB.
inline void zerosrc() {
  TTI_ZEROSRC(0, 0, 1, p_zerosrc::CLR_AB);
}

enum ExecBool : bool { NoExec, Exec };

/// Records the `length` instructions that `callable(arguments...)` issues into the replay buffer
/// from slot `start` on, executing them meanwhile if asked to.
template <ExecBool Execute = NoExec, typename Callable, typename... Arguments>
inline void load_replay_buf(std::uint32_t start, std::uint32_t length, Callable&& callable,
                            Arguments&&... arguments) {
  lltt::record<lltt::ExecBool(Execute)>(start, length);
  callable(std::forward<Arguments>(arguments)...);
}

/// Seeds the random numbers of all lanes. The pause is part of the function: hardware takes a while
/// to spread the seed.
inline void init_prng_seed(std::uint32_t seed) {
  constexpr int kPause = 600;
  cfg_write(PRNG_SEED_Seed_Val_ADDR32, seed);
  for (int i = 0; i < kPause; ++i) TTI_SFPNOP;
}

constexpr bool is_valid_instruction_mode(InstrModLoadStore mode) {
  return mode == InstrModLoadStore::INT32_2S_COMP || mode == InstrModLoadStore::INT32 ||
         mode == InstrModLoadStore::LO16;
}

#if defined(LANEWISE_CASTS_INTEGERS)
/// Converts LReg `src` into `dst` and back into `src` with the sign that the cast loses.
inline void apply_sign_magnitude_conversion(std::uint32_t src, std::uint32_t dst,
                                            InstrModCast cast_mode) {
  TTI_SFPCAST(src, dst, cast_mode);
  TTI_SFPSETSGN(0, dst, src, 0);
}
#endif

/// log2 of the Dst rows of a tile, by DstTileShape.
inline constexpr std::uint32_t DstTileSizeLog2[3] = {6, 5, 4};

template <DstSync SYNC_MODE, bool ACCUM_MODE, DstTileShape TILE_SHAPE>
constexpr std::uint32_t get_dest_max_tiles() {
  constexpr std::uint32_t rows =
      SYNC_MODE == DstSync::SyncHalf ? DEST_REGISTER_HALF_SIZE : DEST_REGISTER_FULL_SIZE;
  return (ACCUM_MODE ? rows / 2 : rows) >> DstTileSizeLog2[TILE_SHAPE];
}

// Everything is recorded in program order already.
inline void tensix_sync() {}
inline void mop_sync() {}

} // namespace ckernel

/// Where kernels live; named here, so that it exists before the first of them.
namespace ckernel::sfpu {}
