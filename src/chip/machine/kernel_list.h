// Lists of kernels by instruction, one per file that has kernels. That what chip/isa/effects.h says
// is executed has a kernel, and nothing else, is held by tests/machine/effects_test.cpp.
#pragma once

#include <cstddef>

#include "chip/isa/op.h"
#include "chip/machine/micro_op.h"

namespace lanewise {

// In generated code, which defines LANEWISE_GENERATED, kernels are inlined: their operands are
// constants there.
#ifdef LANEWISE_GENERATED
#define LANEWISE_KERNEL [[gnu::always_inline]] inline
#else
#define LANEWISE_KERNEL
#endif

/// A kernel on a state that is not the whole machine (chip/machine/kernels/row.h).
template <class S>
using KernelOn = void (*)(S&, const MicroOp&);

template <class S>
struct KernelOfOn {
  isa::Op op;
  KernelOn<S> kernel;
};
using KernelOf = KernelOfOn<MachineState>;

/// The kernel of an instruction, or nullptr if the list has none. Always inlined, since lists of
/// several processor levels are searched with it.
template <class S, std::size_t Count>
[[gnu::always_inline]] constexpr KernelOn<S> kernel_in(const KernelOfOn<S> (&list)[Count],
                                                       isa::Op op) {
  for (const KernelOfOn<S>& each : list) {
    if (each.op == op) return each.kernel;
  }
  return nullptr;
}

} // namespace lanewise
