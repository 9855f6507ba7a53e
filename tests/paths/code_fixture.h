// Functions of RISC-V and Tensix instructions, written word by word.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "binary/elf/code.h"
#include "binary/elf/image.h"
#include "binary/paths/code_graph.h"
#include "binary/paths/tensix_paths.h"
#include "chip/riscv/instruction.h"
#include "source/assembly/assembly.h"

namespace lanewise::paths::testing {

inline constexpr std::uint32_t kCodeAddress = 0x6000;
inline constexpr std::uint32_t kRet = 0x00008067, kNop = 0x00000013;

/// beq a0, zero to a place so many words away.
inline std::uint32_t if_zero(int words) {
  const auto offset = static_cast<std::uint32_t>(4 * words);
  return 0x00050063U | (offset >> 12 & 1U) << 31 | (offset >> 5 & 0x3FU) << 25 |
         (offset >> 1 & 0xFU) << 8 | (offset >> 11 & 1U) << 7;
}

inline std::uint32_t jump_and_link(unsigned rd, int words) {
  const auto offset = static_cast<std::uint32_t>(4 * words);
  return 0x6FU | rd << 7 | (offset >> 20 & 1U) << 31 | (offset >> 1 & 0x3FFU) << 21 |
         (offset >> 11 & 1U) << 20 | (offset >> 12 & 0xFFU) << 12;
}
inline std::uint32_t jump(int words) {
  return jump_and_link(0, words);
}
inline std::uint32_t call(int words) {
  return jump_and_link(1, words);
}

/// A Tensix instruction as it stands in code.
inline std::uint32_t tensix(std::string_view line, Arch arch = Arch::Blackhole) {
  const auto program = assembly::assemble(arch, std::string(line), "line");
  EXPECT_TRUE(program) << line;
  return riscv::ttinsn(program->words.at(0).word);
}

using Words = std::vector<std::uint32_t>;

/// Functions one after the other, "f0", "f1", ...
inline std::vector<elf::Function> functions(const std::vector<Words>& all,
                                            Arch arch = Arch::Blackhole) {
  elf::Image image{.name = "test"};
  elf::Segment segment{.address = kCodeAddress, .size = 0, .bytes = {}, .executable = true};
  for (const Words& words : all) {
    const auto address = kCodeAddress + static_cast<std::uint32_t>(segment.bytes.size());
    const std::string name = "f" + std::to_string(image.functions.size());
    image.functions.push_back({name, name, address, static_cast<std::uint32_t>(4 * words.size())});
    for (const std::uint32_t word : words) {
      for (unsigned byte = 0; byte < 4; ++byte)
        segment.bytes.push_back(static_cast<std::uint8_t>(word >> (8 * byte)));
    }
  }
  segment.size = static_cast<std::uint32_t>(segment.bytes.size());
  image.segments.push_back(std::move(segment));
  return elf::functions_of(image, arch);
}

inline elf::Function function(const Words& words, Arch arch = Arch::Blackhole) {
  return functions({words}, arch).at(0);
}

inline TensixPaths paths_of(const Words& words, Arch arch = Arch::Blackhole) {
  const elf::Function code = function(words, arch);
  return follow_paths(code, graph_of(code), arch, {});
}

/// Kinds and places of findings.
inline std::vector<std::pair<FindingKind, std::uint32_t>> kinds(const TensixPaths& paths) {
  std::vector<std::pair<FindingKind, std::uint32_t>> all;
  for (const Finding& each : paths.findings) all.emplace_back(each.kind, each.word);
  return all;
}

} // namespace lanewise::paths::testing
