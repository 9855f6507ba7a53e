#include "tile/section/vector_code.h"

#include "tile/section/section.h"

namespace lanewise::tile {
namespace {

constexpr std::uint32_t kInstructionBufferAddress = 0xFFE40000;

VectorCode& vector_code_of(void* self) {
  return *static_cast<VectorCode*>(self);
}

} // namespace

VectorCode::VectorCode(Arch arch) : arch_(arch) {
  abi_ = {
      .version = LANEWISE_RECORDER_VERSION,
      .arch = static_cast<std::uint32_t>(arch),
      .self = this,
      .node = [](void* self, const lanewise_node* node, const void* frame) -> std::uint32_t {
        return vector_code_of(self).node(*node, frame, __builtin_return_address(0));
      },
      .assign = [](void*, std::uint32_t, std::uint32_t value, std::uint32_t,
                   const void*) -> std::uint32_t { return value; },
      .context = [](void*) -> std::uint32_t { return 0; },
      .text = [](void*, const char*) -> std::uint32_t { return 0; },
      .fail = [](void*, const char*, const char*, const void*) {},
  };
}

void VectorCode::flush() {}

std::uint32_t VectorCode::node(const lanewise_node& node, const void* frame,
                               const void* called_from) {
  Section& section = *Section::running();
  const auto address = reinterpret_cast<std::uint64_t>(called_from) - 1;
  if (node.kind == LanewiseKind::Raw) {
    section.ask({.kind = SectionEvent::Kind::Store,
                 .address = kInstructionBufferAddress,
                 .bytes = sizeof(std::uint32_t),
                 .value = static_cast<std::uint32_t>(node.imm),
                 .stack = section.stack_from(address, frame, __builtin_frame_address(0))});
  }
  return 0;
}

} // namespace lanewise::tile
