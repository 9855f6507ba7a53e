// A table of cycles beside what a model says of the same rows, and how far apart they are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "study/silicon/cost_table.h"

namespace lanewise::silicon {

/// The two values of a row whose initialisation the vendor's compiler may have taken into its
/// caller or left as a function. Which of both a program has is not known.
struct FormCycles {
  double taken_in = 0, left = 0;

  friend bool operator==(const FormCycles&, const FormCycles&) = default;
};

/// What a model says of a row: a value, and those that it lies between where there are two.
struct RowCycles {
  double cycles = 0;
  std::optional<FormCycles> forms = std::nullopt;
};

struct ComparedRow {
  CostRow row;
  std::optional<double> cycles = std::nullopt;    ///< of the model; nothing: left out
  std::optional<FormCycles> forms = std::nullopt; ///< of the model, where `cycles` is between two
  std::string why = {};                           ///< it is left out

  /// Of the model, less what was measured; and as a share of that.
  double residual() const { return cycles.value_or(0) - row.median; }
  double error() const;
  /// Within 5 %, or within 2 cycles.
  bool is_near() const;
  /// Within what was measured of the group, from cycles_min to cycles_max.
  bool is_within() const;
  /// Whether the two forms are what silicon shows: one near its least value, one near its most.
  bool has_both_ends() const;
};

/// Whether silicon shows more than one value of a row, so that its median stands for a range: by
/// more than kBandCycles, and kBandShare of the median.
bool has_band(const CostRow& row);
inline constexpr double kBandShare = 0.02, kBandCycles = 1;

/// What counts as near.
inline constexpr double kNearShare = 0.05, kNearCycles = 2;
bool is_near(double cycles, double silicon);

/// Rows of one engine, unit and width of Dst: those with 16 and 32 bits are listed under neither.
enum class Width : std::uint8_t { Narrow, Wide, Either };
std::string_view width_name(Width width); ///< "f", "t", "f;t", as tables have it
Width width_of(const CostRow& row);

struct ErrorGroup {
  Engine engine;
  Unit unit;
  Width width;
  unsigned rows = 0, compared = 0, near = 0;
  unsigned bands = 0, within = 0;   ///< of those compared: see has_band(), is_within()
  unsigned forms = 0, ends = 0;     ///< of `bands`: with two forms; see has_both_ends()
  double median = 0, ninetieth = 0; ///< of the relative error of those compared
};

struct Comparison {
  std::vector<ComparedRow> rows; ///< in the order of the table
  std::vector<ErrorGroup> groups;

  unsigned compared() const;
};

/// Rows with their values, and what follows from these.
Comparison comparison_of(std::vector<ComparedRow> rows);

/// The compared rows with the largest relative error, worst first; the same by line.
std::vector<const ComparedRow*> worst_rows(const Comparison& comparison, std::size_t most);

/// The value in the middle of the sorted ones, or the mean of the two; the smallest one that at
/// least nine of ten do not exceed. Not of none.
double median_of(std::vector<double> values);
double ninetieth_of(std::vector<double> values);

} // namespace lanewise::silicon
