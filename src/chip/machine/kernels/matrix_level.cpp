// The kernels of the Matrix Unit of one x86-64 level, compiled once per level as level.cpp is.
#include "chip/machine/kernel_list.h"
#include "chip/machine/kernels/matrix.h"
#include "chip/machine/kernels/matrix_pool.h"

namespace lanewise::LANEWISE_LEVEL {

namespace {

template <Arch A>
Kernel find_for_chip(isa::Op op) {
  using isa::Op;
  static constexpr KernelOf kList[] = {
      {Op::MVMUL, mvmul<A>},
      {Op::DOTPV, dotpv<A>},
      {Op::GAPOOL, gapool<A>},
      {Op::GMPOOL, gmpool},
      {Op::MPOOL3S1, mpool_of_zeros},
      {Op::MPOOL3S2, mpool_of_zeros},
      {Op::ELWMUL, elementwise<A, Elementwise::Multiply>},
      {Op::ELWADD, elementwise<A, Elementwise::Add>},
      {Op::ELWSUB, elementwise<A, Elementwise::Subtract>},
      {Op::CONV3S1, add_nothing<A>},
      {Op::CONV3S2, add_nothing<A>},
      {Op::MFCONV3S1, add_nothing<A>},
      {Op::APOOL3S1, add_nothing<A>},
      {Op::APOOL3S2, add_nothing<A>},
  };
  return kernel_in(kList, op);
}

} // namespace

Kernel find_matrix_kernel(Arch arch, isa::Op op) {
  return with_chip(arch, [op]<Arch A>(Chip<A>) -> Kernel {
    if constexpr (has_narrow_lanes(A))
      return nullptr; // of a chip whose Matrix Unit is not here
    else
      return find_for_chip<A>(op);
  });
}

} // namespace lanewise::LANEWISE_LEVEL
