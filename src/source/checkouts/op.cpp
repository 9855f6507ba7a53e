#include "source/checkouts/op.h"

#include <algorithm>

namespace lanewise::checkouts {

bool needs_wide_dst(const SfpuOp& op) {
  return op.element == OpElement::Float &&
         (op.result == OpElement::Int32 || op.result == OpElement::UInt32);
}

std::span<const SfpuOp> sfpu_ops() {
  static const std::vector<SfpuOp> all = [] {
    std::vector<SfpuOp> ops;
    for (const auto family : {float_ops, activation_ops, comparison_ops, integer_ops, binary_ops,
                              conversion_ops, tile_ops}) {
      std::ranges::move(family(), std::back_inserter(ops));
    }
    return ops;
  }();
  return all;
}

const SfpuOp* find_op(std::string_view name) {
  const auto ops = sfpu_ops();
  const auto found = std::ranges::find(ops, name, &SfpuOp::name);
  return found == ops.end() ? nullptr : &*found;
}

} // namespace lanewise::checkouts
