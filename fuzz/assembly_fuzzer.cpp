// libFuzzer target: the assembler takes any bytes, and what it assembles comes back from its text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "isa/assembly/assembly.h"

namespace {

/// Programs that repeat a lot would spend the fuzzer's time on copies.
constexpr std::size_t kMostWordsChecked = 100;

void check(lanewise::Arch arch, std::string_view source) {
  const auto program = lanewise::isa::assemble(arch, source, "fuzz");
  if (!program) {
    const lanewise::Fault& fault = program.error();
    const bool has_place = fault.line >= 1 && fault.column >= 1;
    if (fault.kind != lanewise::FaultKind::BadInput || !has_place) std::abort();
    return;
  }
  if (program->words.size() > kMostWordsChecked) return;
  for (const lanewise::ProgramWord& each : program->words) {
    const auto again =
        lanewise::isa::assemble(arch, lanewise::isa::disassemble(arch, each.word), "fuzz");
    if (!again || again->words.size() != 1 || again->words.front().word != each.word) std::abort();
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  for (lanewise::Arch arch : lanewise::kEveryArch) check(arch, source);
  return 0;
}
