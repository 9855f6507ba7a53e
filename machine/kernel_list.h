// Lists of kernels by instruction, one per file that has kernels. That what isa/effects.h says is
// executed has a kernel, and nothing else, is held by tests/machine/effects_test.cpp.
#pragma once

#include <cstddef>

#include "isa/op.h"
#include "machine/micro_op.h"

namespace lanewise {

struct KernelOf {
  isa::Op op;
  Kernel kernel;
};

/// The kernel of an instruction, or nullptr if the list has none. Always inlined, since lists of
/// several processor levels are searched with it.
template <std::size_t Count>
[[gnu::always_inline]] inline Kernel kernel_in(const KernelOf (&list)[Count], isa::Op op) {
  for (const KernelOf& each : list) {
    if (each.op == op) return each.kernel;
  }
  return nullptr;
}

} // namespace lanewise
