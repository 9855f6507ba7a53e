#include "report/accuracy/perf.h"

#include <fmt/format.h>

namespace lanewise::report {

namespace {

/// The vendor's name of a format of tiles.
std::string_view vendor_format(formats::Format format) {
  switch (format) {
    case formats::Format::FP32: return "Float32";
    case formats::Format::BF16: return "Float16_b";
    case formats::Format::FP16: return "Float16";
    case formats::Format::INT32: return "Int32";
    case formats::Format::UINT32: return "UInt32";
    case formats::Format::INT16: return "Int16";
    case formats::Format::UINT16: return "UInt16";
    case formats::Format::INT8: return "Int8";
  }
  return "";
}

struct Cost {
  const char* marker;
  double cycles;
};

} // namespace

std::string perf_csv(std::span<const AccuracyRow> rows) {
  std::string text =
      "arch,formats.input_A,formats.output,dest_acc,mathop,marker,mean(MATH_ISOLATE),"
      "std(MATH_ISOLATE),source\n";
  for (const AccuracyRow& row : rows) {
    const sweep::SweepStatistics& statistics = row.statistics;
    for (const Cost& cost :
         {Cost{"INIT", statistics.init_cycles}, Cost{"TILE_LOOP", statistics.cycles}}) {
      text += fmt::format("{},{},{},{},{},{},{:.2f},0.00,modelled by Lanewise\n",
                          arch_params(statistics.arch).names.family, vendor_format(row.format),
                          vendor_format(row.output_format),
                          formats::is_32bit(row.format) ? "Yes" : "No", row.kernel, cost.marker,
                          cost.cycles);
    }
  }
  return text;
}

std::string cost_table(std::span<const AccuracyRow> rows) {
  constexpr unsigned kFaces = 4;
  std::string text;
  for (const AccuracyRow& row : rows) {
    const sweep::SweepStatistics& statistics = row.statistics;
    const auto line = [&](const char* call, const char* unit, double cycles) {
      text += fmt::format(
          "{{{}, {}, {}, {}, \"\", Unit::{}, {:.2f}, 0.00}}, // {}{}/math on {}, modelled by "
          "Lanewise\n",
          vendor_format(row.format), vendor_format(row.output_format),
          formats::is_32bit(row.format), kFaces, unit, cycles, row.kernel, call,
          arch_params(statistics.arch).names.id);
    };
    line("_tile", "PerTile", statistics.cycles);
    line("_tile_init", "PerCall", statistics.init_cycles);
  }
  return text;
}

} // namespace lanewise::report
