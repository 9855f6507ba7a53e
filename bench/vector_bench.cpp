// How fast the Vector Unit is simulated: lanes per second through Machine::execute.
//
//   cmake -S . -B build -DLANEWISE_BENCH=ON && cmake --build build && build/bench/vector_bench
//   build/bench/vector_bench --benchmark_filter=v4        one level only
//
// A benchmark is named OPERATION/LEVEL, for each of the x86-64 levels that this processor has. Its
// program consists of many instructions of one kind, on registers that take turns, and all lanes
// are enabled. One lane is one of the 32 results of one instruction. The counters:
//
//   lanes   simulated lanes per second
//   native  numbers per second of the plain loop for the same operation on the host's own numbers
//           (native_loops.cpp), compiled for the same level, on arrays of the same size, timed in
//           the same run
//   ratio   how many times longer the bit-exact simulation takes than such a loop
//
// 'kernel' is a predicated approximation of e^x over a tile, 22 instructions for 32 elements; its
// lanes are those of all 22, while its plain loop counts elements. 'mad_care' has operands whose
// sums need the complete multiply-add (chip/semantics/fma.h) in every lane: the worst case.
//
// Look at the ratio, and at levels beside each other. Absolute numbers depend on the machine and
// what else it does; nothing here fails because of time.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <string>
#include <string_view>

#include "chip/machine/machine.h"
#include "chip/machine/simd_level.h"
#include "native_loops.h"
#include "processor_time.h"
#include "source/assembly/assembly.h"

namespace lanewise::bench {

// Each defined by native_loops.cpp as compiled for that level.
namespace baseline {
NativeFunction find_loop(NativeLoop loop);
}
namespace v3 {
NativeFunction find_loop(NativeLoop loop);
}
namespace v4 {
NativeFunction find_loop(NativeLoop loop);
}

NativeFunction native_loop(SimdLevel level, NativeLoop loop) {
  switch (level) {
    case SimdLevel::V4: return v4::find_loop(loop);
    case SimdLevel::V3: return v3::find_loop(loop);
    case SimdLevel::Baseline: break;
  }
  return baseline::find_loop(loop);
}

namespace {

/// Instructions of a program: enough that the call of execute() does not matter, few enough for the
/// first-level cache.
constexpr unsigned kInstructions = 256;
constexpr unsigned kTileSteps = 32; ///< a tile is 32 times 32 elements

/// The text of instruction i of a program.
using Line = std::function<std::string(unsigned)>;

struct Case {
  std::string_view name;
  NativeLoop native;
  Line line;
  unsigned lines = kInstructions;
  unsigned native_operations = kInstructions; ///< of the plain loop, for one run of the program
};

unsigned target(unsigned i) {
  return 4 + i % 4;
}

/// Addresses step through a tile: + 2 is the next 32 elements.
unsigned address(unsigned i) {
  return 2 * (i % kTileSteps);
}

/// e^x = 2^n * 2^f with n + f = x * log2(e); below 2^-126, 0.
std::string exponential(unsigned i) {
  return fmt::format(R"(
    SFPLOAD     L0, BF16, ADDR_MOD_3, {0}
    SFPMULI     bf16(1.4453125), L0, 0
    SFPLOADI    L2, FLOATB, bf16(12582912)
    SFPADD      L10, L0, L2, L3, 0
    SFPMAD      L11, L2, L3, L4, 0
    SFPMAD      L11, L4, L0, L5, 0
    SFPLOADI    L6, FLOATB, bf16(0.056)
    SFPLOADI    L7, FLOATB, bf16(0.24)
    SFPMAD      L6, L5, L7, L6, 0
    SFPLOADI    L7, FLOATB, bf16(0.693)
    SFPMAD      L6, L5, L7, L6, 0
    SFPMAD      L6, L5, L10, L6, 0
    SFPSHFT     23, L3, L3, ARG_IMM
    SFPIADD     0, L3, L6, CC_NONE
    SFPENCC     3, Mod1=EI_RI
    SFPADDI     bf16(126), L0, 0
    SFPSETCC    VC=L0, Mod1=LREG_LT0
    SFPLOADI    L6, FLOATB, 0
    SFPCOMPC
    SFP_STOCH_RND RND_NEAREST, 0, L0, L6, L6, FP32_TO_FP16B
    SFPENCC     3, Mod1=EI_RI
    SFPSTORE    L6, BF16, ADDR_MOD_3, {0}
)",
                     address(i));
}

const Case kCases[] = {
    {"mad", NativeLoop::MultiplyAdd,
     [](unsigned i) { return fmt::format("SFPMAD L0, L1, L{}, L{}, 0", 2 + i % 2, target(i)); }},
    {"mad_horner", NativeLoop::MultiplyAdd, // an addend about as large as the result
     [](unsigned i) { return fmt::format("SFPMAD L0, L10, L{}, L{}, 0", 6 + i % 2, target(i)); }},
    {"mul", NativeLoop::MultiplyAdd,
     [](unsigned i) { return fmt::format("SFPMUL L0, L{}, L9, L{}, 0", 1 + i % 2, target(i)); }},
    {"mad_care", NativeLoop::MultiplyAdd,
     [](unsigned i) { return fmt::format("SFPMAD L0, L3, L{}, L{}, 0", 2 + i % 2, target(i)); }},
    {"addi", NativeLoop::AddConstant,
     [](unsigned i) { return fmt::format("SFPADDI bf16(1.0), L{}, 0", target(i)); }},
    {"lutfp32", NativeLoop::PieceOfThree,
     [](unsigned) { return "SFPLUTFP32 L7, FP32_3ENTRY_TABLE"; }},
    {"iadd", NativeLoop::AddIntegers,
     [](unsigned i) { return fmt::format("SFPIADD 0, L{}, L{}, 0", i % 4, target(i)); }},
    {"shft", NativeLoop::Shift,
     [](unsigned i) { return fmt::format("SFPSHFT 3, L0, L{}, ARG_IMM", target(i)); }},
    {"and", NativeLoop::And,
     [](unsigned i) { return fmt::format("SFPAND VC=L{}, VD=L{}", i % 4, target(i)); }},
    {"abs", NativeLoop::Absolute,
     [](unsigned i) { return fmt::format("SFPABS L{}, L{}, 0", i % 4, target(i)); }},
    {"load_bf16", NativeLoop::LoadBf16,
     [](unsigned i) {
       return fmt::format("SFPLOAD L{}, BF16, ADDR_MOD_3, {}", i % kRegisters, address(i));
     }},
    {"load_fp32", NativeLoop::LoadFp32,
     [](unsigned i) {
       return fmt::format("SFPLOAD L{}, FP32, ADDR_MOD_3, {}", i % kRegisters, address(i));
     }},
    {"load_int8", NativeLoop::LoadInt8,
     [](unsigned i) {
       return fmt::format("SFPLOAD L{}, INT8, ADDR_MOD_3, {}", i % kRegisters, address(i));
     }},
    {"store_bf16", NativeLoop::StoreBf16,
     [](unsigned i) {
       return fmt::format("SFPSTORE L{}, BF16, ADDR_MOD_3, {}", i % kRegisters, address(i));
     }},
    {"store_fp32", NativeLoop::StoreFp32,
     [](unsigned i) {
       return fmt::format("SFPSTORE L{}, FP32, ADDR_MOD_3, {}", i % kRegisters, address(i));
     }},
    {"store_int8", NativeLoop::StoreInt8,
     [](unsigned i) {
       return fmt::format("SFPSTORE L{}, INT8, ADDR_MOD_3, {}", i % kRegisters, address(i));
     }},
    {"cast", NativeLoop::IntToFloat,
     [](unsigned i) { return fmt::format("SFPCAST L{}, L{}, 0", i % 4, target(i)); }},
    {"stochrnd", NativeLoop::RoundToBf16,
     [](unsigned i) {
       return fmt::format("SFP_STOCH_RND RND_NEAREST, 0, L0, L{}, L{}, FP32_TO_FP16B", i % 4,
                          target(i));
     }},
    {"swap", NativeLoop::MinMax,
     [](unsigned i) { return fmt::format("SFPSWAP L{}, L{}, VEC_MIN_MAX", i % 4, target(i)); }},
    {"kernel", NativeLoop::Exponential, exponential, kTileSteps, kTileSteps},
};

/// Registers of ordinary numbers, the same each time; L3 holds numbers so small that a product with
/// them needs care.
void fill(MachineState& state, bool care) {
  for (unsigned reg = 0; reg < kRegisters; ++reg) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const float value =
          0.25F + static_cast<float>(reg) * 0.375F + static_cast<float>(lane) * 0.0625F;
      state.vector.lreg[reg][lane] = std::bit_cast<std::uint32_t>(lane % 3 == 0 ? -value : value);
    }
  }
  if (care) std::fill_n(state.vector.lreg[3], kLanes, 1U << 23);
  if (care) std::fill_n(state.vector.lreg[2], kLanes, 3U << 23);
  for (auto& row : state.dst.cell) {
    for (unsigned column = 0; column < kDstColumns; ++column) {
      row[column] = static_cast<std::uint16_t>(
          0x0080 + column * 0x0700); // about 1 or 4, with several mantissas
    }
  }
}

void fill(NativeArrays& arrays) {
  for (unsigned reg = 0; reg < kRegisters; ++reg) {
    for (unsigned lane = 0; lane < kLanesOfRegister; ++lane) {
      arrays.number[reg][lane] =
          0.25F + static_cast<float>(reg) * 0.375F + static_cast<float>(lane) * 0.0625F;
      arrays.integer[reg][lane] = static_cast<std::int32_t>(reg * 1000 + lane);
    }
  }
  for (unsigned row = 0; row < kLanesOfRegister; ++row) {
    for (unsigned column = 0; column < kLanesOfRegister; ++column) {
      arrays.cell[row][column] = static_cast<std::uint16_t>(0x3F80 + column);
      arrays.wide[row][column] = 0x3F800000U + column;
    }
  }
}

/// Runs of `native_operations` operations of the plain loop, per second.
double native_rate(SimdLevel level, const Case& each) {
  constexpr double kDuration = 0.02; // enough for three digits
  static NativeArrays arrays;
  fill(arrays);
  const NativeFunction loop = native_loop(level, each.native);
  return 1 / seconds_of(kDuration, [&] {
           loop(arrays, each.native_operations);
           benchmark::ClobberMemory();
         });
}

void run(benchmark::State& bench, SimdLevel level, const Case& each) {
  set_simd_level(level);
  std::string source;
  for (unsigned i = 0; i < each.lines; ++i) source += each.line(i) + '\n';
  const auto program = assembly::assemble(Arch::Blackhole, source, each.name);
  if (!program) return bench.SkipWithError(to_string(program.error()).c_str());
  Machine machine(Arch::Blackhole);
  const MicroProgram prepared = machine.prepare(*program);
  fill(machine.state(), each.name == "mad_care");
  // Some operations take their own results as input, so that numbers drift; start anew before they
  // get anywhere.
  const VectorState start = machine.state().vector;
  constexpr int kRunsFromStart = 16;
  int until_start = 0;
  const double begin = cpu_seconds();
  for (auto _ : bench) {
    if (--until_start < 0) {
      machine.state().vector = start;
      until_start = kRunsFromStart - 1;
    }
    machine.execute(prepared);
    benchmark::ClobberMemory();
  }
  const double seconds = cpu_seconds() - begin;
  const double runs = static_cast<double>(bench.iterations()) / seconds;
  const double lanes = static_cast<double>(prepared.ops.size()) * kLanes;
  const double native_runs = native_rate(level, each);
  bench.counters["lanes"] = runs * lanes;
  bench.counters["native"] = native_runs * each.native_operations * kLanes;
  bench.counters["ratio"] = native_runs / runs;
}

} // namespace
} // namespace lanewise::bench

int main(int argc, char** argv) {
  using namespace lanewise;
  for (const bench::Case& each : bench::kCases) {
    for (SimdLevel level : available_simd_levels()) {
      benchmark::RegisterBenchmark(
          fmt::format("{}/{}", each.name, simd_level_name(level)).c_str(),
          [&each, level](benchmark::State& state) { bench::run(state, level, each); });
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
