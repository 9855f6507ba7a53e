#include "study/silicon/rows.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/near_names.h"

namespace lanewise::silicon {

namespace {

using enum Engine;
using enum Unit;
using enum InitPart;

constexpr std::array kBenchRows{
    BenchRow{"add_tiles", Unpack, PerTile, Benchmark::Elements, Whole, "ELWADD"},
    BenchRow{"add_tiles", Math, PerTile, Benchmark::Elements, Whole, "ELWADD"},
    BenchRow{"sub_tiles", Unpack, PerTile, Benchmark::Elements, Whole, "ELWSUB"},
    BenchRow{"sub_tiles", Math, PerTile, Benchmark::Elements, Whole, "ELWSUB"},
    BenchRow{"mul_tiles", Unpack, PerTile, Benchmark::Elements, Whole, "ELWMUL"},
    BenchRow{"mul_tiles", Math, PerTile, Benchmark::Elements, Whole, "ELWMUL"},
    BenchRow{"add_tiles_init", Unpack, PerCall, Benchmark::Elements, Own, "ELWADD"},
    BenchRow{"add_tiles_init", Math, PerCall, Benchmark::Elements, Own, "ELWADD"},
    BenchRow{"sub_tiles_init", Unpack, PerCall, Benchmark::Elements, Own, "ELWSUB"},
    BenchRow{"sub_tiles_init", Math, PerCall, Benchmark::Elements, Own, "ELWSUB"},
    BenchRow{"mul_tiles_init", Unpack, PerCall, Benchmark::Elements, Own, "ELWMUL"},
    BenchRow{"mul_tiles_init", Math, PerCall, Benchmark::Elements, Own, "ELWMUL"},
    BenchRow{"binary_op_init_common", Unpack, PerCall, Benchmark::Elements, Whole, "ELWADD"},
    BenchRow{"binary_op_init_common", Math, PerCall, Benchmark::Elements, Common, "ELWADD"},
    BenchRow{"binary_op_init_common", Pack, PerCall, Benchmark::Elements, Whole, "ELWADD"},
    BenchRow{"copy_tile", Unpack, PerTile, Benchmark::Copy},
    BenchRow{"copy_tile", Math, PerTile, Benchmark::Copy},
    BenchRow{"copy_tile_init", Unpack, PerCall, Benchmark::Copy, Own},
    BenchRow{"copy_tile_init", Math, PerCall, Benchmark::Copy, Own},
    BenchRow{"compute_kernel_hw_startup", Unpack, PerCall, Benchmark::Copy, Common},
    BenchRow{"compute_kernel_hw_startup", Math, PerCall, Benchmark::Copy, Common},
    BenchRow{"compute_kernel_hw_startup", Pack, PerCall, Benchmark::Copy, Whole},
    BenchRow{"pack_tile", Pack, PerTile, Benchmark::Copy},
    BenchRow{"reduce_tile", Unpack, PerTile, Benchmark::Reduce},
    BenchRow{"reduce_tile", Math, PerTile, Benchmark::Reduce},
    BenchRow{"reduce_init", Unpack, PerCall, Benchmark::Reduce, Own},
    BenchRow{"reduce_init", Math, PerCall, Benchmark::Reduce, Own},
    BenchRow{"reduce_init", Pack, PerCall, Benchmark::Reduce, Own},
    BenchRow{"init_sfpu", Unpack, PerCall, Benchmark::Unary, Whole},
    BenchRow{"init_sfpu", Math, PerCall, Benchmark::Unary, Common},
    BenchRow{"init_sfpu", Pack, PerCall, Benchmark::Unary, Whole}};

constexpr Benchmark kUnary = Benchmark::Unary, kBinary = Benchmark::Binary;
constexpr std::string_view kIntegers = "INSTRUCTION_MODE=ckernel::InstrModLoadStore::INT32";
/// Three conversions of two instructions in each row: 11 instructions, and 370.9 cycles of 32 rows.
constexpr std::string_view kSignAndMagnitude = "SIGN_MAGNITUDE_FORMAT=true";

constexpr std::array kVectorRows{
    VectorRow{"abs_tile", "abs_tile_init", false, kUnary, "abs", "abs"},
    VectorRow{"acos_tile", "acos_tile_init", false, kUnary, "acos", "acos"},
    VectorRow{"asin_tile", "asin_tile_init", false, kUnary, "asin", "asin"},
    VectorRow{"atan_tile", "atan_tile_init", false, kUnary, "atan", "atan"},
    VectorRow{"ceil_tile", "rounding_op_tile_init", false, kUnary, "ceil", "ceil"},
    VectorRow{"floor_tile", "rounding_op_tile_init", false, kUnary, "floor", "floor"},
    VectorRow{"frac_tile", "rounding_op_tile_init", false, kUnary, "frac", "frac"},
    VectorRow{"trunc_tile", "rounding_op_tile_init", false, kUnary, "trunc", "trunc"},
    VectorRow{"clamp_tile", "clamp_tile_init", false, kUnary, "clamp", "clamp"},
    VectorRow{"cos_tile", "cos_tile_init", false, kUnary, "cos", "cosine"},
    VectorRow{"sin_tile", "sin_tile_init", false, kUnary, "sin", "sine"},
    VectorRow{"tan_tile", "tan_tile_init", false, kUnary, "tan", "tan"},
    VectorRow{"eqz_tile", "eqz_tile_init", false, kUnary, "eqz", "equal_zero"},
    VectorRow{"nez_tile", "nez_tile_init", false, kUnary, "nez", "not_equal_zero"},
    VectorRow{"ltz_tile", "ltz_tile_init", false, kUnary, "ltz", "less_than_zero"},
    VectorRow{"gtz_tile", "gtz_tile_init", false, kUnary, "gtz", "greater_than_zero"},
    VectorRow{"lez_tile", "lez_tile_init", false, kUnary, "lez", "less_than_equal_zero"},
    VectorRow{"gez_tile", "gez_tile_init", false, kUnary, "gez", "greater_than_equal_zero"},
    VectorRow{"erf_tile", "erf_tile_init", false, kUnary, "erf", "erf"},
    VectorRow{"erfc_tile", "erfc_tile_init", false, kUnary, "erfc", "erfc"},
    VectorRow{"exp_tile", "exp_tile_init", false, kUnary, "exp", "exponential"},
    VectorRow{"exp2_tile", "exp2_tile_init", false, kUnary, "exp2", "exp2",
              "APPROXIMATION_MODE=false"},
    VectorRow{"expm1_tile", "expm1_tile_init", false, kUnary, "expm1", "expm1"},
    VectorRow{"fill_tile", "fill_tile_init", false, kUnary, "fill", "fill"},
    VectorRow{"gelu_tile", "gelu_tile_init", false, kUnary, "gelu", "gelu"},
    VectorRow{"hardsigmoid_tile", "hardsigmoid_tile_init", false, kUnary, "hardsigmoid",
              "hardsigmoid"},
    VectorRow{"log_tile", "log_tile_init", false, kUnary, "log", "log", "HAS_BASE_SCALING=false"},
    VectorRow{"log1p_tile", "log1p_tile_init", false, kUnary, "log1p", "log1p"},
    VectorRow{"negative_tile", "negative_tile_init", false, kUnary, "negative", "negative"},
    VectorRow{"power_tile", "power_tile_init", false, kUnary, "power", "power"},
    VectorRow{"recip_tile", "recip_tile_init", false, kUnary, "recip", "reciprocal"},
    VectorRow{"rsqrt_tile", "rsqrt_tile_init", false, kUnary, "rsqrt", "rsqrt"},
    VectorRow{"selu_tile", "selu_tile_init", false, kUnary, "selu", "selu"},
    VectorRow{"sigmoid_tile", "sigmoid_tile_init", false, kUnary, "sigmoid", "sigmoid"},
    VectorRow{"sign_tile", "sign_tile_init", false, kUnary, "sign", "sign"},
    VectorRow{"signbit_tile", "signbit_tile_init", false, kUnary, "signbit", "signbit"},
    VectorRow{"silu_tile", "silu_tile_init", false, kUnary, "silu", "silu"},
    VectorRow{"softsign_tile", "softsign_tile_init", false, kUnary, "softsign", "softsign"},
    VectorRow{"sqrt_tile", "sqrt_tile_init", false, kUnary, "sqrt", "sqrt"},
    VectorRow{"square_tile", "square_tile_init", false, kUnary, "square", "square"},
    VectorRow{"tanh_tile", "tanh_tile_init", false, kUnary, "tanh", "tanh"},
    VectorRow{"abs_tile_int32", "abs_tile_init", true, kUnary, "abs_int32", "abs_int32"},
    VectorRow{"add_int_tile", "add_int_tile_init", true, kUnary, "add_unary_int32", "add_int32"},
    VectorRow{"sub_int_tile", "sub_int_tile_init", true, kUnary, "sub_unary_int32", "sub_int32"},
    VectorRow{"bitwise_not_tile", "bitwise_not_tile_init", true, kUnary, "bitwise_not",
              "bitwise_not"},
    VectorRow{"logical_not_tile", "logical_not_tile_init", true, kUnary, "logical_not",
              "logical_not_unary", kIntegers},
    VectorRow{"fill_tile", "fill_tile_init", true, kUnary, "fill_int", "fill"},
    VectorRow{"add_binary_tile", "add_binary_tile_init", false, kBinary, "add_binary", "add1"},
    VectorRow{"sub_binary_tile", "sub_binary_tile_init", false, kBinary, "sub_binary", "add1"},
    VectorRow{"mul_binary_tile", "mul_binary_tile_init", false, kBinary, "mul_binary", "add1"},
    VectorRow{"div_binary_tile", "div_binary_tile_init", false, kBinary, "div_binary", "add1"},
    VectorRow{"power_binary_tile", "power_binary_tile_init", false, kBinary, "power_binary",
              "power"},
    VectorRow{"atan2_binary_tile", "atan2_binary_tile_init", false, kBinary, "atan2", "add1"},
    VectorRow{"binary_max_tile", "binary_max_tile_init", false, kBinary, "binary_max", "max"},
    VectorRow{"binary_min_tile", "binary_min_tile_init", false, kBinary, "binary_min", "min"},
    VectorRow{"eq_binary_tile", "eq_binary_tile_init", false, kBinary, "eq_binary", "eq"},
    VectorRow{"ne_binary_tile", "ne_binary_tile_init", false, kBinary, "ne_binary", "ne"},
    VectorRow{"lt_binary_tile", "lt_binary_tile_init", false, kBinary, "lt_binary", "lt"},
    VectorRow{"gt_binary_tile", "gt_binary_tile_init", false, kBinary, "gt_binary", "gt"},
    VectorRow{"le_binary_tile", "le_binary_tile_init", false, kBinary, "le_binary", "le"},
    VectorRow{"ge_binary_tile", "ge_binary_tile_init", false, kBinary, "ge_binary", "ge"},
    VectorRow{"add_binary_tile", "add_binary_tile_init", true, kBinary, "add_int32", "add_int32",
              kSignAndMagnitude},
    VectorRow{"sub_binary_tile", "sub_binary_tile_init", true, kBinary, "sub_int32", "sub_int32",
              kSignAndMagnitude},
    VectorRow{"mul_int_tile", "mul_int_tile_init", true, kBinary, "mul_int32", "mul_int32"},
    VectorRow{"binary_left_shift_tile", "binary_shift_tile_init", true, kBinary,
              "binary_left_shift", "left_shift"},
    VectorRow{"binary_right_shift_tile", "binary_shift_tile_init", true, kBinary,
              "binary_right_shift", "right_shift"},
    VectorRow{"binary_logical_right_shift_tile", "binary_shift_tile_init", true, kBinary,
              "binary_logical_right_shift", "right_shift"},
    VectorRow{"bitwise_and_binary_tile", "binary_bitwise_tile_init", true, kBinary,
              "bitwise_and_binary", "bitwise_and"},
    VectorRow{"bitwise_or_binary_tile", "binary_bitwise_tile_init", true, kBinary,
              "bitwise_or_binary", "bitwise_or"},
    VectorRow{"bitwise_xor_binary_tile", "binary_bitwise_tile_init", true, kBinary,
              "bitwise_xor_binary", "bitwise_xor"},
    VectorRow{"binary_max_int32_tile", "binary_max_int32_tile_init", true, kBinary,
              "binary_max_int32", "max_int32"},
    VectorRow{"binary_min_int32_tile", "binary_min_int32_tile_init", true, kBinary,
              "binary_min_int32", "min_int32"}};

// What an operation is initialised with beside what all are, in the tree that was measured:
// tt-metal #49529 and #50399 (July 2026) and its tests' sfpu_operations.h. An initialisation of its
// own resets the counters, and sets the step through Dst if the operation has one; that two
// operands have it as one has is assumed. Those that are not here have nothing of their own.
struct InitRow {
  InitForm form;
  std::string_view ops; ///< as of checkouts::find_op(), with a space on either side
};
constexpr std::array kInitRows{
    InitRow{InitForm::WithSteps,
            " binary_max binary_min binary_max_int32 binary_min_int32 mul_int32 "},
    InitRow{InitForm::Apart,
            " atan cos erf erfc exp2 expm1 gelu hardsigmoid log log1p power rsqrt "
            "sigmoid sin softsign sqrt tan tanh "},
    InitRow{InitForm::ApartWithSteps, " eqz nez ltz gtz lez gez signbit "},
    InitRow{InitForm::ApartWithAll, " exp recip "}};

bool has_integers(const CostRow& row) {
  return std::ranges::find(row.inputs, "Int32") != row.inputs.end();
}

} // namespace

std::string_view benchmark_name(Benchmark benchmark) {
  constexpr std::array<std::string_view, 5> kNames{"elements", "copy", "reduce", "unary", "binary"};
  return kNames[static_cast<std::size_t>(benchmark)];
}

std::string_view init_part_name(InitPart part) {
  constexpr std::array<std::string_view, 3> kNames{"Whole", "Common", "Own"};
  return kNames[static_cast<std::size_t>(part)];
}

std::string_view init_form_name(InitForm form) {
  constexpr std::array<std::string_view, 5> kNames{"Common", "WithSteps", "Apart", "ApartWithSteps",
                                                   "ApartWithAll"};
  return kNames[static_cast<std::size_t>(form)];
}

InitForm init_of(const VectorRow& row) {
  const std::string name = ' ' + std::string(row.op) + ' ';
  const auto found = std::ranges::find_if(
      kInitRows, [&](const InitRow& each) { return each.ops.find(name) != each.ops.npos; });
  return found == kInitRows.end() ? InitForm::Common : found->form;
}

std::span<const BenchRow> bench_rows() {
  return kBenchRows;
}

std::span<const VectorRow> vector_rows() {
  return kVectorRows;
}

const BenchRow* find_bench_row(const CostRow& row) {
  const auto found = std::ranges::find_if(kBenchRows, [&](const BenchRow& each) {
    return each.op == row.op && each.engine == row.engine && each.unit == row.unit;
  });
  return found == kBenchRows.end() ? nullptr : &*found;
}

std::vector<const VectorRow*> find_vector_rows(const CostRow& row) {
  std::vector<const VectorRow*> found;
  if (row.engine != Math) return found;
  for (const VectorRow& each : kVectorRows) {
    const std::string_view name = row.unit == PerTile ? each.tile : each.init;
    if (name == row.op && each.integers == has_integers(row)) found.push_back(&each);
  }
  return found;
}

std::optional<std::string> why_without_benchmark(const CostRow& row) {
  const bool is_known =
      std::ranges::any_of(kBenchRows, [&](const BenchRow& each) { return each.op == row.op; }) ||
      std::ranges::any_of(kVectorRows, [&](const VectorRow& each) {
        return each.tile == row.op || each.init == row.op;
      });
  if (!is_known) return std::nullopt;
  return "no benchmark has a zone for this engine, unit and input";
}

std::vector<std::string_view> near_operations(std::string_view name) {
  std::set<std::string_view> names;
  for (const BenchRow& each : kBenchRows) names.insert(each.op);
  for (const VectorRow& each : kVectorRows) names.insert({each.tile, each.init});
  const std::vector<std::string_view> all(names.begin(), names.end());
  return near_names(name, all);
}

} // namespace lanewise::silicon
