// From rows to cases, from zones to values, from values to errors.
#include "study/silicon/compare.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <string>

#include "study/silicon/benchmark.h"

namespace lanewise::silicon {
namespace {

CostRow row_of(std::string op, Engine engine, Unit unit, std::string input = "Float16_b") {
  return {.op = std::move(op),
          .engine = engine,
          .unit = unit,
          .inputs = {std::move(input)},
          .outputs = {"Float16_b"},
          .wide = {false},
          .least = 40,
          .median = 40,
          .most = 40,
          .measured = 1};
}

/// Zones that follow from the case, so that a test can tell which were asked for.
class FakeMeter : public ZoneMeter {
 public:
  Expected<Zones> measure(const ClockCase& each) override {
    ++asked;
    if (each.input == "Bfp8_b")
      return Unexpected(Fault{.kind = FaultKind::Unsupported, .message = "not here"});
    // 32 tiles: 20 a tile for the copy, 40 for the operation, a wide Dst 4 more.
    double tile = each.copy_only || each.vector == nullptr ? 20 : each.to_dest ? 40 : 60;
    if (each.wide) tile += 4;
    return Zones{.init = each.init == InitPart::Own ? 50.0 : 90.0, .tile_loop = tile * 32};
  }
  int asked = 0;
};

/// Why there is no case.
std::string refusal(const CostRow& row) {
  const auto members = members_of(row);
  return members ? "" : to_string(members.error());
}

TEST(SiliconCases, AnOperationOfTheVectorUnitIsADifference) {
  FakeMeter meter;
  const auto cycles = row_cycles(row_of("abs_tile", Engine::Math, Unit::PerTile), meter);
  ASSERT_TRUE(cycles);
  EXPECT_EQ(cycles->cycles, 40);
  EXPECT_FALSE(cycles->forms);
  EXPECT_EQ(meter.asked, 2);
}

TEST(SiliconCases, ThatIsUnpackedToDstIsAlone) {
  CostRow row = row_of("abs_tile", Engine::Math, Unit::PerTile, "Float32");
  row.wide = {true};
  const auto members = members_of(row);
  ASSERT_TRUE(members);
  ASSERT_EQ(members->size(), 1U);
  EXPECT_TRUE(members->front().runs[0].to_dest);
  EXPECT_TRUE(members->front().less.empty());
  row.wide = {false};
  EXPECT_FALSE(members_of(row)->front().runs[0].to_dest);
  // What the Matrix Unit takes comes through SrcA.
  CostRow elements = row_of("add_tiles", Engine::Math, Unit::PerTile, "Float32");
  elements.wide = {true};
  EXPECT_FALSE(members_of(elements)->front().runs[0].to_dest);
  // With two operands it is as with one; integers do not fit into SrcA.
  CostRow binary = row_of("add_binary_tile", Engine::Math, Unit::PerTile, "Float32");
  EXPECT_FALSE(members_of(binary)->front().runs[0].to_dest);
  binary.wide = {true};
  EXPECT_TRUE(members_of(binary)->front().runs[0].to_dest);
  binary.wide = {false};
  binary.inputs = {"Int32"};
  EXPECT_TRUE(members_of(binary)->front().runs[0].to_dest);
}

TEST(SiliconCases, AnInitialisationIsItsZoneAndNoQuotient) {
  FakeMeter meter;
  EXPECT_EQ(row_cycles(row_of("abs_tile_init", Engine::Math, Unit::PerCall), meter)->cycles, 50);
  EXPECT_EQ(row_cycles(row_of("init_sfpu", Engine::Math, Unit::PerCall), meter)->cycles, 90);
  EXPECT_EQ(members_of(row_of("binary_op_init_common", Engine::Math, Unit::PerCall))
                ->front()
                .runs[0]
                .init,
            InitPart::Common);
}

TEST(SiliconCases, OneInitialisationOfSeveralOperationsIsTheirMean) {
  const auto members = members_of(row_of("rounding_op_tile_init", Engine::Math, Unit::PerCall));
  ASSERT_TRUE(members);
  std::set<std::string_view> names;
  for (const ClockCase& each : members->front().runs) names.insert(each.vector->op);
  EXPECT_EQ(names, (std::set<std::string_view>{"ceil", "floor", "frac", "trunc"}));
}

TEST(SiliconCases, AMemberForEachPairOfFormatsAndWidth) {
  CostRow row = row_of("pack_tile", Engine::Pack, Unit::PerTile);
  row.inputs = {"Float16_b", "Float32"};
  row.outputs = {"Float32", "Float16_b", "Bfp8_b"};
  row.wide = {false, true};
  EXPECT_EQ(members_of(row)->size(), 12U);
  // Who does not pack has one for all outputs, and the same in all rows.
  row.op = "copy_tile";
  row.engine = Engine::Unpack;
  ASSERT_EQ(members_of(row)->size(), 4U);
  EXPECT_EQ(members_of(row)->front().runs[0].output, "Float16_b");
  row.outputs = {"Float32"};
  EXPECT_EQ(members_of(row)->front().runs[0].output, "Float16_b");
  row.outputs = {"UInt8"};
  EXPECT_NE(refusal(row).find("UInt8"), std::string::npos);
}

TEST(SiliconCases, ALoopIsThatOfTheRunWithItsInitialisation) {
  const CostRow loop = row_of("abs_tile", Engine::Math, Unit::PerTile);
  const CostRow init = row_of("abs_tile_init", Engine::Math, Unit::PerCall);
  EXPECT_EQ(case_text(members_of(loop)->front().runs[0]),
            case_text(members_of(init)->front().runs[0]));
  EXPECT_EQ(cases_of({loop, init, loop}).size(), 2U); // and that of the copy alone
}

TEST(SiliconCases, SumsOfRowsWereMeasuredWithAnotherKernel) {
  CostRow row = row_of("reduce_tile", Engine::Math, Unit::PerTile);
  row.options = {{"mathop", "ReduceRow"}, {"reduce_pool_type", "Sum"}};
  EXPECT_NE(refusal(row).find("rows were summed"), std::string::npos);
  row.options = {{"mathop", "ReduceRow"}, {"reduce_pool_type", "Max"}};
  EXPECT_EQ(refusal(row), "");
  row.options = {{"mathop", "ReduceColumn"}, {"reduce_pool_type", "Sum"}};
  EXPECT_EQ(refusal(row), "");
  row.op = "reduce_init";
  row.unit = Unit::PerCall;
  EXPECT_NE(refusal(row).find("two address modes"), std::string::npos);
  row.engine = Engine::Unpack;
  EXPECT_EQ(refusal(row), "");
  // Packers only know the dimension.
  row.engine = Engine::Pack;
  row.options = {{"mathop", "ReduceRow"}};
  EXPECT_EQ(refusal(row), "");
}

TEST(SiliconRows, AnOperationMayBeginAnewWhereTheCommonInitialisationEnds) { // tt-metal #50399
  const auto form_of = [](std::string_view tile) {
    return init_of(*std::ranges::find(vector_rows(), tile, &VectorRow::tile));
  };
  for (const auto* each : {"abs_tile", "silu_tile", "asin_tile", "add_binary_tile"})
    EXPECT_EQ(form_of(each), InitForm::Common) << each;
  for (const auto* each : {"binary_max_tile", "binary_min_tile", "binary_max_int32_tile",
                           "binary_min_int32_tile", "mul_int_tile"})
    EXPECT_EQ(form_of(each), InitForm::WithSteps) << each;
  for (const auto* each : {"cos_tile", "exp2_tile", "log_tile", "gelu_tile", "power_tile"})
    EXPECT_EQ(form_of(each), InitForm::Apart) << each;
  for (const auto* each :
       {"eqz_tile", "nez_tile", "ltz_tile", "gez_tile", "lez_tile", "gtz_tile", "signbit_tile"})
    EXPECT_EQ(form_of(each), InitForm::ApartWithSteps) << each;
  for (const auto* each : {"exp_tile", "recip_tile"})
    EXPECT_EQ(form_of(each), InitForm::ApartWithAll) << each;
}

// power_tile_init() loads three constants; that of power_binary_tile_init() is another.
TEST(SiliconRows, APowerOfATileHasOneOperand) {
  const auto row_of_tile = [](std::string_view tile) {
    return *std::ranges::find(vector_rows(), tile, &VectorRow::tile);
  };
  EXPECT_EQ(row_of_tile("power_tile").benchmark, Benchmark::Unary);
  EXPECT_EQ(row_of_tile("power_tile").op, "power");
  EXPECT_EQ(row_of_tile("power_binary_tile").benchmark, Benchmark::Binary);
  EXPECT_EQ(row_of_tile("power_binary_tile").op, "power_binary");
}

// tt-metal #47045 (June 2026): the unpacker of one operand is told the shape, not the number of
// faces.
TEST(SiliconBenchmark, TheUnpackersFacesComeOfTheShape) {
  const std::string_view text = benchmark_text();
  const auto call = text.find("_llk_unpack_A_init_<");
  ASSERT_NE(call, text.npos);
  const std::string_view arguments = text.substr(call, text.find(';', call) - call);
  EXPECT_NE(arguments.find("faces_of_shape(params.num_faces)"), text.npos) << arguments;
}

// tt-metal #49529: an operation's own initialisation sets its step through Dst and resets the
// counters, and then does the rest.
TEST(SiliconBenchmark, AnInitialisationOfItsOwnBeginsWithStepAndCounters) {
  const std::string_view text = benchmark_text();
  std::size_t at = text.find("_llk_math_eltwise_binary_sfpu_init_<BENCH_TYPE>();");
  for (const std::string_view part :
       {"if constexpr (BENCH_INIT_FORM == init_form::WithSteps)", "incr = 2}}.set(ADDR_MOD_6);",
        "math::reset_counters(p_setrwc::SET_ABD_F);", "BENCH_INIT;"}) {
    ASSERT_NE(at, text.npos) << "before " << part;
    at = text.find(part, at);
  }
  ASSERT_NE(at, text.npos);
  EXPECT_EQ(text.find("BENCH_INIT;", at + 1), text.npos); // none of these is the next thread's
}

TEST(SiliconBenchmark, KnowsOnlyWhenItRunsThatNothingIsTransposed) { // LLK's eltwise_unary_sfpu
  EXPECT_NE(benchmark_text().find("params.UNPACK_TRANSPOSE_FACES"), std::string::npos);
  EXPECT_NE(benchmark_text().find("params.UNPACK_TRANSPOSE_WITHIN_FACE"), std::string::npos);
}

TEST(SiliconCases, OptionsAreConstantsOfTheBenchmark) {
  CostRow row = row_of("mul_tiles", Engine::Math, Unit::PerTile);
  row.options = {{"math_fidelity", "HiFi3"}};
  const std::string text = case_text(members_of(row)->front().runs[0]);
  EXPECT_NE(text.find("MATH_FIDELITY=ckernel::MathFidelity::HiFi3"), std::string::npos) << text;
  EXPECT_NE(text.find("ELWMUL"), std::string::npos) << text;
}

TEST(SiliconCases, WhatNoBenchmarkHasIsNamed) {
  EXPECT_NE(refusal(row_of("abs_tyle", Engine::Math, Unit::PerTile)).find("abs_tile"),
            std::string::npos);
  EXPECT_NE(refusal(row_of("abs_tile", Engine::Pack, Unit::PerTile)).find("no benchmark"),
            std::string::npos);
  EXPECT_NE(refusal(row_of("copy_tile", Engine::Math, Unit::PerTile, "UInt8")).find("UInt8"),
            std::string::npos);
  CostRow row = row_of("copy_tile", Engine::Math, Unit::PerTile, "Float32");
  row.options = {{"unpack_to_dest", "true"}};
  EXPECT_NE(refusal(row).find("empty"), std::string::npos);
  row.inputs = {"Float16_b"};
  EXPECT_NE(refusal(row).find("not unpacked to Dst"), std::string::npos);
  row.options = {{"math_fidelity", "HiFi2"}};
  EXPECT_NE(refusal(row).find("has no math_fidelity"), std::string::npos);
  row.options = {{"colour", "red"}};
  EXPECT_NE(refusal(row).find("colour=red"), std::string::npos);
}

TEST(SiliconRows, NamesAreUnique) {
  std::set<std::string> names;
  for (const BenchRow& row : bench_rows()) {
    EXPECT_TRUE(names
                    .insert(std::string(row.op) + std::string(engine_name(row.engine)) +
                            std::string(unit_name(row.unit)))
                    .second)
        << row.op;
  }
  for (const VectorRow& row : vector_rows())
    EXPECT_TRUE(names.insert(std::string(row.tile) + (row.integers ? " i" : " f")).second)
        << row.tile;
}

TEST(SiliconErrors, MiddleAndNinetieth) {
  EXPECT_EQ(median_of({3, 1, 2}), 2);
  EXPECT_EQ(median_of({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(ninetieth_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), 9);
  EXPECT_EQ(ninetieth_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), 10);
  EXPECT_EQ(ninetieth_of({7}), 7);
}

TEST(SiliconErrors, NearIsFivePercentOrTwoCycles) {
  ComparedRow row{.row = row_of("abs_tile", Engine::Math, Unit::PerTile)};
  row.cycles = 42;
  EXPECT_TRUE(row.is_near());
  row.cycles = 42.01;
  EXPECT_FALSE(row.is_near());
  row.row.median = 1000;
  row.cycles = 950;
  EXPECT_TRUE(row.is_near());
  row.cycles = 949;
  EXPECT_FALSE(row.is_near());
  EXPECT_DOUBLE_EQ(row.residual(), -51);
  EXPECT_DOUBLE_EQ(row.error(), 0.051);
}

TEST(SiliconErrors, TwoFormsMayBeNearBothEndsOfWhatSiliconShows) {
  ComparedRow row{.row = row_of("abs_tile_init", Engine::Math, Unit::PerCall), .cycles = 55};
  row.row.least = 51;
  row.row.most = 59;
  EXPECT_FALSE(row.has_both_ends());
  row.forms = FormCycles{.taken_in = 49, .left = 61};
  EXPECT_TRUE(row.has_both_ends());
  row.forms = FormCycles{.taken_in = 61, .left = 49}; // whichever is the longer one
  EXPECT_TRUE(row.has_both_ends());
  row.forms = FormCycles{.taken_in = 48, .left = 59}; // 5 % are 2.55
  EXPECT_FALSE(row.has_both_ends());
  row.forms = FormCycles{.taken_in = 51, .left = 63};
  EXPECT_FALSE(row.has_both_ends());
  row.forms = FormCycles{.taken_in = 51, .left = 51};
  EXPECT_FALSE(row.has_both_ends());

  ComparedRow single = row, one_value = row, outside = row;
  single.forms.reset();
  outside.forms = FormCycles{.taken_in = 49, .left = 61};
  one_value.forms = outside.forms;
  one_value.row.most = one_value.row.least;
  const ErrorGroup group = comparison_of({row, single, one_value, outside}).groups.at(0);
  EXPECT_EQ(group.bands, 3U);
  EXPECT_EQ(group.forms, 2U) << "of those with several values";
  EXPECT_EQ(group.ends, 1U);
}

TEST(SiliconErrors, GroupsByEngineUnitAndWidth) {
  CostRow wide = row_of("copy_tile", Engine::Math, Unit::PerTile);
  wide.wide = {true};
  CostRow left_out = row_of("copy_tile", Engine::Math, Unit::PerTile, "Bfp8_b");
  FakeMeter meter;
  const Comparison comparison =
      *compare({row_of("abs_tile", Engine::Math, Unit::PerTile),
                row_of("copy_tile", Engine::Math, Unit::PerTile), left_out, wide,
                row_of("abs_tile_init", Engine::Math, Unit::PerCall)},
               meter);
  ASSERT_EQ(comparison.groups.size(), 3U);
  const ErrorGroup& narrow = comparison.groups[0];
  EXPECT_EQ(narrow.width, Width::Narrow);
  EXPECT_EQ(narrow.rows, 3U);
  EXPECT_EQ(narrow.compared, 2U);
  EXPECT_EQ(narrow.near, 1U);
  EXPECT_EQ(narrow.median, 0.25); // 0 and 20 of 40
  EXPECT_EQ(narrow.ninetieth, 0.5);
  EXPECT_EQ(comparison.groups[1].width, Width::Wide);
  EXPECT_EQ(comparison.groups[1].median, 0.4);
  EXPECT_EQ(comparison.groups[2].unit, Unit::PerCall);
  EXPECT_EQ(comparison.rows[2].why, "not here");
  EXPECT_EQ(comparison.compared(), 4U);
  EXPECT_EQ(worst_rows(comparison, 1).at(0)->row.op, "copy_tile");
  EXPECT_EQ(worst_rows(comparison, 9).size(), 4U);
}

TEST(SiliconErrors, ACaseIsMeasuredOnce) {
  FakeMeter meter;
  const CostRow row = row_of("abs_tile", Engine::Math, Unit::PerTile);
  ASSERT_TRUE(compare({row, row, row}, meter));
  EXPECT_EQ(meter.asked, 2);
}

// --- In processes

std::vector<CostRow> several_rows() {
  std::vector<CostRow> rows;
  for (const char* op : {"tanh_tile", "copy_tile", "abs_tile"}) {
    for (const char* input : {"Float16_b", "Bfp8_b", "Float32"})
      rows.push_back(row_of(op, Engine::Math, Unit::PerTile, input));
  }
  rows.push_back(row_of("no_tile", Engine::Math, Unit::PerTile));
  return rows;
}

TEST(SiliconJobs, GiveTheSameInTheSameOrderHoweverManyThereAre) {
  FakeMeter meter;
  const auto rows = several_rows();
  const auto alone = compare(rows, meter);
  ASSERT_TRUE(alone);
  ASSERT_EQ(alone->rows.size(), rows.size());
  EXPECT_EQ(alone->compared(), 6U);
  for (const unsigned jobs : {2U, 5U, 40U}) {
    const int asked = meter.asked;
    const auto shared = compare(rows, meter, {.jobs = jobs});
    ASSERT_TRUE(shared);
    EXPECT_EQ(meter.asked, asked); // by processes of their own
    ASSERT_EQ(shared->rows.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(shared->rows[i].row.op, rows[i].op);
      EXPECT_EQ(shared->rows[i].cycles, alone->rows[i].cycles);
      EXPECT_EQ(shared->rows[i].why, alone->rows[i].why);
    }
  }
}

TEST(SiliconJobs, StopWhenTheyAreTold) {
  FakeMeter meter;
  const auto rows = several_rows();
  const auto some = compare(rows, meter, {.progress = [](std::size_t done, std::size_t all) {
                              EXPECT_EQ(all, 15U); // a copy alone for each operation
                              return done < 2;
                            }});
  ASSERT_TRUE(some);
  EXPECT_EQ(meter.asked, 2);
  ASSERT_EQ(some->rows.size(), 2U); // the first, and the one that no benchmark has
  EXPECT_EQ(some->rows[0].row.op, "tanh_tile");
  EXPECT_EQ(some->rows[1].row.op, "no_tile");
}

/// Is ended by what it measures.
class EndingMeter : public ZoneMeter {
 public:
  Expected<Zones> measure(const ClockCase& each) override {
    if (each.vector != nullptr && each.vector->op == "tanh") ::_exit(1);
    return Zones{.init = 1, .tile_loop = 32};
  }
};

TEST(SiliconJobs, AProcessThatEndsTakesOnlyItsRowsAlong) {
  EndingMeter meter;
  const auto rows = compare({row_of("tanh_tile", Engine::Math, Unit::PerTile),
                             row_of("copy_tile", Engine::Math, Unit::PerTile)},
                            meter, {.jobs = 4});
  ASSERT_TRUE(rows);
  EXPECT_NE(rows->rows[0].why.find("was ended"), std::string::npos);
  EXPECT_EQ(rows->rows[1].cycles, 1);
}

/// Has a loop that is not the table's.
class OtherLoopMeter : public ZoneMeter {
 public:
  Expected<Zones> measure(const ClockCase&) override {
    return Zones{.init = 50, .tile_loop = 64, .other_loop = "another loop"};
  }
};

/// Has an initialisation of so many words, which takes 60 cycles as a function, and 50 if it is
/// taken in.
class InitMeter : public ZoneMeter {
 public:
  explicit InitMeter(unsigned words) : words_(words) {}

  Expected<Zones> measure(const ClockCase& each) override {
    if (!each.init_left) return Zones{.init = 50, .tile_loop = 32};
    return Zones{.init = 60, .tile_loop = 32, .init_words = words_};
  }

 private:
  unsigned words_;
};

RowCycles init_of_words(std::string_view op, unsigned words, bool wide,
                        Engine engine = Engine::Math) {
  InitMeter meter(words);
  CostRow row = row_of(std::string(op), engine, Unit::PerCall);
  row.wide = {wide};
  return row_cycles(row, meter).value_or(RowCycles{});
}

double init_cycles(std::string_view op, unsigned words, bool wide) {
  return init_of_words(op, words, wide).cycles;
}

// CT: abs 51 and, with a wide Dst, 51 and 59; erfc, gelu and sigmoid 52 to 53 and 58 to 60; cos,
// sqrt and hardsigmoid 64 to 69.
TEST(SiliconRows, OfInitialisationsAreBetweenBothFormsOfShortFunctions) {
  EXPECT_EQ(init_cycles("abs_tile_init", 5, false), 50);
  EXPECT_EQ(init_cycles("abs_tile_init", 5, true), 55);
  for (const bool wide : {false, true}) {
    EXPECT_EQ(init_cycles("erfc_tile_init", 6, wide), 55);
    EXPECT_EQ(init_cycles("sigmoid_tile_init", 8, wide), 55);
    EXPECT_EQ(init_cycles("hardsigmoid_tile_init", 10, wide), 60);
    EXPECT_EQ(init_cycles("cos_tile_init", 12, wide), 60);
    // A function with the step through Dst is a long one, and of two operands there is none.
    EXPECT_EQ(init_cycles("eqz_tile_init", 6, wide), 60);
    EXPECT_EQ(init_cycles("add_binary_tile_init", 6, wide), 50);
  }
}

TEST(SiliconRows, OfInitialisationsHaveBothFormsWhereWhichIsNotKnown) {
  const std::optional<FormCycles> both = FormCycles{.taken_in = 50, .left = 60}, none;
  EXPECT_EQ(init_of_words("erfc_tile_init", 6, false).forms, both);
  EXPECT_EQ(init_of_words("abs_tile_init", 5, true).forms, both);
  EXPECT_EQ(init_of_words("erfc_tile_init", 5, false).forms, none) << "always taken in";
  EXPECT_EQ(init_of_words("cos_tile_init", 12, true).forms, none) << "never";
  EXPECT_EQ(init_of_words("add_binary_tile_init", 6, true).forms, none);
}

// CT: init_sfpu 195 to 211, reduce_init 56 to 68 to pack, and one value to unpack.
TEST(SiliconRows, OfPackersInitialisationsHaveBothFormsHoweverLong) {
  for (const std::string_view op : {"init_sfpu", "binary_op_init_common", "reduce_init"}) {
    for (const unsigned words : {0U, 100U}) {
      const RowCycles packs = init_of_words(op, words, false, Engine::Pack);
      EXPECT_EQ(packs.cycles, 55) << op;
      EXPECT_EQ(packs.forms, (FormCycles{.taken_in = 50, .left = 60})) << op;
    }
    EXPECT_FALSE(init_of_words(op, 6, false, Engine::Unpack).forms) << op;
  }
  const auto loop = members_of(row_of("pack_tile", Engine::Pack, Unit::PerTile));
  ASSERT_TRUE(loop);
  EXPECT_TRUE(loop->front().other.empty()) << "a loop has one";
}

TEST(SiliconCases, WordsOfAnInitialisationAreThoseOfItsFunction) {
  elf::Image image;
  image.functions = {{"run_kernel", "run_kernel", 0x6000, 400}};
  EXPECT_EQ(words_of_init(image), 0U);
  image.functions.push_back({"bench_init_left", "bench_init_left", 0x6190, 28});
  EXPECT_EQ(words_of_init(image), 6U); // and the return
}

// Loops are those of one form only.
TEST(SiliconCases, ALoopHasOneFormOfItsInitialisation) {
  for (const auto& [op, is_left] : {std::pair("abs_tile", false), std::pair("gelu_tile", true)}) {
    const auto members = members_of(row_of(op, Engine::Math, Unit::PerTile));
    ASSERT_TRUE(members);
    EXPECT_TRUE(members->front().other.empty());
    EXPECT_EQ(members->front().runs[0].init_left, is_left) << op;
    EXPECT_EQ(members->front().less[0].init_left, is_left) << op;
  }
}

TEST(SiliconRows, OfALoopThatIsAnotherAreLeftOutAndItsInitialisationIsNot) {
  OtherLoopMeter meter;
  const auto loop = row_cycles(row_of("copy_tile", Engine::Math, Unit::PerTile), meter);
  ASSERT_FALSE(loop.has_value());
  EXPECT_EQ(loop.error().message, "another loop");
  const auto init = row_cycles(row_of("copy_tile_init", Engine::Math, Unit::PerCall), meter);
  ASSERT_TRUE(init.has_value());
  EXPECT_EQ(init->cycles, 50);
}

TEST(SiliconJobs, ResultsAreWrittenAndReadWithoutALoss) {
  const auto zones = parse_zones(zones_text(Zones{.init = 1.0 / 3, .tile_loop = 123456789.25}));
  ASSERT_TRUE(zones && *zones);
  EXPECT_EQ((*zones)->init, 1.0 / 3);
  EXPECT_EQ((*zones)->tile_loop, 123456789.25);
  const auto fault = parse_zones(zones_text(Unexpected(Fault{.kind = FaultKind::Unsupported,
                                                             .message = "two\nlines, and zones 1 2",
                                                             .remedy = "mend it"})));
  ASSERT_TRUE(fault && !*fault);
  EXPECT_EQ(fault->error().message, "two\nlines, and zones 1 2");
  EXPECT_EQ(fault->error().remedy, "mend it");
  const auto other = parse_zones(zones_text(Zones{1, 2, 7, "another kernel, 1 of 2"}));
  ASSERT_TRUE(other && *other);
  EXPECT_EQ((*other)->tile_loop, 2);
  EXPECT_EQ((*other)->init_words, 7U);
  EXPECT_EQ((*other)->other_loop, "another kernel, 1 of 2");
  EXPECT_EQ((*zones)->other_loop, "");
  for (const char* wrong : {"", "zones", "zones 1", "zones one two", "fault", "else 1 2"})
    EXPECT_FALSE(parse_zones(wrong)) << wrong;
}

} // namespace
} // namespace lanewise::silicon
