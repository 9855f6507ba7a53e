#include "study/corpus/metal/kernels.h"

#include <algorithm>
#include <array>
#include <string>

#include "run/execution/checkout_program.h"
#include "source/checkouts/op_table.h"
#include "study/corpus/metal/functions.h"

namespace lanewise::corpus {

namespace {

std::vector<LlkInput> inputs_of(const checkouts::SfpuOp& op) {
  std::vector<LlkInput> inputs(op.operands);
  for (std::size_t i = 1; i < inputs.size(); ++i) inputs[i].pattern = "shuffled";
  return inputs;
}

std::vector<LlkOutput> outputs_of(const checkouts::SfpuOp& op) {
  LlkOutput output;
  if (const auto format = execution::op_result_format(op)) output.format = *format;
  return {output};
}

std::vector<LlkDst> dst_of(const checkouts::SfpuOp& op) {
  std::vector<LlkDst> all;
  for (const formats::Format format : execution::op_formats(op)) all.push_back({.format = format});
  return all;
}

LlkReference reference_of(const checkouts::SfpuOp& op) {
  const OpFunction* function = find_op_function(op.name);
  if (function == nullptr) return NoReference{};
  return ExpressionReference{std::string(function->reference)};
}

LlkKernel kernel_of(const checkouts::SfpuOp& op, const checkouts::OpCall& call, Arch arch) {
  return {.name = std::string(op.name),
          .header = std::string(op.header),
          .init = call.init,
          .call = call.calculate,
          .faces = op.faces,
          .chips = {arch},
          .dst = dst_of(op),
          .inputs = inputs_of(op),
          .outputs = outputs_of(op),
          .reference = reference_of(op)};
}

} // namespace

std::vector<LlkKernel> metal_kernels(const checkouts::Checkout& checkout,
                                     std::span<const Arch> chips) {
  std::vector<LlkKernel> kernels;
  for (const Arch arch : chips) {
    const checkouts::OpTable table(checkout, arch);
    for (const checkouts::SfpuOp* op : table.ops()) {
      const auto call = table.call(*op, {.dst_width = kWidthPlace});
      if (!call) continue;
      const auto same = std::ranges::find_if(kernels, [&](const LlkKernel& kernel) {
        return kernel.name == op->name && kernel.init == call->init &&
               kernel.call == call->calculate;
      });
      if (same == kernels.end()) {
        kernels.push_back(kernel_of(*op, *call, arch));
      } else {
        same->chips.push_back(arch);
      }
    }
  }
  return kernels;
}

} // namespace lanewise::corpus
