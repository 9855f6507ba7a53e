#include "run/goldens/matrix_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "chip/machine/executor.h"
#include "chip/machine/matrix/arithmetic.h"
#include "source/assembly/assembly.h"

namespace lanewise::goldens {

namespace {

using isa::ConfigField;
using isa::DataFormat;

constexpr unsigned kTileRows = 64, kFaceRows = 16, kFaces = 4;
constexpr unsigned kFaceData = kFaceRows * kSourceColumns;
constexpr std::size_t kTileData = std::size_t{kFaces} * kFaceData;
constexpr unsigned kScratchRow = 16; ///< of SrcB, from which TRNSPSRCB works
constexpr unsigned kScalarRow = 4;   ///< of Dst, where LLK sums all faces up

bool has_8_bits_of_integer(const GoldenFormat& format) {
  return format.code == DataFormat::Int8;
}

Expected<void> check_operands(const MatrixSetup& setup) {
  const bool a_is_byte = has_8_bits_of_integer(setup.srca),
             b_is_byte = has_8_bits_of_integer(setup.srcb);
  for (const GoldenFormat* format : {&setup.srca, &setup.srcb}) {
    if (format->is_integer() && !has_8_bits_of_integer(*format))
      return bad_input(fmt::format("the Matrix Unit does not compute with {}", format->name),
                       "use Int8 or UInt8, or the Vector Unit (lanewise.kernel)");
  }
  if (a_is_byte != b_is_byte || setup.srca.has_5bit_exponent() != setup.srcb.has_5bit_exponent()) {
    return bad_input(fmt::format("{} in SrcA and {} in SrcB do not go together", setup.srca.name,
                                 setup.srcb.name),
                     "give both the same number of exponent bits");
  }
  if (a_is_byte && !setup.is_wide)
    return bad_input("sums of Int8 do not fit into 16 bits of Dst", "set dest_acc=True");
  return {};
}

Expected<std::size_t> count_tiles(Cells cells) {
  if (cells.size() % kTileData == 0) return cells.size() / kTileData;
  return bad_input(fmt::format("{} cells are no whole number of tiles", cells.size()),
                   "the Matrix Unit's goldens take whole tiles of 32x32");
}

Expected<void> check_same(std::size_t one, std::size_t other, std::string_view what) {
  if (one == other) return {};
  return bad_input(
      fmt::format("{} has {} tiles, and {} are needed", what, other / kTileData, one / kTileData),
      "give arrays of the same shape");
}

} // namespace

Expected<MatrixUnit> MatrixUnit::make(const MatrixSetup& setup) {
  if (auto possible = check_operands(setup); !possible) return Unexpected(possible.error());
  return MatrixUnit(setup);
}

MatrixUnit::MatrixUnit(const MatrixSetup& setup)
    : setup_(setup), state_(std::make_unique<MachineState>(setup.arch)) {
  set_field(ConfigField::ALU_FORMAT_SPEC_REG0_SrcA, static_cast<std::uint32_t>(setup.srca.code));
  set_field(ConfigField::ALU_FORMAT_SPEC_REG1_SrcB, static_cast<std::uint32_t>(setup.srcb.code));
  set_field(ConfigField::ALU_ACC_CTRL_Fp32_enabled, setup.is_wide ? 1 : 0);
  set_field(ConfigField::ALU_ACC_CTRL_SFPU_Fp32_enabled, setup.is_wide ? 1 : 0);
  set_field(ConfigField::ALU_ACC_CTRL_INT8_math_enabled, has_8_bits_of_integer(setup.srca) ? 1 : 0);
  set_field(ConfigField::ALU_ACC_CTRL_Zero_Flag_disabled_src, setup.keeps_denormals ? 1 : 0);
}

void MatrixUnit::set_field(ConfigField field, std::uint32_t value) {
  state_->config.set(field, value);
}

MicroOp MatrixUnit::decoded(std::string_view text) const {
  const auto program = assembly::assemble(setup_.arch, text, "golden");
  return decode_micro_op(setup_.arch, program.value().words.front().word, 0).value();
}

void MatrixUnit::issue(const MicroOp& op, const Rows& rows) {
  state_->rwc = {.dst = rows.dst, .srca = rows.srca, .srcb = rows.srcb, .fidelity = rows.phase};
  execute(*state_, std::span(&op, 1));
}

void MatrixUnit::load_source(SourceFile& file, const GoldenFormat& format, Cells cells) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    file.cell[0][i / kSourceColumns][i % kSourceColumns] = cells[i];
  file.current = 0;
  file.owned_by_matrix_unit = {true, true};
  file.format[0] = static_cast<std::uint8_t>(format.code);
}

void MatrixUnit::clear_dst() {
  for (unsigned row = 0; row < kTileRows; ++row)
    state_->dst.set_valid(matrix_dst_row(state_->config, row, setup_.is_wide), false);
}

void MatrixUnit::load_dst(Cells dst) {
  for (unsigned row = 0; row < kTileRows; ++row) {
    const unsigned high = matrix_dst_row(state_->config, row, setup_.is_wide);
    state_->dst.set_valid(high, true);
    for (unsigned column = 0; column < kDstColumns; ++column) {
      const std::uint32_t datum = dst[row * kDstColumns + column];
      state_->dst.cell[high][column] =
          static_cast<std::uint16_t>(setup_.is_wide ? datum >> 16 : datum);
      if (setup_.is_wide)
        state_->dst.cell[high + kDstLowHalf][column] = static_cast<std::uint16_t>(datum);
    }
  }
}

void MatrixUnit::store_dst(std::span<std::uint32_t> dst) const {
  for (unsigned row = 0; row < kTileRows; ++row) {
    const unsigned high = matrix_dst_row(state_->config, row, setup_.is_wide);
    for (unsigned column = 0; column < kDstColumns; ++column) {
      const std::uint32_t upper = state_->dst.cell[high][column];
      std::uint32_t& datum = dst[row * kDstColumns + column];
      datum = !state_->dst.valid(high) ? 0
              : setup_.is_wide         ? upper << 16 | state_->dst.cell[high + kDstLowHalf][column]
                                       : upper;
    }
  }
}

Expected<Data> MatrixUnit::elementwise(Elementwise op, Cells a, Cells b, Cells dst) {
  const auto tiles = count_tiles(a);
  if (!tiles) return Unexpected(tiles.error());
  if (auto same = check_same(a.size(), b.size(), "SrcB"); !same) return Unexpected(same.error());
  if (!dst.empty()) {
    if (auto same = check_same(a.size(), dst.size(), "Dst"); !same) return Unexpected(same.error());
  }
  constexpr std::array<std::string_view, 3> kMnemonics{"ELWADD", "ELWSUB", "ELWMUL"};
  const bool multiplies = op == Elementwise::Mul;
  const MicroOp instruction =
      decoded(fmt::format("{} AddDst={}", kMnemonics[static_cast<std::size_t>(op)],
                          !multiplies && !dst.empty() ? 1 : 0));
  Data result(a.size());
  for (std::size_t tile = 0; tile < *tiles; ++tile) {
    const std::size_t first = tile * kTileData;
    load_source(state_->srca, setup_.srca, a.subspan(first, kTileData));
    load_source(state_->srcb, setup_.srcb, b.subspan(first, kTileData));
    clear_dst();
    if (!dst.empty()) load_dst(dst.subspan(first, kTileData));
    for (unsigned phase = 0; phase < (multiplies ? setup_.phases : 1); ++phase) {
      for (unsigned row = 0; row < kTileRows; row += kMatrixRows)
        issue(instruction, {row, row, row, phase});
    }
    store_dst(std::span(result).subspan(first, kTileData));
  }
  return result;
}

Expected<Data> MatrixUnit::copy(Cells a) {
  if (setup_.is_wide) return elementwise(Elementwise::Add, a, Data(a.size()), {});
  const auto tiles = count_tiles(a);
  if (!tiles) return Unexpected(tiles.error());
  const MicroOp move = decoded("MOVA2D Move8Rows=1");
  Data result(a.size());
  for (std::size_t tile = 0; tile < *tiles; ++tile) {
    load_source(state_->srca, setup_.srca, a.subspan(tile * kTileData, kTileData));
    clear_dst();
    for (unsigned row = 0; row < kTileRows; row += kMatrixRows) issue(move, {row, row, row, 0});
    store_dst(std::span(result).subspan(tile * kTileData, kTileData));
  }
  return result;
}

Expected<Data> MatrixUnit::matmul(Cells left, Shape left_shape, Cells right, Shape right_shape,
                                  Cells dst) {
  if (left_shape.columns != right_shape.rows) {
    return bad_input(fmt::format("{} tiles side by side do not meet {} one below the other",
                                 left_shape.columns, right_shape.rows),
                     "the left matrix needs as many columns as the right one has rows");
  }
  const Shape shape{left_shape.rows, right_shape.columns};
  for (const auto& [cells, tiles, what] :
       {std::tuple{left, left_shape.tiles(), "the left matrix"},
        std::tuple{right, right_shape.tiles(), "the right matrix"},
        std::tuple{dst, dst.empty() ? 0 : shape.tiles(), "Dst"}}) {
    if (auto same = check_same(tiles * kTileData, cells.size(), what); !same)
      return Unexpected(same.error());
  }
  const MicroOp product = decoded("MVMUL");
  Data result(shape.tiles() * kTileData);
  const auto tile_of = [](Cells cells, std::size_t tile) {
    return cells.subspan(tile * kTileData, kTileData);
  };
  constexpr unsigned kFacesOfRow = 2;
  for (std::size_t tile = 0; tile < shape.tiles(); ++tile) {
    const std::size_t row = tile / shape.columns, column = tile % shape.columns;
    clear_dst();
    if (!dst.empty()) load_dst(tile_of(dst, tile));
    for (std::size_t between = 0; between < left_shape.columns; ++between) {
      load_source(state_->srcb, setup_.srcb, tile_of(left, row * left_shape.columns + between));
      load_source(state_->srca, setup_.srca,
                  tile_of(right, between * right_shape.columns + column));
      for (unsigned phase = 0; phase < setup_.phases; ++phase) {
        for (unsigned inner = 0; inner < kFacesOfRow; ++inner) {
          for (unsigned face = 0; face < kFaces; ++face) {
            const unsigned srcb = (face / kFacesOfRow * kFacesOfRow + inner) * kFaceRows;
            const unsigned srca = (inner * kFacesOfRow + face % kFacesOfRow) * kFaceRows;
            for (unsigned half = 0; half < kFaceRows; half += kMatrixRows)
              issue(product, {face * kFaceRows + half, srca, srcb + half, phase});
          }
        }
      }
    }
    store_dst(std::span(result).subspan(tile * kTileData, kTileData));
  }
  return result;
}

Expected<Data> MatrixUnit::reduce(Pool pool, ReducedAxis axis, Cells a, std::uint32_t scaler,
                                  bool accumulates, bool keeps_fp32) {
  const auto tiles = count_tiles(a);
  if (!tiles) return Unexpected(tiles.error());
  if (keeps_fp32 && (axis != ReducedAxis::Rows || !setup_.is_wide))
    return bad_input("enforce_fp32_accumulation is of rows, in 32 bits of Dst",
                     "set dim=\"row\" and dest_acc=True, or leave it out");
  if (keeps_fp32 && has_8_bits_of_integer(setup_.srca))
    return bad_input("enforce_fp32_accumulation is of floats", "leave it out");
  Data result((accumulates ? 1 : *tiles) * kTileData);
  for (std::size_t tile = 0; tile < *tiles; ++tile) {
    if (tile == 0 || !accumulates) clear_dst();
    reduce_tile(pool, axis, a.subspan(tile * kTileData, kTileData), scaler, keeps_fp32);
    store_dst(std::span(result).subspan(accumulates ? 0 : tile * kTileData, kTileData));
  }
  return result;
}

void MatrixUnit::pool_face(Pool pool, const MicroOp& op, unsigned face, unsigned dst_row) {
  const unsigned phases = pool == Pool::Max ? 1 : setup_.phases;
  for (unsigned phase = 0; phase < phases; ++phase)
    issue(op, {dst_row, face * kFaceRows, 0, phase});
}

void MatrixUnit::reduce_tile(Pool pool, ReducedAxis axis, Cells a, std::uint32_t scaler,
                             bool keeps_fp32) {
  const MicroOp op = decoded(pool == Pool::Max ? "GMPOOL Pool16x16=1" : "GAPOOL Pool16x16=1");
  load_source(state_->srca, setup_.srca, a);
  load_source(state_->srcb, setup_.srcb, Data(kTileData));
  for (unsigned i = 0; i < kFaceData; ++i)
    state_->srcb.cell[0][i / kSourceColumns][i % kSourceColumns] = scaler;
  switch (axis) {
    case ReducedAxis::Rows: return reduce_rows(pool, op, keeps_fp32);
    case ReducedAxis::Both: return reduce_both(pool, op);
    case ReducedAxis::Columns: break;
  }
  for (unsigned face = 0; face < kFaces; ++face) pool_face(pool, op, face, face % 2 * kFaceRows);
}

/// The unpacker turns each face; then rows are columns, and what becomes of them is turned back.
void MatrixUnit::reduce_rows(Pool pool, const MicroOp& op, bool keeps_fp32) {
  for (unsigned face = 0; face < kFaces; ++face) {
    auto* const rows = state_->srca.cell[0] + static_cast<std::size_t>(face) * kFaceRows;
    for (unsigned i = 0; i < kFaceRows; ++i)
      for (unsigned j = 0; j < i; ++j) std::swap(rows[i][j], rows[j][i]);
  }
  const std::array<std::uint32_t, kTileData> turned = [&] {
    std::array<std::uint32_t, kTileData> cells{};
    for (std::size_t i = 0; i < kTileData; ++i)
      cells[i] = state_->srca.cell[0][i / kSourceColumns][i % kSourceColumns];
    return cells;
  }();
  for (unsigned lower = 0; lower < 2; ++lower) {
    const unsigned dst_row = 2 * lower * kFaceRows;
    load_source(state_->srca, setup_.srca, turned); // which the turn of the upper rows has used
    pool_face(pool, op, 2 * lower, dst_row);
    pool_face(pool, op, 2 * lower + 1, dst_row);
    if (keeps_fp32) {
      turn_row_to_column_exactly(dst_row);
    } else {
      turn_row_to_column(dst_row);
    }
  }
}

void MatrixUnit::turn_row_to_column(unsigned dst_row) {
  const MicroOp to_srcb = decoded(fmt::format("MOVD2B Move4Rows=0, SrcRow={}", kScratchRow));
  const Rows rows{.dst = dst_row};
  const bool are_integers = has_8_bits_of_integer(setup_.srca);
  if (are_integers) narrow_integers(rows);
  issue(to_srcb, rows);
  issue(decoded("TRNSPSRCB"), rows);
  issue(to_srcb, rows); // the row itself stays in Dst for the next tile
  if (are_integers) set_field(ConfigField::FP16A_FORCE_Enable, 0);
  issue(decoded("ZEROSRC ClearSrcA=1, SingleBankMatrixUnit=1"), rows);
  const MicroOp sum = decoded("ELWADD");
  for (unsigned half = 0; half < kFaceRows; half += kMatrixRows)
    issue(sum, {dst_row + half, 0, kScratchRow + half, 0});
}

/// INT32 does not go into SrcB: the Vector Unit makes INT8 of it, which lies in Dst as FP16 would,
/// and until the row is turned Dst is read so.
void MatrixUnit::narrow_integers(const Rows& rows) {
  for (const unsigned columns : {0, 2}) { // the even ones, the odd ones
    issue(decoded(fmt::format("SFPLOAD L0, INT32, ADDR_MOD_0, {}", columns)), rows);
    issue(decoded(fmt::format("SFPSTORE L0, INT8, ADDR_MOD_0, {}", columns)), rows);
  }
  set_field(ConfigField::FP16A_FORCE_Enable, 1);
}

/// All 32 bits, in two halves that are moved without a look at them. The row stays.
void MatrixUnit::turn_row_to_column_exactly(unsigned dst_row) {
  Data tile(kTileData);
  store_dst(tile);
  const std::size_t first = static_cast<std::size_t>(dst_row) * kDstColumns;
  for (unsigned i = 1; i < kFaceRows; ++i)
    tile[first + std::size_t{i} * kDstColumns] = tile[first + i];
  load_dst(tile);
}

void MatrixUnit::reduce_both(Pool pool, const MicroOp& op) {
  for (unsigned face = 0; face < kFaces; ++face) pool_face(pool, op, face, kScalarRow);
  const Rows rows{};
  issue(decoded(fmt::format("MOVD2B Move4Rows=0, SrcRow={}, DstRow={}", kScratchRow, kScalarRow)),
        rows);
  issue(decoded("TRNSPSRCB"), rows);
  for (unsigned row = 0; row < kFaceRows; row += 4)
    issue(
        decoded(fmt::format("MOVB2A Move4Rows=1, SrcARow={}, SrcBRow={}", row, kScratchRow + row)),
        rows);
  for (unsigned row = kScalarRow; row < kScalarRow + 4; ++row)
    state_->dst.set_valid(matrix_dst_row(state_->config, row, setup_.is_wide), false);
  pool_face(pool, op, 0, 0);
}

std::vector<Fault> MatrixUnit::faults() const {
  return state_->faults.to_faults(setup_.arch);
}

} // namespace lanewise::goldens
