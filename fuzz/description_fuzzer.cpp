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
  for (const auto& kernel : program.kernels)
    lanewise::programs::resolve_compile_args(program, *layout, kernel.compile_args);
  return 0;
}
