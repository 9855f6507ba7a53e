// The same words here and in the vendor's simulator, in one process.
//
//   LANEWISE_TTSIM=.../libttsim.so ./lanewise bench --peers
//
// The library is what 'make.py :build' of https://github.com/tenstorrent/ttsim makes for Blackhole;
// without it only our half runs. A benchmark is named WHO/PROGRAM. The counter
// `instructions` is instructions of the coprocessor per second of processor time. There, a core
// pushes each word, which is in its figure: `push` has words that do nothing else.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "chip/machine/machine.h"
#include "peers/ttsim.h"
#include "processor_time.h"
#include "source/assembly/assembly.h"

namespace lanewise::bench {

namespace {

constexpr unsigned kPushed = 16; ///< words of a loop
constexpr std::uint32_t kTimes = 200;

/// What is recorded once, and played again and again: pushing a word costs the peer more than most
/// instructions.
struct Case {
  std::string_view name;
  std::string once;
  std::string row;
  unsigned words;          ///< of a row
  unsigned rows;           ///< that are recorded
  unsigned cycles = 1;     ///< that the peer takes for a word, at most
  std::string unpack = {}; ///< what a tile has first, of which a machine of two units has nothing
};

const std::string kExp = // a row of e^x: range reduction, six steps of Horner, the exponent
    "SFPLOAD L0, FP32, 3, 0\nSFPMUL L0, L12, L9, L1, 0\nSFPADD L10, L1, L13, L2, 0\n"
    "SFPMAD L2, L1, L13, L3, 0\nSFPMAD L3, L1, L13, L3, 0\nSFPMAD L3, L1, L13, L3, 0\n"
    "SFPMAD L3, L1, L13, L3, 0\nSFPMAD L3, L1, L13, L3, 0\nSFPMAD L3, L1, L13, L3, 0\n"
    "SFPEXEXP L2, L4, 0\nSFPIADD 0, L4, L4, 5\nSFPSETEXP 0, L3, L3, 1\nSFPSTORE L3, FP32, 3, 0\n";
/// L12 = log2(e), L13 = 0.5.
const std::string kConstants =
    "SFPLOADI L0, FLOATB, 0x3FB8\nSFPCONFIG 0, 12, 0\nSFPLOADI L0, FLOATB, 0x3F00\n"
    "SFPCONFIG 0, 13, 0\nSFPLOADI L0, FLOATB, 0x3F80\n";

const Case kCases[] = {
    {"push", "", "NOP\n", 1, 0},
    {"nop", "", "SFPNOP\n", 1, 32},
    {"sfpmad", kConstants, "SFPMAD L0, L12, L13, L1, 0\n", 1, 32},
    {"exp", kConstants, kExp, 13, 2},
    {"mvmul", "", "MVMUL FlipSrcB=0, DstRow=0\n", 1, 32, 4,
     "UNPACR_NOP 0, SetDvalid=1, UnpackPop=1\nUNPACR_NOP 1, SetDvalid=1, UnpackPop=1\n"},
};

std::string times(const std::string& text, unsigned count) {
  std::string all;
  for (unsigned i = 0; i < count; ++i) all += text;
  return all;
}

Program assembled(const std::string& text) {
  return assembly::assemble(Arch::Blackhole, text, "peers").value();
}

std::vector<std::uint32_t> words_of(const Program& program) {
  std::vector<std::uint32_t> words;
  for (const ProgramWord& each : program.words) words.push_back(each.word);
  return words;
}

template <class Work>
void measure(benchmark::State& bench, std::size_t instructions, Work&& work) {
  const double begin = cpu_seconds();
  for (auto _ : bench) work();
  bench.counters["instructions"] = static_cast<double>(bench.iterations()) *
                                   static_cast<double>(instructions) / (cpu_seconds() - begin);
}

void add(const Case& each, Ttsim* peer) {
  const unsigned played = each.words * each.rows;
  std::string first = each.once, again_text = each.row;
  if (played != 0) {
    first += fmt::format("REPLAY 0, {}, 0, 1\n{}", played, times(each.row, each.rows));
    again_text = fmt::format("REPLAY 0, {}, 0, 0\n", played);
  }
  const Program once = assembled(first), again = assembled(times(again_text, kPushed));
  const std::uint32_t pause = played * each.cycles / 2; // of two instructions each
  const std::vector<std::uint32_t> peer_once = words_of(assembled(each.unpack + first));
  const std::size_t instructions = std::size_t{kPushed} * std::max(played, 1U) * kTimes;
  benchmark::RegisterBenchmark(
      fmt::format("lanewise/{}", each.name).c_str(), [=](benchmark::State& bench) {
        Machine machine(Arch::Blackhole);
        machine.execute(machine.prepare(once)); // the front end keeps what is recorded
        const MicroProgram prepared = machine.prepare(again);
        measure(bench, instructions, [&] {
          for (std::uint32_t i = 0; i < kTimes; ++i) machine.execute(prepared);
        });
      });
  if (peer == nullptr) return;
  benchmark::RegisterBenchmark(
      fmt::format("ttsim/{}", each.name).c_str(), [=](benchmark::State& bench) {
        measure(bench, instructions, [&] { peer->run(peer_once, words_of(again), kTimes, pause); });
      });
}

} // namespace
} // namespace lanewise::bench

int main(int argc, char** argv) {
  using namespace lanewise::bench;
  std::unique_ptr<Ttsim> peer;
  try {
    if (const char* library = std::getenv("LANEWISE_TTSIM"))
      peer = std::make_unique<Ttsim>(library);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}; LANEWISE_TTSIM names the libttsim.so to compare with\n",
               error.what());
    return 2;
  }
  for (const auto& each : kCases) add(each, peer.get());
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
