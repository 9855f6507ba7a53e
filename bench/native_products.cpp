// Compiled once per x86-64 level with the flags of the kernels, as native_loops.cpp is.
#include "native_products.h"

#ifndef LANEWISE_LEVEL
#error "native loops are compiled once per level, see bench/CMakeLists.txt"
#endif

namespace lanewise::bench::LANEWISE_LEVEL {

namespace {

/// The loop over columns stays a loop until it becomes vectors: unrolled first, compilers make less
/// of it.
template <class T>
[[gnu::always_inline]] inline void multiply_add(T* __restrict sum, T factor,
                                                const T* __restrict row) {
#pragma GCC unroll 1
  for (unsigned j = 0; j < kProductColumns; ++j) sum[j] += factor * row[j];
}

template <class T>
void multiply(ProductArrays<T>& arrays, unsigned count) {
  for (unsigned n = 0; n < count; ++n) {
    auto& target = arrays.sum[n % kProductTargets];
    for (unsigned i = 0; i < kProductRows; ++i) {
      for (unsigned k = 0; k < kProductInner; ++k)
        multiply_add(target[i], arrays.b[i][k], arrays.a[k]);
    }
    asm volatile("" ::: "memory"); // each product is done, also one that repeats the last
  }
}

} // namespace

NativeProducts find_products() {
  return {.floats = multiply<float>, .integers = multiply<std::int32_t>};
}

} // namespace lanewise::bench::LANEWISE_LEVEL
