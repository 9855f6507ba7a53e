// The result of a run, for people and for programs.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "run/execution/tile_runner.h"

namespace lanewise::report {

struct TableOptions {
  std::size_t elements = 32; ///< to show; 0 = all
  bool summary = true;       ///< lines that count instructions, tiles and differences come last
};

/// A table with a row per element: place, inputs, and for each chip the output and its bits. Rows
/// are taken evenly over the whole array; of two chips, elements that differ are marked and the
/// first of them are shown as well.
std::string run_table(std::span<const tensors::Tensor> inputs,
                      std::span<const execution::TileRun> runs, const TableOptions& options);

/// The same as JSON: format, shape, per chip instructions, faults, output values and bits.
nlohmann::json run_json(std::span<const tensors::Tensor> inputs,
                        std::span<const execution::TileRun> runs);

/// An element of a tensor: its bits in hexadecimal, its number, and its place: "row,column" of a
/// matrix, "i,row,column" of a stack of them, the plain index otherwise.
std::string element_bits(formats::Format format, std::uint32_t bits);
std::string element_value(formats::Format format, std::uint32_t bits);
std::string element_place(const std::vector<std::size_t>& shape, std::size_t index);

/// Indices at which the outputs of the runs are not all the same bits.
std::vector<std::size_t> differing_elements(std::span<const execution::TileRun> runs);

} // namespace lanewise::report
