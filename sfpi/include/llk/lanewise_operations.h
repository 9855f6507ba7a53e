// What depends on the list of operations, SfpuType: that of the tree that a kernel comes from, else
// fallback/llk_sfpu_types.h. Stands behind the precompiled headers, which are the same for all
// trees.
#pragma once

#include "lanewise_harness.h"
#include "llk_sfpu_types.h"

namespace lanewise_llk {

/// As init_unary, with the ADDR_MOD 6 of the operation.
template <SfpuType operation>
inline void init_unary() {
  init(operation == SfpuType::topk_local_sort ? 32 : 2);
}

} // namespace lanewise_llk
