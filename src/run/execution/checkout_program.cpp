#include "run/execution/checkout_program.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "source/checkouts/checkout.h"
#include "source/checkouts/op_table.h"

namespace lanewise::execution {

namespace {

std::vector<formats::Format> formats_of(checkouts::OpElement element) {
  switch (element) {
    case checkouts::OpElement::Float: return {formats::Format::BF16, formats::Format::FP32};
    case checkouts::OpElement::Fp32: return {formats::Format::FP32};
    case checkouts::OpElement::Int32:
    case checkouts::OpElement::UInt32: return {formats::Format::UINT32};
    case checkouts::OpElement::UInt16: return {formats::Format::UINT16};
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

std::vector<formats::Format> op_formats(const checkouts::SfpuOp& op) {
  std::vector<formats::Format> formats = formats_of(op.element);
  if (checkouts::needs_wide_dst(op))
    std::erase_if(formats, [](formats::Format f) { return !formats::is_32bit(f); });
  return formats;
}

std::optional<formats::Format> op_result_format(const checkouts::SfpuOp& op) {
  if (op.result == op.element) return std::nullopt;
  return formats_of(op.result).front();
}

void choose_formats(const checkouts::SfpuOp& op, std::string& format, std::string* result_format) {
  if (format == "bf16") format = formats::format_name(op_formats(op).front());
  if (result_format == nullptr || !result_format->empty()) return;
  if (const auto result = op_result_format(op)) *result_format = formats::format_name(*result);
}

Expected<void> add_checkout(ProgramFile& file, const CheckoutChoice& choice, Arch arch) {
  if (choice.folder.empty()) return {};
  const auto checkout = checkouts::Checkout::open(choice.folder, std::array{arch});
  if (!checkout) return Unexpected(checkout.error());
  if (choice.op.empty()) {
    checkout->set_up(file.kernel, arch, choice.fp32_dst);
    return {};
  }
  const checkouts::OpTable table(*checkout, arch);
  const auto op = checkouts::chosen_op(table, choice.op);
  if (!op) return Unexpected(op.error());
  auto source = table.source(
      **op, {.dst_width = choice.fp32_dst ? "true" : "false", .parameters = choice.parameters});
  if (!source) return Unexpected(source.error());
  replace_kernel(file, std::move(*source));
  return {};
}

} // namespace lanewise::execution
