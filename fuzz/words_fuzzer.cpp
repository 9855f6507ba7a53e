// Instruction words: whatever they are, the machine executes or reports them.
#include <cstdint>
#include <cstring>

#include "machine/machine.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanewise;
  if (size == 0) return 0;
  Program program;
  for (std::size_t i = 1; i + 4 <= size; i += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, data + i, sizeof word);
    program.words.push_back({word, static_cast<std::uint32_t>(i)});
  }
  Machine machine(data[0] % 2 == 0 ? Arch::Blackhole : Arch::Wormhole);
  machine.run(program);
  return 0;
}
