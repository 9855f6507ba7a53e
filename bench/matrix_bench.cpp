// How fast the Matrix Unit is simulated: multiply-adds per second through Machine::execute.
//
//   cmake -S . -B build -DLANEWISE_BENCH=ON && cmake --build build && build/bench/matrix_bench
//   build/bench/matrix_bench --benchmark_filter=mvmul.*v4      one instruction, one level
//
// A benchmark is named INSTRUCTION/MODE/LEVEL; 'p3' is fidelity phase 3, 'd32' 32-bit Dst. Its
// program is many instructions of one kind, whose rows of Dst take turns. The counters:
//
//   per_second   simulated instructions per second
//   multiply_add simulated multiply-adds per second: 2048 for MVMUL, 1024 for GAPOOL, 128 for the
//                element-wise instructions, where it counts elements, and 256 for GMPOOL
//   float, int   how many times longer the bit-exact simulation takes than a plain loop on the
//                host's float or int32 that does as many multiply-adds in 8x16 by 16x16 products,
//                compiled for the same level and timed in the same run
//
// Look at the ratios: absolute numbers depend on the machine and on what else it does.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "chip/machine/machine.h"
#include "chip/machine/simd_level.h"
#include "native_products.h"
#include "processor_time.h"
#include "source/assembly/assembly.h"

namespace lanewise::bench {

// Each defined by native_products.cpp as compiled for that level.
namespace baseline {
NativeProducts find_products();
}
namespace v3 {
NativeProducts find_products();
}
namespace v4 {
NativeProducts find_products();
}

NativeProducts native_products(SimdLevel level) {
  switch (level) {
    case SimdLevel::V4: return v4::find_products();
    case SimdLevel::V3: return v3::find_products();
    case SimdLevel::Baseline: break;
  }
  return baseline::find_products();
}

namespace {

constexpr unsigned kInstructions = 256; ///< of a program
constexpr unsigned kBlocks = 8;         ///< of 8 rows of Dst, by turns

struct Mode {
  std::string_view name;
  unsigned format; ///< code of both sources
  bool wide, int8;
};

constexpr Mode kModes[] = {
    {"bf16", 5, false, false},     {"bf16_d32", 5, true, false}, {"tf32", 4, false, false},
    {"tf32_d32", 4, true, false},  {"fp16", 1, false, false},    {"fp16_d32", 1, true, false},
    {"int8_d32", 14, false, true},
};

struct Instruction {
  std::string_view name;
  std::string_view text; ///< with the row of Dst as {}
  unsigned multiply_adds;
};

constexpr Instruction kMvmul{"mvmul", "MVMUL FlipSrcB=0, DstRow={}", 2048};
constexpr Instruction kOthers[] = {
    {"gapool", "GAPOOL Pool16x16=1, DstRow={}", 1024},
    {"elwmul", "ELWMUL DstRow={}", 128},
    {"elwadd", "ELWADD DstRow={}", 128},
    {"gmpool", "GMPOOL Pool16x16=1, DstRow={}", 256},
};

/// Numbers of both signs and several exponents around 1, or INT8 of both signs.
void fill(Machine& machine, const Mode& mode, unsigned phase) {
  MachineState& s = machine.state();
  using isa::ConfigField;
  s.config.set(ConfigField::ALU_FORMAT_SPEC_REG0_SrcA, mode.format);
  s.config.set(ConfigField::ALU_FORMAT_SPEC_REG1_SrcB, mode.format);
  s.config.set(ConfigField::DISABLE_IMPLIED_SRCA_FMT_Base, 1);
  s.config.set(ConfigField::DISABLE_IMPLIED_SRCB_FMT_Base, 1);
  s.config.set(ConfigField::ALU_ACC_CTRL_Fp32_enabled, mode.wide ? 1 : 0);
  s.config.set(ConfigField::ALU_ACC_CTRL_INT8_math_enabled, mode.int8 ? 1 : 0);
  s.config.set(ConfigField::FIDELITY_BASE_Phase, phase);
  const unsigned bias = mode.int8 ? 16 : mode.format == 1 ? 15 : 127;
  std::uint32_t number = 1;
  for (SourceFile* file : {&s.srca, &s.srcb}) {
    for (auto& row : file->cell[file->current]) {
      for (std::uint32_t& cell : row) {
        number = number * 1664525 + 1013904223;
        const std::uint32_t exponent = mode.int8 ? bias : bias - 2 + (number >> 20) % 4;
        cell = (number & 0x80000000U) | exponent << 23 | (number >> 5 & 0x3F8) << 13;
      }
    }
  }
}

/// Multiply-adds per second of a plain loop.
template <class T>
double native_rate(void (*loop)(ProductArrays<T>&, unsigned)) {
  constexpr double kDuration = 0.02; // enough for three digits
  constexpr unsigned kProducts = 1024;
  static ProductArrays<T> arrays;
  for (auto& row : arrays.a) std::fill(std::begin(row), std::end(row), T{1});
  for (auto& row : arrays.b) std::fill(std::begin(row), std::end(row), T{2});
  constexpr double kMultiplyAdds =
      double{kProducts} * kProductRows * kProductInner * kProductColumns;
  return kMultiplyAdds / seconds_of(kDuration, [&] { loop(arrays, kProducts); });
}

void run(benchmark::State& bench, SimdLevel level, const Instruction& instruction, const Mode& mode,
         unsigned phase) {
  set_simd_level(level);
  std::string source;
  for (unsigned i = 0; i < kInstructions; ++i)
    source += fmt::format(fmt::runtime(instruction.text), 8 * (i % kBlocks)) + '\n';
  const auto program = assembly::assemble(Arch::Blackhole, source, instruction.name);
  if (!program) return bench.SkipWithError(to_string(program.error()).c_str());
  Machine machine(Arch::Blackhole);
  const MicroProgram prepared = machine.prepare(*program);
  if (prepared.ops.size() != kInstructions) return bench.SkipWithError("not executed");
  fill(machine, mode, phase);
  const double begin = cpu_seconds();
  for (auto _ : bench) {
    machine.execute(prepared);
    benchmark::ClobberMemory();
  }
  const double seconds = cpu_seconds() - begin;
  const double rate = static_cast<double>(bench.iterations()) * kInstructions / seconds;
  const double multiply_adds = rate * instruction.multiply_adds;
  const NativeProducts native = native_products(level);
  bench.counters["per_second"] = rate;
  bench.counters["multiply_add"] = multiply_adds;
  bench.counters["float"] = native_rate(native.floats) / multiply_adds;
  bench.counters["int"] = native_rate(native.integers) / multiply_adds;
}

void add(const Instruction& instruction, const Mode& mode, unsigned phase) {
  for (SimdLevel level : available_simd_levels()) {
    benchmark::RegisterBenchmark(
        fmt::format("{}/{}_p{}/{}", instruction.name, mode.name, phase, simd_level_name(level))
            .c_str(),
        [&instruction, &mode, phase, level](benchmark::State& state) {
          run(state, level, instruction, mode, phase);
        });
  }
}

} // namespace
} // namespace lanewise::bench

int main(int argc, char** argv) {
  using namespace lanewise::bench;
  for (const Mode& mode : kModes) {
    for (unsigned phase = 0; phase < 4; ++phase) add(kMvmul, mode, phase);
  }
  for (const Instruction& instruction : kOthers) {
    for (const Mode& mode : kModes) add(instruction, mode, 0);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
