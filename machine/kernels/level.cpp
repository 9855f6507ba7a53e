// The lane kernels of one x86-64 level. This file is compiled once per level, with LANEWISE_LEVEL
// as its namespace.
#include "machine/kernels/dst_access.h"
#include "machine/kernels/mad.h"
#include "machine/kernels/round.h"
#include "machine/kernels/simple.h"

namespace lanewise::LANEWISE_LEVEL {

namespace {

template <Arch A>
Kernel find_for_chip(isa::Op op) {
  using isa::Op;
  switch (op) {
    case Op::SFPLOAD: return sfpload<A>;
    case Op::SFPLOADI: return sfploadi;
    case Op::SFPSTORE: return sfpstore<A>;
    case Op::SFPLUT: return sfplut<A>;
    case Op::SFPMULI: return sfpmuli<A>;
    case Op::SFPADDI: return sfpaddi<A>;
    case Op::SFPDIVP2: return sfpdivp2;
    case Op::SFPEXEXP: return sfpexexp;
    case Op::SFPEXMAN: return sfpexman;
    case Op::SFPIADD: return sfpiadd;
    case Op::SFPSHFT: return sfpshft<A>;
    case Op::SFPSETCC: return sfpsetcc;
    case Op::SFPMOV: return sfpmov;
    case Op::SFPABS: return sfpabs;
    case Op::SFPAND: return sfpand;
    case Op::SFPOR: return sfpor;
    case Op::SFPNOT: return sfpnot;
    case Op::SFPLZ: return sfplz;
    case Op::SFPSETEXP: return sfpsetexp;
    case Op::SFPSETMAN: return sfpsetman;
    case Op::SFPMAD:
    case Op::SFPADD:
    case Op::SFPMUL: return sfpmad<A>;
    case Op::SFPSETSGN: return sfpsetsgn;
    case Op::SFPTRANSP: return sfptransp;
    case Op::SFPXOR: return sfpxor;
    case Op::SFPSTOCHRND: return sfpstochrnd<A>;
    case Op::SFPCAST: return sfpcast<A>;
    case Op::SFPSWAP: return sfpswap;
    case Op::SFPSHFT2: return sfpshft2<A>;
    case Op::SFPLUTFP32: return sfplutfp32<A>;
    case Op::SFPLE: return compare<false>;
    case Op::SFPGT: return compare<true>;
    case Op::SFPMUL24: return sfpmul24;
    case Op::SFPARECIP: return sfparecip;
    default: return nullptr;
  }
}

} // namespace

Kernel find_kernel(Arch arch, isa::Op op) {
  return with_chip(arch, [op]<Arch A>(Chip<A>) { return find_for_chip<A>(op); });
}

} // namespace lanewise::LANEWISE_LEVEL
