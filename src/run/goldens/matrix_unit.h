// What the Matrix Unit makes of whole tiles: the machine's own instructions, in the order in which
// LLK issues them, on arrays.
//
// SrcA and SrcB come as cells (Unpacked::data), Dst comes and goes as it stores its data. A tile is
// 1024 data, face by face; its four faces are the upper left, upper right, lower left, lower right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"
#include "run/goldens/golden_format.h"

namespace lanewise::goldens {

enum class Elementwise : std::uint8_t { Add, Sub, Mul };
enum class Pool : std::uint8_t { Sum, Max };
enum class ReducedAxis : std::uint8_t {
  Rows,    ///< REDUCE_ROW: column 0 has the result of each row
  Columns, ///< REDUCE_COL: row 0 has the result of each column
  Both     ///< REDUCE_SCALAR: element 0,0
};

struct MatrixSetup {
  Arch arch = kDefaultArch;
  GoldenFormat srca, srcb; ///< as they have arrived
  bool is_wide = false;    ///< 32 bits of Dst
  unsigned phases = 1;     ///< fidelity phases of products, 1 to 4
  /// Src_Zero_Flag: denormals and -0 stay in copies.
  bool keeps_denormals = false;
};

using Cells = std::span<const std::uint32_t>;
using Data = std::vector<std::uint32_t>;

class MatrixUnit {
 public:
  /// Error: BadInput for formats with different bits of exponent, for integers but INT8, and for
  /// INT8 in 16 bits of Dst.
  static Expected<MatrixUnit> make(const MatrixSetup& setup);

  /// Dst = A op B, element by element. With `dst`, which is as long or empty, to what is there:
  /// products always, sums where Dst is given. Error: BadInput for arrays of different lengths.
  Expected<Data> elementwise(Elementwise op, Cells a, Cells b, Cells dst);

  /// MOVA2D, or where Dst has 32 bits, A + 0.
  Expected<Data> copy(Cells a);

  /// Tiles of a matrix in row-major order.
  struct Shape {
    std::size_t rows = 1, columns = 1;
    std::size_t tiles() const { return rows * columns; }
  };

  /// Dst = `left` x `right`, which are in SrcB and SrcA: for each tile of the result over all tiles
  /// between, for each phase over both faces between. Error: BadInput for shapes that do not fit.
  Expected<Data> matmul(Cells left, Shape left_shape, Cells right, Shape right_shape, Cells dst);

  /// Each tile by itself, or `accumulates`, all into one. `scaler`: the cell that SrcB has
  /// everywhere. `keeps_fp32`: enforce_fp32_accumulation of LLK, for rows. Of INT8 rows go through
  /// the Vector Unit and come back with its 8 bits, as LLK's is_int_fpu_en has them.
  Expected<Data> reduce(Pool pool, ReducedAxis axis, Cells a, std::uint32_t scaler,
                        bool accumulates, bool keeps_fp32);

  /// What was wrong with instructions so far.
  std::vector<Fault> faults() const;

 private:
  explicit MatrixUnit(const MatrixSetup& setup);

  struct Rows {
    unsigned dst = 0, srca = 0, srcb = 0, phase = 0;
  };
  /// Executes one instruction with counters at these rows.
  void issue(const MicroOp& op, const Rows& rows);
  MicroOp decoded(std::string_view text) const;

  void load_source(SourceFile& file, const GoldenFormat& format, Cells cells);
  void load_dst(Cells dst);
  void clear_dst();
  void store_dst(std::span<std::uint32_t> dst) const;
  void set_field(isa::ConfigField field, std::uint32_t value);

  void pool_face(Pool pool, const MicroOp& op, unsigned face, unsigned dst_row);
  void reduce_tile(Pool pool, ReducedAxis axis, Cells a, std::uint32_t scaler, bool keeps_fp32);
  void reduce_rows(Pool pool, const MicroOp& op, bool keeps_fp32);
  void reduce_both(Pool pool, const MicroOp& op);
  void turn_row_to_column(unsigned dst_row);
  void narrow_integers(const Rows& rows);
  void turn_row_to_column_exactly(unsigned dst_row);

  MatrixSetup setup_;
  std::unique_ptr<MachineState> state_;
};

} // namespace lanewise::goldens
