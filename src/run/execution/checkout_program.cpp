#include "run/execution/checkout_program.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "source/checkouts/checkout.h"
#include "source/checkouts/op_table.h"

namespace lanewise::lab {

namespace {

std::vector<Format> formats_of(trees::OpElement element) {
  switch (element) {
    case trees::OpElement::Float: return {Format::BF16, Format::FP32};
    case trees::OpElement::Int32:
    case trees::OpElement::UInt32: return {Format::UINT32};
    case trees::OpElement::UInt16: return {Format::UINT16};
  }
  return {};
}

/// Makes the operation the kernel of the file, which keeps its limits, flags, macros and folders.
void replace_kernel(ProgramFile& file, sfpi::KernelSource op) {
  const sfpi::KernelSource& old = file.kernel;
  op.limits = old.limits;
  op.flags = old.flags;
  std::ranges::copy(old.defines, std::back_inserter(op.defines));
  std::ranges::copy(old.include_dirs, std::back_inserter(op.include_dirs));
  file.name = op.file;
  file.kernel = std::move(op);
}

} // namespace

std::vector<Format> op_formats(const trees::SfpuOp& op) {
  std::vector<Format> formats = formats_of(op.element);
  if (trees::needs_wide_dst(op)) std::erase_if(formats, [](Format f) { return !is_32bit(f); });
  return formats;
}

std::optional<Format> op_result_format(const trees::SfpuOp& op) {
  if (op.result == op.element) return std::nullopt;
  return formats_of(op.result).front();
}

void choose_formats(const trees::SfpuOp& op, std::string& format, std::string* result_format) {
  if (format == "bf16") format = format_name(op_formats(op).front());
  if (result_format == nullptr || !result_format->empty()) return;
  if (const auto result = op_result_format(op)) *result_format = format_name(*result);
}

Expected<void> add_checkout(ProgramFile& file, const CheckoutChoice& choice, Arch arch) {
  if (choice.folder.empty()) return {};
  const auto checkout = trees::Checkout::open(choice.folder, std::array{arch});
  if (!checkout) return Unexpected(checkout.error());
  if (choice.op.empty()) {
    checkout->set_up(file.kernel, arch, choice.fp32_dst);
    return {};
  }
  const trees::OpTable table(*checkout, arch);
  const auto op = trees::chosen_op(table, choice.op);
  if (!op) return Unexpected(op.error());
  auto source = table.source(
      **op, {.dst_width = choice.fp32_dst ? "true" : "false", .parameters = choice.parameters});
  if (!source) return Unexpected(source.error());
  replace_kernel(file, std::move(*source));
  return {};
}

} // namespace lanewise::lab
