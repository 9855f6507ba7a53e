#include "machine/matrix/source_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace lanewise {

namespace {

/// Whether rows from `first_row` on exist for so many cells.
Expected<void> check_place(unsigned bank, unsigned first_row, std::size_t cells) {
  if (bank >= kSourceBanks) {
    return bad_input(fmt::format("SrcA and SrcB have no bank {}", bank), "use 0 or 1");
  }
  if (cells % kSourceColumns != 0) {
    return bad_input(fmt::format("{} cells are no whole number of rows", cells),
                     "give 16 cells per row");
  }
  if (first_row > kSourceRows || cells / kSourceColumns > kSourceRows - first_row) {
    return bad_input(
        fmt::format("{} rows from row {} on go beyond row 63", cells / kSourceColumns, first_row),
        "a bank has 64 rows");
  }
  return {};
}

} // namespace

Expected<void> load_cells(SourceFile& file, unsigned bank, unsigned first_row,
                          std::span<const std::uint32_t> cells) {
  if (auto place = check_place(bank, first_row, cells.size()); !place) return place;
  constexpr std::uint32_t kNoCell = (1U << kCellShift) - 1;
  if (std::any_of(cells.begin(), cells.end(),
                  [](std::uint32_t cell) { return (cell & kNoCell) != 0; })) {
    return bad_input("a cell of SrcA or SrcB has 19 bits, in the upper end of 32",
                     "leave the lower 13 bits 0");
  }
  for (std::size_t i = 0; i < cells.size(); i += kSourceColumns)
    std::copy_n(cells.begin() + static_cast<std::ptrdiff_t>(i), kSourceColumns,
                file.cell[bank][first_row + i / kSourceColumns]);
  file.owned_by_matrix_unit[bank] = true;
  file.filling = static_cast<std::uint8_t>(bank ^ 1);
  return {};
}

Expected<void> load_numbers(SourceFile& file, unsigned bank, unsigned first_row,
                            std::span<const float> numbers, DataFormat format) {
  if (auto place = check_place(bank, first_row, numbers.size()); !place) return place;
  std::vector<std::uint32_t> cells;
  for (std::size_t i = 0; i < numbers.size(); i += kSourceColumns) {
    const auto row = source_cells(numbers.subspan(i).first<kSourceColumns>(), format);
    if (!row) return Unexpected(row.error());
    cells.insert(cells.end(), row->begin(), row->end());
  }
  if (auto done = load_cells(file, bank, first_row, cells); !done) return done;
  file.format[bank] = static_cast<std::uint8_t>(format);
  return {};
}

} // namespace lanewise
