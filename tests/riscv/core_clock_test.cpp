// What instructions of the cores cost, held against silicon, row by row, and against the pages that
// describe the pipelines (rules/timing.md, T7).
#include "chip/riscv/core_clock.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include "project.h"
#include "riscv/core_probes.h"

namespace lanewise::test {
namespace {

using riscv::Op;

// ---------------------------------------------------------------- Silicon

struct CostRow {
  Arch arch = Arch::Blackhole;
  std::string probe;
  unsigned threads = 1, core = 0;
  double cycles = 0, model = 0;

  double error() const { return model / cycles - 1; }
};

double model_of(const CostRow& row, bool is_zone) {
  if (is_zone) return zone_rate(row.probe).value_or(0);
  const auto probe = find_core_probe(row.probe);
  if (!probe) return 0;
  // T1 and T2 share a port to L1.
  const bool shares = row.threads == 3 && row.core > 0;
  return probe_slope(row.arch, {.core = row.core}, *probe, shares);
}

/// Rows that the cores explain. Units of the coprocessor that threads share are not theirs.
std::vector<CostRow> measured_rows() {
  std::ifstream file(in_project("tests/riscv/core_costs.csv"));
  std::vector<CostRow> rows;
  std::map<std::tuple<std::string, std::string, std::string>, double> models;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.starts_with("chip,")) continue;
    std::istringstream fields(line);
    std::string chip, bench, probe, threads, core, cycles;
    for (std::string* each : {&chip, &bench, &probe, &threads, &core, &cycles})
      std::getline(fields, *each, ',');
    CostRow row{.arch = chip == "bh" ? Arch::Blackhole : Arch::Wormhole,
                .probe = probe,
                .threads = static_cast<unsigned>(std::stoul(threads)),
                .core = core == "B" ? 0 : static_cast<unsigned>(core[1] - '0'),
                .cycles = std::stod(cycles)};
    const bool is_shared_unit = probe == "tt_sfpnop" || probe == "tt_setdmareg";
    if (probe == "tt_adddmareg" || (is_shared_unit && row.threads > 1)) continue;
    auto [model, is_new] =
        models.try_emplace({chip, probe, core + (row.threads == 3 ? "shared" : "")}, 0);
    if (is_new) model->second = model_of(row, bench == "retirebench");
    row.model = model->second;
    rows.push_back(row);
  }
  return rows;
}

const std::vector<CostRow>& all_rows() {
  static const std::vector<CostRow> rows = measured_rows();
  return rows;
}

TEST(CoreCosts, EveryRowOfOneCoreIsWithinThreePercent) {
  unsigned looked_at = 0;
  for (const CostRow& row : all_rows()) {
    // What no law explains: wrong-path lines in a full cache of 512 bytes, and zones of B.
    const bool is_open = row.probe == "c_xor_nt" || row.probe == "c_xor_alt" ||
                         row.probe == "c_xor_t" || row.probe == "load_ind" ||
                         row.probe == "store_spread" || row.probe == "div_large";
    if (row.threads != 1 || is_open) continue;
    ++looked_at;
    EXPECT_LE(std::abs(row.error()), 0.026) << row.probe << " on " << arch_params(row.arch).names.id
                                            << ": " << row.model << ", not " << row.cycles;
  }
  EXPECT_GT(looked_at, 80U);
}

TEST(CoreCosts, RowsOfSeveralCoresAreWithinABand) {
  for (const CostRow& row : all_rows()) {
    const bool is_contended = row.probe.starts_with("rv_load_indep") ||
                              row.probe.starts_with("rv_store_spread") ||
                              row.probe.starts_with("rv_store_coalesce") ||
                              row.probe == "c_xor_nt"; // wrong-path lines, as above
    if (row.threads == 1 || is_contended) continue;
    EXPECT_LE(std::abs(row.error()), 0.1) << row.probe << " on " << arch_params(row.arch).names.id
                                          << ": " << row.model << ", not " << row.cycles;
  }
}

// --- The table of docs/timing.md

std::string chip_cells(Arch arch, const std::string& probe) {
  double least = 1e9, most = 0, model_least = 1e9, model_most = 0, worst = 0;
  for (const CostRow& row : all_rows()) {
    if (row.arch != arch || row.probe != probe) continue;
    least = std::min(least, row.cycles);
    most = std::max(most, row.cycles);
    model_least = std::min(model_least, row.model);
    model_most = std::max(model_most, row.model);
    if (std::abs(row.error()) > std::abs(worst)) worst = row.error();
  }
  if (most == 0) return " | | |";
  const auto range = [](double from, double to) {
    const std::string first = fmt::format("{:.2f}", from), last = fmt::format("{:.2f}", to);
    return first == last ? first : first + " to " + last;
  };
  return fmt::format(" {} | {} | {:+.1f} |", range(least, most), range(model_least, model_most),
                     100 * worst);
}

std::string residual_table() {
  std::vector<std::string> probes;
  for (const CostRow& row : all_rows()) {
    if (std::ranges::find(probes, row.probe) == probes.end()) probes.push_back(row.probe);
  }
  std::ranges::sort(probes);
  std::string text =
      "| Probe | Blackhole | model | worst, % | Wormhole | model | worst, % |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const std::string& probe : probes) {
    text += fmt::format("| `{}` |{}{}\n", probe, chip_cells(Arch::Blackhole, probe),
                        chip_cells(Arch::Wormhole, probe));
  }
  text +=
      "\nRows that are off by more than 5 %:\n\n"
      "| Chip | Probe | Cores | Core | Measured | Model | % |\n|---|---|---|---|---|---|---|\n";
  for (const CostRow& row : all_rows()) {
    if (std::abs(row.error()) <= 0.05) continue;
    text += fmt::format("| {} | `{}` | {} | T{} | {:.3f} | {:.3f} | {:+.1f} |\n",
                        arch_params(row.arch).names.id, row.probe, row.threads, row.core,
                        row.cycles, row.model, 100 * row.error());
  }
  return text;
}

/// LANEWISE_BLESS=1 writes the table into the page instead.
TEST(CoreCosts, ThePageHasTheResidualsOfAllRows) {
  const std::string path = in_project("docs/timing.md");
  std::ifstream in(path);
  std::string page{std::istreambuf_iterator<char>(in), {}};
  const std::string begin = "<!-- begin: core residuals -->\n",
                    end = "<!-- end: core residuals -->";
  const std::size_t from = page.find(begin), to = page.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  const std::string table = residual_table();
  const std::string there = page.substr(from + begin.size(), to - from - begin.size());
  if (std::getenv("LANEWISE_BLESS") == nullptr) { // NOLINT(concurrency-mt-unsafe)
    EXPECT_EQ(there, table) << "LANEWISE_BLESS=1 writes it";
    return;
  }
  page.replace(from + begin.size(), there.size(), table);
  std::ofstream(path) << page;
}

// ---------------------------------------------------------------- The pages

class CoreClockOfChip : public ::testing::TestWithParam<Arch> {
 protected:
  bool is_blackhole() const { return GetParam() == Arch::Blackhole; }

  static constexpr std::uint64_t kIdle = 1000; ///< in which all stores leave

  /// The cycles between the first instruction and the last, once the code is in the cache.
  std::uint64_t span(const RiscvCode& code, const riscv::CoreClockOptions& options = {},
                     const std::function<void(TimedCore&)>& prepare = prepare_probe) {
    TimedCore core(GetParam(), options);
    core.load_code(code);
    for (unsigned round = 0; round < 3; ++round) {
      prepare(core);
      core.idle_until = core.clock.issued() + kIdle;
      cycles_ = core.run();
    }
    return cycles_.back() - cycles_.front();
  }

  /// From a load to the instruction that uses it.
  std::uint64_t latency(std::uint32_t address, Op op = Op::LW,
                        const riscv::CoreClockOptions& options = {}) {
    RiscvCode code;
    code.imm(op, 10, 8, 0);
    code.imm(Op::ADDI, 10, 10, 0);
    return span(code, options, [address](TimedCore& core) { core.core.set_reg(8, address); });
  }

  std::vector<std::uint64_t> cycles_;
};
INSTANTIATE_TEST_SUITE_P(Chips, CoreClockOfChip, ::testing::ValuesIn(kArchs), [](const auto& each) {
  return std::string(arch_params(each.param).names.id);
});

TEST_P(CoreClockOfChip, LoadsTakeWhatTheirRegionTakes) { // ISA BabyRISCV, load latencies
  EXPECT_EQ(latency(0xFFB00000), 2U);
  EXPECT_EQ(latency(0x20000), 8U);
  EXPECT_EQ(latency(0xFFE80024), 3U);                       // a semaphore
  EXPECT_EQ(latency(0xFFE80004), 3U);                       // TTSync
  EXPECT_EQ(latency(0xFFE80000), 3U);                       // PCBuf
  EXPECT_EQ(latency(0xFFEC1000), 3U);                       // a mailbox
  EXPECT_EQ(latency(0xFFE00000), 4U);                       // a GPR
  EXPECT_EQ(latency(0xFFEF0000), 4U);                       // configuration
  EXPECT_EQ(latency(0xFFB11000), is_blackhole() ? 4U : 7U); // TDMA
  EXPECT_EQ(latency(0xFFB121F0), 7U);                       // the wall clock
  EXPECT_EQ(latency(0xFFB20000), 7U);                       // a NoC
  // The slow path to local RAM, which Wormhole lacks.
  EXPECT_EQ(latency(0xFFB18000), is_blackhole() ? 8U : 7U);
}

TEST_P(CoreClockOfChip, SevenInstructionsHideALoadFromL1) { // ISA BabyRISCV
  RiscvCode code;
  code.imm(Op::LW, 10, 8, 0);
  for (unsigned i = 0; i < 7; ++i) code.imm(Op::ADDI, 11 + i, 0, 1);
  code.imm(Op::ADDI, 10, 10, 0);
  EXPECT_EQ(span(code), 8U);
}

TEST_P(CoreClockOfChip, EightInstructionsAtMostHaveNotRetired) { // ISA memory ordering
  RiscvCode code;
  code.imm(Op::LW, 10, 8, 0);
  for (unsigned i = 0; i < 24; ++i) code.imm(Op::ADDI, 11, 0, 1);
  // Of those behind the load seven go at once, and the others when it is done.
  EXPECT_LE(span(code), 26U);
  EXPECT_EQ(cycles_[7] - cycles_[0], 7U);
  RiscvCode slow;
  slow.imm(Op::LW, 10, 8, 0);
  slow.imm(Op::LW, 11, 10, 0); // waits for the first one
  for (unsigned i = 0; i < 9; ++i) slow.imm(Op::ADDI, 12, 0, 1);
  span(slow);
  EXPECT_EQ(cycles_[1] - cycles_[0], 8U);
  EXPECT_EQ(cycles_[8] - cycles_[1], 7U);
}

// Wormhole's results pass through the load/store unit, and can be read when they enter or leave it.
TEST_P(CoreClockOfChip, AResultBehindALoadIsForwarded) { // ISA memory ordering, examples
  RiscvCode next, later;
  for (RiscvCode* code : {&next, &later}) {
    code->imm(Op::LW, 10, 8, 0);
    code->imm(Op::ADDI, 11, 0, 1);
    if (code == &later) code->imm(Op::ADDI, 12, 0, 1);
    code->imm(Op::ADDI, 13, 11, 1);
  }
  EXPECT_EQ(span(next), 2U);
  EXPECT_EQ(span(later), is_blackhole() ? 3U : 9U);
}

TEST_P(CoreClockOfChip, DivisionsTakeWhatTheDividendTakes) { // ISA BabyRISCV, integer unit
  struct Case {
    Op op;
    std::uint32_t a, b;
    std::uint64_t cycles;
  };
  constexpr std::uint32_t kMinusOne = ~0U;
  constexpr Case kCases[] = {
      {Op::DIVU, 77, 0, 2},
      {Op::DIVU, 77, 1, 2},
      {Op::REM, 0x80000000, kMinusOne, 2},
      {Op::DIVU, 3, 3, 6},
      {Op::DIVU, 0xF, 3, 6},
      {Op::DIVU, 0x10, 3, 10},
      {Op::DIVU, 0xFFF, 3, 14},
      {Op::DIVU, 0x12345678, 3, 33},
      {Op::DIVU, kMinusOne, 3, 33},
      {Op::DIV, kMinusOne, 3, 6},
      {Op::REMU, 0xFFF, 3, 14},
  };
  for (const Case& each : kCases) {
    RiscvCode code;
    code.reg(each.op, 10, 11, 12);
    code.imm(Op::ADDI, 13, 0, 1);
    EXPECT_EQ(span(code, {},
                   [&each](TimedCore& core) {
                     core.core.set_reg(11, each.a);
                     core.core.set_reg(12, each.b);
                   }),
              each.cycles)
        << each.a << " by " << each.b;
  }
}

TEST_P(CoreClockOfChip, AMispredictedBranchLeavesABubble) { // ISA BabyRISCV, integer unit
  TimedCore core(GetParam(), {});
  RiscvCode code;
  code.branch(Op::BEQ, 10, 0, 4);
  code.imm(Op::ADDI, 11, 0, 1);
  core.load_code(code);
  const auto taken = [&core](bool is_taken) {
    core.core.set_reg(10, is_taken ? 0 : 1);
    const auto cycles = core.run();
    return cycles[1] - cycles[0];
  };
  const std::uint64_t missed = is_blackhole() ? 5 : 3;
  EXPECT_EQ(taken(false), 1U);
  EXPECT_EQ(taken(true), missed);
  EXPECT_EQ(taken(true), 1U);
  EXPECT_EQ(taken(false), missed); // it has been taken twice, and still is expected to be
  EXPECT_EQ(taken(true), 1U);
}

TEST_P(CoreClockOfChip, CodeThatIsMissedComesWhileTheBubblePasses) { // CT
  TimedCore core(GetParam(), {});
  RiscvCode code;
  code.jump(0, 128);
  for (unsigned i = 0; i < 32; ++i) code.imm(Op::ADDI, 11, 0, 1);
  core.load_code(code);
  core.idle_until = kIdle; // the lines that were asked for ahead have come
  const auto cycles = core.run();
  EXPECT_EQ(cycles[1] - cycles[0], 9U); // a line of L1 takes eight, whatever the bubble
}

TEST_P(CoreClockOfChip, ThreeLinesOfCodeComeWhileTheCoreWaits) { // CT: initialisations to unpack
  TimedCore core(GetParam(), {});
  core.clock.begin({.pc = 0});
  core.clock.hold(kIdle);
  core.clock.finish(4);
  // The line that it waits in, these three, and one that comes while it goes through them.
  constexpr std::uint32_t kWords = 5 * riscv::CodeFetch::kLineBytes / 4;
  for (std::uint32_t word = 1; word < kWords; ++word) {
    EXPECT_EQ(core.clock.begin({.pc = 4 * word}), kIdle + word);
    core.clock.finish(4 * word + 4);
  }
}

// --- Stores

TEST_P(CoreClockOfChip, AQueueOfFourTakesStoresThatL1CannotTake) { // ISA memory ordering
  RiscvCode code;
  for (unsigned i = 0; i < 8; ++i) code.store(Op::SW, 10, 8, 16 * i);
  span(code);
  EXPECT_EQ(cycles_[4] - cycles_[0], 4U);
  EXPECT_GE(cycles_[7] - cycles_[5], 10U);
}

TEST_P(CoreClockOfChip, ALoadOfWhatIsStoredWaitsForTheStore) { // ISA memory ordering
  RiscvCode same, other;
  same.store(Op::SW, 10, 8, 0);
  other.store(Op::SW, 10, 8, 64);
  same.imm(Op::LW, 11, 8, 0);
  other.imm(Op::LW, 11, 8, 0);
  EXPECT_EQ(span(other), 1U);
  EXPECT_EQ(span(same), is_blackhole() ? 16U : 1U); // Blackhole waits for one that could join
  EXPECT_EQ(span(same, {.cfg0 = riscv::kCfg0Firmware | riscv::kNoMerging}), 1U);
}

// --- Pushes

TEST_P(CoreClockOfChip,
       AdjacentPushesLeaveTogetherWhereGatheringIsOn) { // ISA PushTensixInstruction
  RiscvCode code;
  code.imm(Op::ADDI, 10, 0, 1);
  for (unsigned i = 0; i < 9; ++i) code.push(0x02000000);
  code.imm(Op::ADDI, 10, 0, 1);
  EXPECT_EQ(span(code), 10U); // tt-metal's firmware has switched it off
  EXPECT_EQ(span(code, {.cfg0 = riscv::kCfg0Reset}), is_blackhole() ? 4U : 10U);
  EXPECT_EQ(cycles_[4] == cycles_[1], is_blackhole());
  EXPECT_NE(cycles_[5], cycles_[4]);
}

TEST_P(CoreClockOfChip, AWaitOfTheTileMovesWhatFollows) {
  TimedCore core(GetParam(), {});
  const riscv::Step push{.pc = 0x100};
  core.clock.begin(push);
  core.clock.hold(1000);
  core.clock.hold(500);
  core.clock.finish(0x104);
  EXPECT_EQ(core.clock.begin({.pc = 0x104}), 1001U);
}

// A mark for which no instruction stands is not there in the code of a kernel.

TEST_P(CoreClockOfChip, APushThatStandsForNothingTakesNoTime) {
  TimedCore core(GetParam(), {});
  core.clock.begin({.pc = 0x100});
  core.clock.finish(0x104);
  const std::uint64_t first = core.clock.issued();
  for (const std::uint32_t pc : {0x104U, 0x108U}) {
    core.clock.begin({.pc = pc});
    core.clock.leave_out();
  }
  EXPECT_EQ(core.clock.begin({.pc = 0x10C}), first + 1);
}

TEST_P(CoreClockOfChip, NeighboursOfAPushThatStandsForNothingAreGathered) {
  TimedCore core(GetParam(), {.cfg0 = riscv::kCfg0Reset});
  const std::uint64_t first = core.clock.begin({.pc = 0x100});
  core.clock.finish(0x104);
  core.clock.begin({.pc = 0x104});
  core.clock.leave_out();
  EXPECT_EQ(core.clock.begin({.pc = 0x108}), is_blackhole() ? first : first + 1);
}

TEST_P(CoreClockOfChip, CodeFromL1IsShorterByPushesThatStandForNothing) {
  TimedCore whole(GetParam(), {.core = 1}), thinned(GetParam(), {.core = 1});
  constexpr std::uint32_t kWords = 4096; // more than any cache
  for (std::uint32_t i = 0; i < kWords; ++i) {
    const bool is_left_out = i % 4 == 3;
    if (i < kWords / 4 * 3) {
      whole.clock.begin({.pc = 4 * i});
      whole.clock.finish(4 * i + 4);
    }
    thinned.clock.begin({.pc = 4 * i});
    if (is_left_out) {
      thinned.clock.leave_out();
    } else {
      thinned.clock.finish(4 * i + 4);
    }
  }
  const auto expected = static_cast<double>(whole.clock.issued());
  EXPECT_NEAR(static_cast<double>(thinned.clock.issued()), expected, expected / 12);
}

// --- Blackhole's CSRs, fences, data cache

TEST(CoreClockOfBlackhole, WhatFollowsACsrWaitsUntilItRetires) { // measured: 12 cycles for three
  EXPECT_NEAR(zone_rate("marker_null").value(), 12, 0.01);
}

TEST(CoreClockOfBlackhole, AProgramSwitchesGatheringByItself) { // ISA CSRs, cfg0
  TimedCore core(Arch::Blackhole, {});
  RiscvCode code;
  code.reg(Op::CSRRC, 0, 11, 0);
  code.words.back() |= riscv::kCfg0 << 20;
  for (unsigned i = 0; i < 2; ++i) code.push(0x02000000);
  code.reg(Op::CSRRS, 0, 11, 0);
  code.words.back() |= riscv::kCfg0 << 20;
  for (unsigned i = 0; i < 2; ++i) code.push(0x02000000);
  core.load_code(code);
  core.core.set_reg(11, riscv::kNoGathering);
  core.run();
  const auto cycles = core.run();
  EXPECT_EQ(cycles[2], cycles[1]);
  EXPECT_EQ(cycles[5], cycles[4] + 1);
}

TEST(CoreClockOfBlackhole, TheDataCacheHoldsFourLines) { // ISA BabyRISCV, L0 data cache
  const auto second_load = [](unsigned lines, bool is_on, bool fenced) {
    TimedCore core(Arch::Blackhole, {.cfg0 = is_on ? riscv::kCfg0Reset : riscv::kCfg0Firmware});
    RiscvCode code;
    for (unsigned i = 0; i < lines; ++i) code.imm(Op::LW, 10, 8, 16 * static_cast<int>(i));
    for (unsigned i = 0; i < 12; ++i) code.imm(Op::ADDI, 12, 0, 1);
    if (fenced) code.words.push_back(0x0FF0000F);
    code.imm(Op::LW, 10, 8, 4);
    code.imm(Op::ADDI, 10, 10, 1);
    core.load_code(code);
    core.core.set_reg(8, 0x20000);
    const auto cycles = core.run();
    return cycles.back() - cycles[cycles.size() - 2];
  };
  EXPECT_EQ(second_load(4, true, false), 2U);
  EXPECT_EQ(second_load(5, true, false), 8U);
  EXPECT_EQ(second_load(4, true, true), 8U);
  EXPECT_EQ(second_load(4, false, false), 8U);
}

TEST(CoreClockOfBlackhole, AtomicsTakeTwelveCycles) { // ISA BabyRISCV, load latencies
  TimedCore core(Arch::Blackhole, {});
  RiscvCode code;
  code.reg(Op::AMOADD, 10, 8, 11);
  code.imm(Op::ADDI, 10, 10, 1);
  core.load_code(code);
  core.core.set_reg(8, 0x20000);
  const auto cycles = core.run();
  EXPECT_EQ(cycles[1] - cycles[0], 12U);
}

} // namespace
} // namespace lanewise::test
