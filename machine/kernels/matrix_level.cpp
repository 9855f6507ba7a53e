// The kernels of the Matrix Unit of one x86-64 level, compiled once per level as level.cpp is.
#include "machine/kernels/matrix.h"

namespace lanewise::LANEWISE_LEVEL {

namespace {

template <Arch A>
Kernel find_for_chip(isa::Op op) {
  using isa::Op;
  switch (op) {
    case Op::MVMUL: return mvmul<A>;
    case Op::DOTPV: return dotpv<A>;
    case Op::GAPOOL: return gapool<A>;
    case Op::ELWMUL: return elementwise<A, Elementwise::Multiply>;
    case Op::ELWADD: return elementwise<A, Elementwise::Add>;
    case Op::ELWSUB: return elementwise<A, Elementwise::Subtract>;
    case Op::CONV3S1:
    case Op::CONV3S2:
    case Op::MFCONV3S1:
    case Op::APOOL3S1:
    case Op::APOOL3S2: return add_nothing<A>;
    default: return nullptr;
  }
}

} // namespace

Kernel find_matrix_kernel(Arch arch, isa::Op op) {
  return with_chip(arch, [op]<Arch A>(Chip<A>) { return find_for_chip<A>(op); });
}

} // namespace lanewise::LANEWISE_LEVEL
