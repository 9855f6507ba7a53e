// libFuzzer target: the assembler takes any bytes, and what it assembles comes back from its text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "chip/isa/disassembler.h"
#include "number/tensors/l1_image.h"
#include "source/assembly/assembly.h"

namespace {

/// Programs that repeat a lot would spend the fuzzer's time on copies.
constexpr std::size_t kMostWordsChecked = 100;

void check_fault(const lanewise::Fault& fault) {
  const bool has_place = fault.line >= 1 && fault.column >= 1;
  if (fault.kind != lanewise::FaultKind::BadInput || !has_place) std::abort();
}

/// A program of a whole tile, and what it says of L1.
void check_tile(lanewise::Arch arch, std::string_view source) {
  const auto program = lanewise::assembly::assemble_tile(arch, source, "fuzz");
  if (!program) return check_fault(program.error());
  for (const lanewise::ImageSetting& input : program->inputs)
    if (!lanewise::tensors::parse_l1_input(input.text)) return;
  for (const lanewise::ImageSetting& output : program->outputs) {
    const auto parsed = lanewise::tensors::parse_l1_output(output.text);
    if (parsed && !parsed->shape.empty() && parsed->bytes() == 0) std::abort();
  }
}

void check(lanewise::Arch arch, std::string_view source) {
  const auto program = lanewise::assembly::assemble(arch, source, "fuzz");
  if (!program) return check_fault(program.error());
  if (program->words.size() > kMostWordsChecked) return;
  for (const lanewise::ProgramWord& each : program->words) {
    const auto again =
        lanewise::assembly::assemble(arch, lanewise::isa::disassemble(arch, each.word), "fuzz");
    if (!again || again->words.size() != 1 || again->words.front().word != each.word) std::abort();
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  for (lanewise::Arch arch : lanewise::kEveryArch) check(arch, source);
  for (lanewise::Arch arch : lanewise::kArchs) check_tile(arch, source);
  return 0;
}
