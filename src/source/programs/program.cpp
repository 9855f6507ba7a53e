#include "source/programs/program.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanewise::programs {

std::string core_text(const Core& core) {
  return fmt::format("({}, {})", core.x, core.y);
}

std::string_view processor_name(Processor processor) {
  constexpr std::array<std::string_view, 3> kNames{"riscv_0", "riscv_1", "compute"};
  return kNames[static_cast<std::size_t>(processor)];
}

const Buffer* find_buffer(const Program& program, std::string_view name) {
  const auto found = std::ranges::find(program.buffers, name, &Buffer::name);
  return found == program.buffers.end() ? nullptr : &*found;
}

const Kernel* find_kernel(const Program& program, Processor processor) {
  const auto found = std::ranges::find(program.kernels, processor, &Kernel::processor);
  return found == program.kernels.end() ? nullptr : &*found;
}

Unexpected at_origin(const Origin& origin, std::string message, std::string remedy) {
  return bad_input(origin.empty() ? std::move(message) : origin + ": " + message,
                   std::move(remedy));
}

} // namespace lanewise::programs
