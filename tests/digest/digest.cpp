// Prints, for every SIMD level that the processor has, a digest of what random programs leave
// behind on both chips. All lines must agree, and so must the output of builds with other compilers
// (tests/scripts/compare_digests.sh).
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "base/digest.h"
#include "chip/machine/machine.h"
#include "chip/machine/simd_level.h"
#include "number/tensors/pattern.h"

namespace {

using namespace lanewise;

constexpr unsigned kPrograms = 3000;
constexpr unsigned kWords = 40;
constexpr std::uint64_t kSeed = 20'26;

class Digest {
 public:
  void add(std::span<const std::byte> bytes) {
    for (std::byte each : bytes) value_.add(static_cast<std::uint8_t>(each));
  }
  template <class T>
  void add(const T& value) {
    add(std::as_bytes(std::span(&value, 1)));
  }
  std::uint64_t value() const { return value_.value(); }

 private:
  Fnv1a value_;
};

/// Registers and Dst full of numbers whose exponents lie close enough together to interact.
void randomise(MachineState& state, tensors::SplitMix64& random) {
  const auto number = [&] {
    const std::uint64_t r = random();
    const auto bits = static_cast<std::uint32_t>(r >> 32);
    if ((r & 7) == 0) return bits;
    return (bits & 0x807FFFFFU) | ((112 + (static_cast<std::uint32_t>(r) >> 8) % 32) << 23);
  };
  for (unsigned reg = 0; reg < kWritableLRegs; ++reg) {
    for (std::uint32_t& lane : state.vector.lreg[reg]) lane = number();
  }
  for (std::uint32_t& lane : state.vector.prng) lane = number();
  for (auto& row : state.dst.cell) {
    for (std::uint16_t& cell : row) cell = static_cast<std::uint16_t>(number() >> 8);
  }
  state.vector.flags = number();
  state.vector.use_flags = (random() & 1) != 0 ? kAllLanes : 0;
}

/// The opcodes of Blackhole's Vector Unit, on both chips.
std::vector<std::uint32_t> vector_opcodes() {
  std::vector<std::uint32_t> opcodes;
  for (const isa::Row& row : isa::rows()) {
    if (row.unit == isa::Unit::Vector && includes(row.chips, Arch::Blackhole))
      opcodes.push_back(row.opcode);
  }
  return opcodes;
}

Program random_program(tensors::SplitMix64& random) {
  static const std::vector<std::uint32_t> opcodes = vector_opcodes();
  Program program{.name = "random", .words = {}, .config = {}};
  for (unsigned i = 0; i < kWords; ++i) {
    const std::uint64_t r = random();
    const std::uint32_t opcode = opcodes[(r >> 40) % opcodes.size()];
    program.words.push_back({(opcode << 24) | (static_cast<std::uint32_t>(r) & 0xFFFFFF), i + 1});
  }
  return program;
}

void add_state(Digest& digest, const MachineState& state) {
  digest.add(state.vector.lreg);
  digest.add(state.vector.prng);
  digest.add(state.vector.flags);
  digest.add(state.vector.use_flags);
  digest.add(state.dst.cell);
  digest.add(state.dst.valid_bits);
  digest.add(state.rwc);
}

std::uint64_t digest_of_level(SimdLevel level) {
  set_simd_level(level);
  Digest digest;
  for (Arch arch : kArchs) {
    tensors::SplitMix64 random(kSeed);
    for (unsigned i = 0; i < kPrograms; ++i) {
      Machine machine(arch);
      randomise(machine.state(), random);
      machine.run(random_program(random));
      add_state(digest, machine.state());
    }
  }
  return digest.value();
}

} // namespace

int main() {
  for (SimdLevel level : available_simd_levels()) {
    std::printf("%-9s %016llx\n", std::string(simd_level_name(level)).c_str(),
                static_cast<unsigned long long>(digest_of_level(level)));
  }
}
