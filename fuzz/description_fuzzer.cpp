// libFuzzer target: a program in JSON is read, or refused with a message and a remedy; and what is
// read is laid out, or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "chip/isa/arch.h"
#include "source/programs/description.h"
#include "source/programs/layout.h"

namespace {

void check_fault(const lanewise::Fault& fault) {
  if (fault.kind != lanewise::FaultKind::BadInput || fault.message.empty()) std::abort();
}

/// An address lies in its buffer.
void check_argument(const lanewise::programs::Program& program,
                    const lanewise::programs::Layout& layout,
                    const lanewise::programs::Argument& argument) {
  const std::uint32_t word = lanewise::programs::resolve(program, layout, argument);
  const auto* const address = std::get_if<lanewise::programs::AddressOf>(&argument);
  if (address == nullptr) return;
  const auto* const buffer = lanewise::programs::find_buffer(program, address->buffer);
  if (buffer == nullptr) std::abort();
  const auto& place = layout.buffers[static_cast<std::size_t>(buffer - program.buffers.data())];
  if (word < place.address || word - place.address >= place.bank_bytes) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto description = lanewise::programs::parse_description(text);
  if (!description) {
    check_fault(description.error());
    return 0;
  }
  const lanewise::programs::Program& program = description->program;
  const auto layout = lanewise::programs::lay_out(program);
  if (!layout) {
    check_fault(layout.error());
    return 0;
  }
  const std::uint32_t l1 = lanewise::arch_params(program.arch).tile.l1_bytes;
  for (const auto& cb : layout->circular_buffers)
    if (cb.address > l1 || cb.bytes > l1 - cb.address || cb.pages == 0) std::abort();
  for (const auto& kernel : program.kernels) {
    lanewise::programs::resolve_compile_args(program, *layout, kernel.compile_args);
    for (const auto* const arguments : {&kernel.runtime_args, &kernel.common_args})
      for (const auto& argument : *arguments) check_argument(program, *layout, argument);
  }
  return 0;
}
