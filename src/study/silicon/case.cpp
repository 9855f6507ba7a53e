#include "study/silicon/case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/in_quotes.h"

namespace lanewise::silicon {

namespace {

Unexpected without(std::string message, std::string remedy = {}) {
  return Unexpected(Fault{
      .kind = FaultKind::Unsupported, .message = std::move(message), .remedy = std::move(remedy)});
}

/// An option of a table, and the constant of a benchmark that it is.
struct OptionRow {
  std::string_view name;
  std::string_view constant;
  std::string_view value;   ///< in the table; "" is any
  std::string_view meaning; ///< of the constant; "" as in the table
};
constexpr std::array kOptionRows{
    OptionRow{"math_fidelity", "MATH_FIDELITY", "LoFi", "ckernel::MathFidelity::LoFi"},
    OptionRow{"math_fidelity", "MATH_FIDELITY", "HiFi2", "ckernel::MathFidelity::HiFi2"},
    OptionRow{"math_fidelity", "MATH_FIDELITY", "HiFi3", "ckernel::MathFidelity::HiFi3"},
    OptionRow{"math_fidelity", "MATH_FIDELITY", "HiFi4", "ckernel::MathFidelity::HiFi4"},
    OptionRow{"mathop", "REDUCE_DIM", "ReduceRow", "ckernel::ReduceDim::REDUCE_ROW"},
    OptionRow{"mathop", "REDUCE_DIM", "ReduceColumn", "ckernel::ReduceDim::REDUCE_COL"},
    OptionRow{"mathop", "REDUCE_DIM", "ReduceScalar", "ckernel::ReduceDim::REDUCE_SCALAR"},
    OptionRow{"reduce_pool_type", "POOL_TYPE", "Max", "ckernel::PoolType::MAX"},
    OptionRow{"reduce_pool_type", "POOL_TYPE", "Sum", "ckernel::PoolType::SUM"},
    OptionRow{"approx_mode", "APPROX_MODE", "false", "false"},
    OptionRow{"approx_mode", "APPROX_MODE", "true", "true"},
    OptionRow{"input_clamping", "CLAMP_NEGATIVE", "false", "false"},
    OptionRow{"input_clamping", "CLAMP_NEGATIVE", "true", "true"},
    OptionRow{"iterations", "ITERATIONS", "8", "8"},
    OptionRow{"unpack_to_dest", "unpack_to_dest", "false", "false"},
    OptionRow{"unpack_to_dest", "unpack_to_dest", "true", "true"}};

/// The constants that a benchmark has where a row has no option for them.
Options usual_choices(Benchmark benchmark) {
  switch (benchmark) {
    case Benchmark::Elements: return {{"MATH_FIDELITY", "ckernel::MathFidelity::LoFi"}};
    case Benchmark::Reduce:
      return {{"MATH_FIDELITY", "ckernel::MathFidelity::HiFi4"},
              {"REDUCE_DIM", "ckernel::ReduceDim::REDUCE_ROW"},
              {"POOL_TYPE", "ckernel::PoolType::SUM"}};
    case Benchmark::Unary:
    case Benchmark::Binary: return {{"APPROX_MODE", "false"}, {"CLAMP_NEGATIVE", "false"}};
    case Benchmark::Copy: break;
  }
  return {};
}

/// The options of a row as constants, but for unpack_to_dest and what benchmarks have in one value.
Expected<Options> choices_of(const CostRow& row, Benchmark benchmark) {
  Options choices = usual_choices(benchmark);
  for (const auto& option : row.options) {
    const std::string& name = option.first;
    const std::string& value = option.second;
    const auto known = std::ranges::find_if(kOptionRows, [&](const OptionRow& each) {
      return each.name == name && each.value == value;
    });
    if (known == kOptionRows.end()) {
      return without(fmt::format("no benchmark is known with the option {}",
                                 in_quotes(fmt::format("{}={}", name, value))));
    }
    if (name == "unpack_to_dest" || name == "iterations") continue;
    const auto place = std::ranges::find(choices, known->constant, &Options::value_type::first);
    if (place == choices.end()) {
      return without(fmt::format("the benchmark '{}' has no {}", benchmark_name(benchmark), name));
    }
    place->second = known->meaning;
  }
  return choices;
}

constexpr std::array<std::string_view, 4> kKnownFormats{"Bfp8_b", "Float16_b", "Float32", "Int32"};

bool has_32_bits(std::string_view format) {
  return format == "Float32" || format == "Int32";
}

/// Whether the benchmark unpacks to Dst: where the row says so, that. The Vector Unit's do so where
/// a number keeps 32 bits on its way.
bool unpacks_to_dest(const CostRow& row, const ClockCase& each) {
  const auto said = std::ranges::find(row.options, "unpack_to_dest", &Options::value_type::first);
  if (said != row.options.end()) return said->second == "true";
  if (each.input == "Int32") return true;
  const bool is_vector = each.benchmark == Benchmark::Unary || each.benchmark == Benchmark::Binary;
  return is_vector && has_32_bits(each.input) && each.wide;
}

/// Whether a row may have been measured with either form of an initialisation (share_taken_in()):
/// those of the others are too long, or too short with a narrow Dst, or silicon has one value of
/// them.
bool has_other_form(const CostRow& row, const ClockCase& each) {
  if (row.unit != Unit::PerCall) return false;
  if (row.engine == Engine::Pack) return true;
  if (each.init != InitPart::Own || each.benchmark != Benchmark::Unary) return false;
  const InitForm form = init_of(*each.vector);
  return form == InitForm::Apart || (form == InitForm::Common && each.wide);
}

/// The row's cases for one pair of formats.
RowMember member_of(const CostRow& row, const ClockCase& common,
                    const std::vector<const VectorRow*>& operations) {
  RowMember member;
  const auto add = [&](const ClockCase& each) {
    member.runs.push_back(each);
    if (!has_other_form(row, each)) return;
    member.other.push_back(each);
    member.other.back().init_left = !each.init_left;
  };
  if (operations.empty()) add(common);
  for (const VectorRow* operation : operations) {
    ClockCase each = common;
    each.vector = operation;
    each.init_left = each.benchmark == Benchmark::Unary && init_of(*operation) != InitForm::Common;
    add(each);
    if (row.unit != Unit::PerTile || each.to_dest) continue;
    each.copy_only = true;
    member.less.push_back(each);
  }
  return member;
}

/// What of a row no benchmark can have, though it has the operation.
std::optional<std::string> impossible(const ClockCase& each, const CostRow& row) {
  for (const std::string& format : {each.input, each.output}) {
    if (std::ranges::find(kKnownFormats, format) == kKnownFormats.end())
      return fmt::format("the benchmarks have no tiles in {}", format);
  }
  if (each.to_dest && !has_32_bits(each.input))
    return fmt::format("{} is not unpacked to Dst", each.input);
  if (each.benchmark == Benchmark::Copy && each.engine == Engine::Math && each.to_dest &&
      row.unit == Unit::PerTile)
    return "with unpack_to_dest, the loop of the math thread is empty";
  return std::nullopt;
}

/// The formats that tiles of one format are packed to. To a thread that does not pack they make no
/// difference, so that there is one for all, and rows have the same cases: within the groups of a
/// table, loops are mostly within 0.6 cycles of each other.
std::vector<std::string> outputs_that_count(const CostRow& row, const std::string& input) {
  if (row.engine == Engine::Pack || row.outputs.empty()) return row.outputs;
  const bool is_known = std::ranges::all_of(row.outputs, [](const std::string& each) {
    return std::ranges::find(kKnownFormats, each) != kKnownFormats.end();
  });
  if (!is_known) return row.outputs;
  return {input == "Int32" ? "Int32" : "Float16_b"};
}

/// Why a row says nothing about the kernels of a checkout.
std::optional<std::string> measured_otherwise(const ClockCase& common, const CostRow& row) {
  const auto is = [&](std::string_view name, std::string_view value) {
    const auto found = std::ranges::find(common.choices, name, &Options::value_type::first);
    return found != common.choices.end() && found->second == value;
  };
  if (common.benchmark == Benchmark::Reduce && common.engine != Engine::Pack &&
      is("REDUCE_DIM", "ckernel::ReduceDim::REDUCE_ROW") &&
      is("POOL_TYPE", "ckernel::PoolType::SUM"))
    return "rows were summed by a kernel that has a whole tile in one bank of SrcA (tt-metal "
           "49715, "
           "July 2026); the benchmarks have a face";
  if (common.benchmark == Benchmark::Reduce && common.engine == Engine::Math &&
      row.unit == Unit::PerCall)
    return "a reduction was initialised with two address modes, and with four until June 2026";
  return std::nullopt;
}

Unexpected no_benchmark(const CostRow& row) {
  if (auto why = why_without_benchmark(row)) return without(*why);
  const std::vector<std::string_view> near = near_operations(row.op);
  return without(fmt::format("the operation {} is unknown", in_quotes(row.op)),
                 near.empty() ? "study/silicon/rows.cpp names those that have a benchmark"
                              : fmt::format("did you mean {}?", fmt::join(near, ", ")));
}

} // namespace

std::string case_text(const ClockCase& each) {
  std::string text =
      fmt::format("{} {} {}->{} {}", benchmark_name(each.benchmark), engine_name(each.engine),
                  each.input, each.output, each.wide ? "t" : "f");
  if (each.vector != nullptr) text += fmt::format(" {}", each.vector->op);
  if (each.to_dest) text += " to Dst";
  if (each.copy_only) text += ", copy only";
  if (each.init != InitPart::Whole) text += fmt::format(", init {}", init_part_name(each.init));
  if (each.init_left) text += " left";
  for (const auto& [name, value] : each.choices) text += fmt::format(", {}={}", name, value);
  return text;
}

double share_taken_in(const ClockCase& each, unsigned words) {
  constexpr double kNotKnown = 0.5;
  if (each.engine == Engine::Pack) return kNotKnown;
  const unsigned most_always = each.wide ? 4 : 5;
  constexpr unsigned kMostEver = 9;
  if (words <= most_always) return 1;
  return words <= kMostEver ? kNotKnown : 0;
}

Expected<std::vector<RowMember>> members_of(const CostRow& row) {
  const BenchRow* const bench = find_bench_row(row);
  std::vector<const VectorRow*> operations = find_vector_rows(row);
  if (bench == nullptr && operations.empty()) return no_benchmark(row);
  ClockCase common{.benchmark = bench != nullptr ? bench->benchmark : operations[0]->benchmark,
                   .engine = row.engine};
  // Each part of the initialisation was measured by a program of its own, and either has the loop.
  common.init = row.engine == Engine::Pack ? InitPart::Whole : InitPart::Own;
  if (row.unit == Unit::PerCall && bench != nullptr) common.init = bench->init;
  auto choices = choices_of(row, common.benchmark);
  if (!choices) return Unexpected(choices.error());
  common.choices = std::move(*choices);
  if (auto why = measured_otherwise(common, row)) return without(*why);
  if (bench != nullptr && !bench->choice.empty()) {
    common.choices.emplace_back("ELTWISE_BINARY_OP",
                                fmt::format("ckernel::EltwiseBinaryType::{}", bench->choice));
  }
  // Where it does not matter, the Vector Unit has the first operation.
  if (bench != nullptr && bench->benchmark == Benchmark::Unary)
    operations = {&vector_rows().front()};
  std::vector<RowMember> members;
  for (const std::string& input : row.inputs) {
    for (const std::string& output : outputs_that_count(row, input)) {
      for (const bool wide : row.wide) {
        ClockCase each = common;
        each.input = input;
        each.output = output;
        each.wide = wide;
        each.to_dest = unpacks_to_dest(row, each);
        if (auto why = impossible(each, row)) return without(*why);
        members.push_back(member_of(row, each, operations));
      }
    }
  }
  return members;
}

} // namespace lanewise::silicon
