#include "binary/elf/code.h"

#include "binary/elf/accesses.h"

namespace lanewise::elf {

namespace {

constexpr std::uint32_t kWordBytes = 4;

std::uint32_t word_at(const Segment& segment, std::uint32_t offset) {
  const std::uint8_t* const byte = &segment.bytes[offset];
  return std::uint32_t{byte[0]} | std::uint32_t{byte[1]} << 8 | std::uint32_t{byte[2]} << 16 |
         std::uint32_t{byte[3]} << 24;
}

CodeWord decoded(std::uint32_t address, std::uint32_t word) {
  CodeWord result{.address = address, .word = word};
  if (riscv::is_tensix(word)) {
    result.kind = WordKind::Tensix;
    result.tensix = riscv::tensix_word(word);
  } else if (const auto instruction = riscv::decode(word)) {
    result.kind = WordKind::RiscV;
    result.instruction = *instruction;
    result.flow = riscv::flow_of(*instruction);
    result.target = riscv::target_of(*instruction, address);
  }
  return result;
}

} // namespace

std::optional<std::uint32_t> code_word(const Image& image, std::uint32_t address) {
  for (const Segment& segment : image.segments) {
    const std::uint32_t offset = address - segment.address;
    const bool holds = address >= segment.address && offset < segment.bytes.size() &&
                       segment.bytes.size() - offset >= kWordBytes;
    if (segment.executable && holds) return word_at(segment, offset);
  }
  return std::nullopt;
}

Function code_of(const Image& image, const Symbol& symbol, Arch arch) {
  Function function{.symbol = symbol, .words = {}};
  for (std::uint32_t offset = 0; offset + kWordBytes <= symbol.size; offset += kWordBytes) {
    const auto word = code_word(image, symbol.address + offset);
    if (!word) break;
    function.words.push_back(decoded(symbol.address + offset, *word));
  }
  find_accesses(function.words, arch);
  return function;
}

std::vector<Function> functions_of(const Image& image, Arch arch) {
  std::vector<Function> functions;
  for (const Symbol& symbol : image.functions) functions.push_back(code_of(image, symbol, arch));
  return functions;
}

} // namespace lanewise::elf
