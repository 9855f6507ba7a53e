// The vendor compiler's own functions, where kernels call them by name instead of through SFPI:
// __builtin_rvtt_sfpmad and its like. Only those that kernels of tt-llk and tt-metal use are here;
// another one does not compile, and g++ names it.
#pragma once

#include "lltt.h"
#include "sfpi_predicate.h"

/// SFPMAD: a * b + c; `mod` negates a (bit 0) and c (bit 1), on Blackhole only.
inline __xtt_vector __builtin_rvtt_sfpmad(__xtt_vector a, __xtt_vector b, __xtt_vector c,
                                          unsigned mod) {
  lanewise_node node;
  node.kind = LanewiseKind::FloatMad;
  node.mod = static_cast<std::uint8_t>(mod);
  node.operand[0] = lanewise_sfpi::number_of(a);
  node.operand[1] = lanewise_sfpi::number_of(b);
  node.operand[2] = lanewise_sfpi::number_of(c);
  return lanewise_sfpi::append(node);
}

/// SFPLOAD from row `address` of Dst.
inline __xtt_vector __builtin_rvtt_sfpload(int address, unsigned mode, int addr_mod) {
  return lanewise_sfpi::Instruction(lanewise_sfpi::kSfpLoad, mode, address).addr_mod(addr_mod);
}

/// SFPSTORE to row `address` of Dst.
inline void __builtin_rvtt_sfpstore(__xtt_vector value, int address, unsigned mode, int addr_mod) {
  static_cast<void>(
      static_cast<__xtt_vector>(lanewise_sfpi::Instruction(lanewise_sfpi::kSfpStore, mode, address)
                                    .vd(value)
                                    .addr_mod(addr_mod)));
}

/// REPLAY: records or plays `length` words of the replay buffer from slot `start` on.
inline void __builtin_rvtt_ttreplay(unsigned start, unsigned length, bool execute_while_loading,
                                    bool load) {
  if (!load) {
    lltt::replay(start, length);
  } else if (execute_while_loading) {
    lltt::record<lltt::Exec>(start, length);
  } else {
    lltt::record<lltt::NoExec>(start, length);
  }
}

namespace sfpi::impl_ {

/// What a function that narrows the enabled lanes finds outside of v_block and v_if.
struct NoPredicate {
  void and_(const vCond& /*condition*/) const {
    lanewise_sfpi::fail("this instruction sets the flags of the lanes outside of a v_block",
                        "put v_block and v_endblock around it, so that the lanes come back");
  }
};

/// SFPIADD with an immediate: value + addend, and with a CC modifier the lanes in which the sum is
/// negative, or is not, stay enabled.
template <class Enabled>
inline sfpu_t add_immediate(Enabled& enabled, sfpu_t value, int addend, unsigned mod) {
  const vInt sum = vInt(value) + addend;
  switch (mod & (SFPIADD_MOD1_CC_NONE | SFPIADD_MOD1_CC_GTE0)) {
    case SFPIADD_MOD1_CC_LT0: enabled.and_(sum < 0); break;
    case SFPIADD_MOD1_CC_GTE0: enabled.and_(sum >= 0); break;
    case SFPIADD_MOD1_CC_NONE: break;
    default:
      lanewise_sfpi::fail("this modifier of SFPIADD is not known here",
                          "use CC_LT0, CC_GTE0 or CC_NONE");
  }
  return sum.get();
}

} // namespace sfpi::impl_

/// Hidden by the predicate of the innermost v_if or v_block.
inline constexpr ::sfpi::impl_::NoPredicate sfpi_predicate{};

#define __builtin_rvtt_sfpiadd_i(value, addend, mod) \
  ::sfpi::impl_::add_immediate(sfpi_predicate, value, addend, mod)
