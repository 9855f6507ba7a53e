// A kernel that LLK calls, as it ships and in Lanewise's order: the same bits, and both times. What
// the harness's constant counts and this kernel does not need (T5, T6).
#include <gtest/gtest.h>

#include "number/tensors/pattern.h"
#include "report/time/json.h"
#include "report/time/measure.h"
#include "report/time/text.h"
#include "run/execution/load_program.h"
#include "run/execution/tile_runner.h"
#include "sfpi/kernel_files.h"

namespace lanewise::report {
namespace {

using compiler::CompiledAs;

/// Four constants per row, and results that the next instruction waits for.
constexpr const char* kPolynomial = R"(#pragma once
#include "sfpi.h"
inline void calculate(int rows) {
  for (int i = 0; i < rows; ++i) {
    sfpi::vFloat x = sfpi::dst_reg[0];
    sfpi::dst_reg[0] = ((x * 1.234f + 0.567f) * x + 0.321f) * x + 0.123f;
    sfpi::dst_reg++;
  }
}
)";

class TimeOrders : public sfpi::KernelTest {
 protected:
  execution::LoadedProgram loaded(Arch arch, std::optional<CompiledAs> compiled,
                                  sfpi::Faces faces = sfpi::Faces::RC) {
    const std::string text = kPolynomial;
    execution::ProgramFile file{.name = folder_.write("it.h", text)};
    file.kernel.faces = faces;
    file.kernel.calls = {faces == sfpi::Faces::RC ? "calculate(8)" : "calculate(32)"};
    file.compiler.compiled = compiled;
    auto programs = execution::load_program(file, text, {&arch, 1});
    if (!programs) ADD_FAILURE() << to_string(programs.error());
    return programs ? std::move(programs->front()) : execution::LoadedProgram{};
  }
  static TimeReport timed(const execution::LoadedProgram& program,
                          const TimeOptions& options = {}) {
    auto measured = measure_time(program, options);
    if (!measured) ADD_FAILURE() << to_string(measured.error());
    return measured ? std::move(*measured) : TimeReport{};
  }
  static TimeOptions as(CompiledAs compiled) {
    TimeOptions options;
    options.compiler.compiled = compiled;
    return options;
  }
};

TEST_F(TimeOrders, EachSaysWhatTheOtherTakes) {
  for (const Arch arch : kArchs) {
    const TimeReport shipped = timed(loaded(arch, std::nullopt));
    const TimeReport ours = timed(loaded(arch, CompiledAs::Lanewise), as(CompiledAs::Lanewise));
    EXPECT_EQ(shipped.compiled, CompiledAs::Shipped) << "by default";
    EXPECT_EQ(ours.compiled, CompiledAs::Lanewise);
    const double before = shipped.timing.tile.cycles().value_or(0);
    const double after = ours.timing.tile.cycles().value_or(0);
    EXPECT_EQ(shipped.other_cycles, after);
    EXPECT_EQ(ours.other_cycles, before);
    // Of each row at least the six loads of three constants go that need two.
    EXPECT_LE(after, before - 32 * 6);
    const std::string text = time_text(shipped, TimeView::None, {});
    EXPECT_NE(text.find("--compiled lanewise"), std::string::npos) << text;
    EXPECT_NE(time_text(ours, TimeView::None, {}).find("--compiled shipped"), std::string::npos);
    const nlohmann::json tile = time_json({&shipped, 1})["chips"][0]["tile"];
    EXPECT_EQ(tile["compiled"]["as"], "shipped");
    EXPECT_EQ(tile["compiled"]["other_cycles"], after);
  }
}

TEST_F(TimeOrders, BitsAreTheSame) {
  for (const Arch arch : kArchs) {
    const tensors::Tensor input = tensors::make_input("random:1", formats::Format::FP32).value();
    std::vector<std::vector<std::uint32_t>> outputs;
    for (const CompiledAs order : {CompiledAs::Shipped, CompiledAs::Lanewise}) {
      const auto run =
          execution::run_on_tiles(arch, loaded(arch, order).program, {&input, 1},
                                  {.format = formats::Format::FP32, .as_kernel = true});
      ASSERT_TRUE(run.has_value()) << to_string(run.error());
      EXPECT_TRUE(run->faults.empty());
      outputs.push_back(run->output.bits);
    }
    EXPECT_EQ(outputs[0], outputs[1]);
  }
}

// tt-metal PR 54317: exp in one call takes 73 slots, and 93.59 cycles where four calls have 28.2.
TEST_F(TimeOrders, OneCallHasNoStepsBetweenFaces) {
  const timing::Harness* copy = timing::find_harness("bh-copy");
  TimeOptions options;
  options.harnesses = {&copy, 1};
  const TimeReport faces = timed(loaded(Arch::Blackhole, std::nullopt), options);
  const TimeReport whole =
      timed(loaded(Arch::Blackhole, std::nullopt, sfpi::Faces::Whole), options);
  const auto around = [](const TimeReport& report) {
    return report.harness_cycles().value_or(0) - report.timing.tile.cycles().value_or(0);
  };
  EXPECT_NEAR(around(faces), 28.2, 1e-9);
  EXPECT_NEAR(around(whole), 20.2, 1e-9);
  EXPECT_NEAR(73 + around(whole), 93.59, 4);
  EXPECT_NE(time_text(whole, TimeView::None, {}).find(" - 8 for steps"), std::string::npos);
  EXPECT_EQ(time_json({&whole, 1})["chips"][0]["tile"]["harness"]["spared"], 8);
}

TEST_F(TimeOrders, StallsHideTheLoopOverFaces) { // T5
  const timing::Harness* pushed = timing::find_harness("llk-bench-pushed");
  TimeOptions options;
  options.harnesses = {&pushed, 1};
  const TimeReport report = timed(loaded(Arch::Blackhole, std::nullopt), options);
  // Recording for REPLAY costs a cycle, a quarter per face: in three of them the core catches up.
  ASSERT_EQ(report.timing.tile.pass.visible_stalls(), 1);
  EXPECT_NEAR(report.harness_cycles().value_or(0),
              report.timing.tile.cycles().value_or(0) + 30.1 - 0.75, 1e-9);
  EXPECT_NE(time_text(report, TimeView::None, {}).find(" - 0.750 of the loop"), std::string::npos);
}

TEST_F(TimeOrders, AHarnessIsChosenByWhatTheProgramDoes) {
  TimeOptions options;
  options.choose_harness = true;
  const auto chosen = [&](Arch arch, formats::Format format) {
    options.format = format;
    const TimeReport report = timed(loaded(arch, std::nullopt), options);
    EXPECT_NE(time_text(report, TimeView::None, {}).find("chosen by what the program does"),
              std::string::npos);
    return report.harness == nullptr ? "" : std::string(report.harness->name);
  };
  EXPECT_EQ(chosen(Arch::Blackhole, formats::Format::BF16), "bh-copy");
  EXPECT_EQ(chosen(Arch::Blackhole, formats::Format::INT32), "bh-32bit");
  EXPECT_EQ(chosen(Arch::Wormhole, formats::Format::BF16), "wh-replay");
  EXPECT_EQ(chosen(Arch::Wormhole, formats::Format::INT32), "wh-32bit");
}

} // namespace
} // namespace lanewise::report
