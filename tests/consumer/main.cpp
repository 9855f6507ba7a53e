// The smallest use of the installed library: assemble, run, look.
#include <lanewise/chip/machine/machine.h>
#include <lanewise/source/assembly/assembly.h>
#include <bit>
#include <cstdio>

int main() {
  lanewise::Machine machine(lanewise::Arch::Blackhole);
  const auto program =
      lanewise::assembly::assemble(machine.arch(), "SFPABS L0, L1, FLOAT", "consumer");
  if (!program) {
    std::puts(lanewise::to_string(program.error()).c_str());
    return 1;
  }
  auto& lreg = machine.state().vector.lreg;
  lreg[0][0] = std::bit_cast<std::uint32_t>(-2.5F);
  if (!machine.run(*program).empty()) return 1;
  std::printf("%g becomes %g\n", std::bit_cast<float>(lreg[0][0]),
              std::bit_cast<float>(lreg[1][0]));
}
