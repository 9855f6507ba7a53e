// Which benchmark measures which operation of a table of cycles. Facts of the benchmarks of tt-lang
// (docs/sources.md): which calls of LLK each of their zones has, and who is charged with it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "study/silicon/cost_table.h"

namespace lanewise::silicon {

/// What the three threads do (benchmark_text.cpp).
enum class Benchmark : std::uint8_t {
  Elements, ///< two tiles, element by element, on the Matrix Unit
  Copy,     ///< a tile through SrcA, or straight to Dst
  Reduce,   ///< rows, columns or all of a tile
  Unary,    ///< a copy, and one face of it on the Vector Unit
  Binary    ///< a copy, and two tiles of Dst on the Vector Unit
};
std::string_view benchmark_name(Benchmark benchmark);

/// Which calls the zone INIT has: all of a thread, those that every operation makes, or the
/// operation's own. The calls and their order are the same.
enum class InitPart : std::uint8_t { Whole, Common, Own };
std::string_view init_part_name(InitPart part);

/// An operation that a benchmark has without the Vector Unit, or where it does not matter which one
/// the Vector Unit has.
struct BenchRow {
  std::string_view op;
  Engine engine;
  Unit unit;
  Benchmark benchmark;
  InitPart init = InitPart::Whole;
  std::string_view choice = ""; ///< of the benchmark: a constant of LLK
};

/// An operation on the Vector Unit: both of its names, and what its benchmark calls.
struct VectorRow {
  std::string_view tile, init; ///< names in the table
  bool integers;               ///< of rows whose input is Int32
  Benchmark benchmark;
  std::string_view op;              ///< as of checkouts::find_op()
  std::string_view type;            ///< the SfpuType that the address modes follow
  std::string_view parameters = ""; ///< of the operation: NAME=VALUE NAME=VALUE
};

/// How an operation is initialised in the tree that was measured.
enum class InitForm : std::uint8_t {
  Common,    ///< as all are
  WithSteps, ///< sets its step through Dst, and resets the counters, once more
  Apart,     ///< by a function of its own, too, which begins with the counters that all have reset
  ApartWithSteps, ///< and, before them, with the step through Dst
  ApartWithAll    ///< with all that all operations have
};
std::string_view init_form_name(InitForm form); ///< as above
InitForm init_of(const VectorRow& row);

std::span<const BenchRow> bench_rows();
std::span<const VectorRow> vector_rows();

/// The benchmark of a row that is none of the Vector Unit's; null if there is none.
const BenchRow* find_bench_row(const CostRow& row);

/// The operations on the Vector Unit whose mean a row is: one, or those that share an
/// initialisation.
std::vector<const VectorRow*> find_vector_rows(const CostRow& row);

/// An operation that benchmarks exist for, but on this engine no zone of its own; or a reason why
/// there can be none. Nothing: the operation is unknown.
std::optional<std::string> why_without_benchmark(const CostRow& row);

/// Up to three names that the table may have meant.
std::vector<std::string_view> near_operations(std::string_view name);

} // namespace lanewise::silicon
