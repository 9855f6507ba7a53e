// The intrinsics of x86. Emscripten has those of 128 bits, made of WebAssembly's vectors; wider
// ones stand only in branches that are never taken there, for which they have names.
#pragma once

#include <immintrin.h>

#include <cstdint>

#if defined(__EMSCRIPTEN__)
using __mmask8 = std::uint8_t;
using __mmask16 = std::uint16_t;
using __mmask32 = std::uint32_t;
typedef float __m256 __attribute__((vector_size(32)));
typedef double __m256d __attribute__((vector_size(32)));
typedef long long __m256i __attribute__((vector_size(32)));
typedef float __m512 __attribute__((vector_size(64)));
typedef double __m512d __attribute__((vector_size(64)));
typedef long long __m512i __attribute__((vector_size(64)));
#define LANEWISE_NEVER_CALLED(name) \
  template <class... Operands>      \
  __m512i name(Operands...)
LANEWISE_NEVER_CALLED(_mm256_abs_epi32);
LANEWISE_NEVER_CALLED(_mm256_blend_epi32);
LANEWISE_NEVER_CALLED(_mm256_blendv_epi8);
LANEWISE_NEVER_CALLED(_mm256_fmadd_ps);
LANEWISE_NEVER_CALLED(_mm256_max_epi32);
LANEWISE_NEVER_CALLED(_mm256_mul_epu32);
LANEWISE_NEVER_CALLED(_mm256_sllv_epi32);
LANEWISE_NEVER_CALLED(_mm256_srav_epi32);
LANEWISE_NEVER_CALLED(_mm256_srlv_epi32);
LANEWISE_NEVER_CALLED(_mm512_cmpeq_epi32_mask);
LANEWISE_NEVER_CALLED(_mm512_cmpgt_epi32_mask);
LANEWISE_NEVER_CALLED(_mm512_cmpgt_epu32_mask);
LANEWISE_NEVER_CALLED(_mm512_cmple_epu32_mask);
LANEWISE_NEVER_CALLED(_mm512_cmpneq_epi32_mask);
LANEWISE_NEVER_CALLED(_mm512_fmadd_ps);
LANEWISE_NEVER_CALLED(_mm512_fpclass_ps_mask);
LANEWISE_NEVER_CALLED(_mm512_mask_mov_epi32);
LANEWISE_NEVER_CALLED(_mm512_mask_movehdup_ps);
LANEWISE_NEVER_CALLED(_mm512_mask_moveldup_ps);
LANEWISE_NEVER_CALLED(_mm512_mask_or_epi32);
LANEWISE_NEVER_CALLED(_mm512_maskz_abs_epi32);
LANEWISE_NEVER_CALLED(_mm512_maskz_add_round_ps);
LANEWISE_NEVER_CALLED(_mm512_maskz_lzcnt_epi32);
LANEWISE_NEVER_CALLED(_mm512_maskz_max_epi32);
LANEWISE_NEVER_CALLED(_mm512_maskz_mov_epi32);
LANEWISE_NEVER_CALLED(_mm512_maskz_mul_epu32);
LANEWISE_NEVER_CALLED(_mm512_maskz_range_ps);
LANEWISE_NEVER_CALLED(_mm512_maskz_sllv_epi32);
LANEWISE_NEVER_CALLED(_mm512_maskz_srav_epi32);
LANEWISE_NEVER_CALLED(_mm512_maskz_srlv_epi32);
LANEWISE_NEVER_CALLED(_mm512_maskz_sub_round_ps);
LANEWISE_NEVER_CALLED(_mm512_movepi32_mask);
LANEWISE_NEVER_CALLED(_mm512_test_epi32_mask);
#undef LANEWISE_NEVER_CALLED
#endif
