// What the clock costs: executing with a schedule that is already known, and making one.
//
//   ./lanewise bench --clock
//
// 'execute/...' runs programs over a tile again and again. The counters:
//
//   lanes  simulated lanes per second: each instruction that executes counts 32, scheduled ones too
//   ratio  how many times longer it takes than its reference in the same run: for 'plain_scheduled'
//   the
//          same program without a schedule (1 = the clock costs nothing), for 'macros' the version
//          of the same function without SFPLOADMACRO
//
// 'schedule/...' makes schedules; 'ops' are micro-ops per second.
//
// Look at ratios; absolute numbers depend on the machine. Nothing here fails because of time.
#include <benchmark/benchmark.h>

#include <string>

#include "chip/machine/machine.h"
#include "chip/timing/schedule.h"
#include "processor_time.h"
#include "source/assembly/assembly.h"

namespace lanewise::bench {

namespace {

/// -|x| + 1 for a tile of 32 accesses: a MAD, and an instruction of the Simple sub-unit.
constexpr std::string_view kPlain = R"(
.repeat 32
SFPLOAD L0, FP32, 7, 0
SFPSETSGN 1, L0, L0, 1
SFPMAD L10, L10, L0, L0, 0
SFPNOP
SFPSTORE L0, FP32, 7, 0
INCRWC DstInc=2
.endr
)";

/// The same with macro 0: SFPSETSGN at once, SFPMAD in the next cycle, the store two later; four
/// LRegs take turns, one access per two slots.
constexpr std::string_view kMacros = R"(
SFPSETSGN 1, L0, L12, 1
SFPMAD L10, L10, L0, L13, 0
SFPLOADI L0, LOWER, 0x0D04
SFPLOADI L0, UPPER, 0x1B00
SFPCONFIG 0, 4, 0
SFPCONFIG 3, 8, 1
SFPNOP
.repeat 8
SFPLOADMACRO 0, 0, FP32, 7, 0, 0
INCRWC DstInc=2
SFPLOADMACRO 0, 1, FP32, 7, 0, 0
INCRWC DstInc=2
SFPLOADMACRO 0, 2, FP32, 7, 0, 0
INCRWC DstInc=2
SFPLOADMACRO 0, 3, FP32, 7, 0, 0
INCRWC DstInc=2
.endr
SFPNOP
SFPNOP
SFPNOP
SFPNOP
)";

struct Prepared {
  Machine machine{Arch::Blackhole};
  MicroProgram program;
  timing::Schedule schedule;

  explicit Prepared(std::string_view source) {
    const auto assembled = assembly::assemble(Arch::Blackhole, source, "bench.tt");
    program = machine.prepare(assembled.value());
    schedule = timing::schedule(machine.state(), program);
  }
};

/// One run, from the counters at zero.
void execute_anew(MachineState& state, std::span<const MicroOp> ops) {
  state.rwc = {};
  execute(state, ops);
  benchmark::ClobberMemory();
}

/// Executes the schedule of a program over and over; the ratio compares it with the plain program,
/// which has none.
void scheduled(benchmark::State& bench, std::string_view source) {
  Prepared prepared(source), plain(kPlain);
  const double begin = cpu_seconds();
  for (auto _ : bench)
    execute_anew(prepared.machine.state(), prepared.schedule.ops(prepared.program));
  const double seconds = (cpu_seconds() - begin) / static_cast<double>(bench.iterations());
  constexpr double kDuration = 0.2; // enough for three digits
  const double plain_seconds =
      seconds_of(kDuration, [&] { execute_anew(plain.machine.state(), plain.program.ops); });
  bench.counters["lanes"] = static_cast<double>(prepared.schedule.events.size()) * kLanes / seconds;
  bench.counters["ratio"] = seconds / plain_seconds;
}
BENCHMARK_CAPTURE(scheduled, plain, kPlain)->Name("execute/plain_scheduled");
BENCHMARK_CAPTURE(scheduled, macros, kMacros)->Name("execute/macros");

void make_schedule(benchmark::State& bench, std::string_view source) {
  Prepared prepared(source);
  for (auto _ : bench) {
    benchmark::DoNotOptimize(timing::schedule(prepared.machine.state(), prepared.program));
  }
  bench.counters["ops"] = benchmark::Counter(
      static_cast<double>(bench.iterations()) * static_cast<double>(prepared.program.ops.size()),
      benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(make_schedule, plain, kPlain)->Name("schedule/plain");
BENCHMARK_CAPTURE(make_schedule, macros, kMacros)->Name("schedule/macros");

} // namespace
} // namespace lanewise::bench

BENCHMARK_MAIN();
