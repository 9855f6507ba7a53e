// What lanewise adds to a kernel: looking at vectors while it runs.
//
//   lanewise::print(v);            shows the vector's lanes as numbers of its type
//   lanewise::print(v, "before");  with a label
#pragma once

#include "sfpi.h"

namespace lanewise {

namespace kernel {

inline void print_as(LanewiseType type, sfpi::impl_::sfpu_t value, const char* label) {
  lanewise_recorder* const recorder = lanewise_current_recorder;
  if (recorder == nullptr) return;
  lanewise_node node;
  node.kind = LanewiseKind::Print;
  node.type = type;
  node.imm = static_cast<std::int32_t>(recorder->text(recorder->self, label));
  node.operand[0] = lanewise_sfpi::number_of(value);
  lanewise_sfpi::append(node);
}

} // namespace kernel

/// Shows a vector, a condition (as 1 and 0), a constant register, or an element of dst_reg or l_reg
/// (as floats). The values are those of the lanes that are enabled here.
template <class T>
inline void print(const T& value, const char* label = "") {
  using namespace sfpi;
  if constexpr (std::is_same_v<T, impl_::vCond>) {
    print(vInt(value), label);
  } else if constexpr (impl_::side<T> == impl_::Side::SMag) {
    kernel::print_as(LanewiseType::UInt, value.get(), label);
  } else {
    constexpr impl_::Side kSide = impl_::common_side(impl_::side<T>, impl_::side<T>);
    static_assert(kSide != impl_::Side::None, "lanewise::print shows vectors of SFPI");
    constexpr LanewiseType kType = kSide == impl_::Side::Float ? LanewiseType::Float
                                   : kSide == impl_::Side::Int ? LanewiseType::Int
                                                               : LanewiseType::UInt;
    using Vector = typename impl_::VectorOf<kSide>::type;
    kernel::print_as(kType, impl_::bits<Vector>(value), label);
  }
}

} // namespace lanewise
