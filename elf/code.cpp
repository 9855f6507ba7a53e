#include "elf/code.h"

#include <algorithm>
#include <set>

#include "elf/constants.h"
#include "riscv/address_map.h"

namespace lanewise::elf {

namespace {

constexpr std::uint32_t kWordBytes = 4;

std::uint32_t word_at(const Segment& segment, std::uint32_t offset) {
  std::uint32_t word = 0;
  for (std::uint32_t i = 0; i < kWordBytes; ++i)
    word |= std::uint32_t{segment.bytes[offset + i]} << (8 * i);
  return word;
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

/// Whether what is known before a word holds no longer behind it.
bool ends_block(const CodeWord& word) {
  using riscv::Flow;
  return word.flow == Flow::Jump || word.flow == Flow::Return || word.flow == Flow::IndirectJump ||
         word.flow == Flow::Trap;
}

bool is_call(const CodeWord& word) {
  return word.flow == riscv::Flow::Call || word.flow == riscv::Flow::IndirectCall;
}

void note_store(CodeWord& word, const KnownRegisters& known, Arch arch) {
  if (word.instruction.op != riscv::Op::SW) return;
  const auto address = known.address(word.instruction);
  if (!address || riscv::find_region(arch, *address).region != riscv::Region::Instructions) return;
  word.stores_to_fifo = true;
  word.tensix = known.value(word.instruction.rs2);
}

/// Where blocks begin that other code jumps to. An indirect jump may go anywhere; compilers make
/// them for switches, whose cases load their own constants, or use those of before the jump: these
/// are then not known here.
std::set<std::uint32_t> targets_in(const std::vector<CodeWord>& words) {
  std::set<std::uint32_t> targets;
  for (const CodeWord& word : words) {
    if (word.target && !is_call(word)) targets.insert(*word.target);
    if (ends_block(word)) targets.insert(word.address + kWordBytes);
  }
  return targets;
}

void find_stores(std::vector<CodeWord>& words, Arch arch) {
  const std::set<std::uint32_t> targets = targets_in(words);
  KnownRegisters known;
  for (CodeWord& word : words) {
    if (targets.contains(word.address)) known.forget();
    if (word.kind != WordKind::RiscV) continue;
    note_store(word, known, arch);
    known.execute(word.instruction, word.address);
    if (is_call(word)) known.forget_callers();
  }
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
  find_stores(function.words, arch);
  return function;
}

std::vector<Function> functions_of(const Image& image, Arch arch) {
  std::vector<Function> functions;
  for (const Symbol& symbol : image.functions) functions.push_back(code_of(image, symbol, arch));
  return functions;
}

} // namespace lanewise::elf
