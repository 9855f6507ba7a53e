#include "chip/machine/frontend/kernel_table.h"

#include <array>

#include "chip/isa/encoding.h"
#include "chip/machine/control.h"
#include "chip/machine/matrix/control.h"
#include "chip/machine/matrix/moves.h"
#include "chip/machine/scalar.h"
#include "chip/machine/simd_level.h"
#include "chip/machine/vector/narrow_kernels.h"
#include "chip/machine/vector/predication.h"

namespace lanewise {

namespace {

using isa::Op;

/// What the Matrix Unit executes, and SETDVALID, which belongs to its banks.
Kernel find_matrix_unit_kernel(const LevelKernels& level, Arch arch, Op op) {
  if (const Kernel kernel = level.matrix(arch, op)) return kernel;
  if (const Kernel kernel = find_matrix_move_kernel(op)) return kernel;
  return find_matrix_control_kernel(op);
}

/// Of a chip whose Vector Unit alone is here, with what moves its counters.
Kernel search_narrow_kernel(Arch arch, Op op) {
  if (op == Op::NOP) return no_effect;
  if (op == Op::INCRWC || op == Op::SETRWC) return find_matrix_control_kernel(op);
  if (const Kernel kernel = find_narrow_kernel(op)) return kernel;
  return find_predication_kernel<MachineState>(arch, op);
}

/// By opcode; nullptr where nothing executes it, or its operands choose.
using KernelTable = std::array<Kernel, 256>;

KernelTable kernel_table(const LevelKernels& level, Arch arch) {
  KernelTable table{};
  for (unsigned opcode = 0; opcode < table.size(); ++opcode) {
    const isa::Row* row = isa::find_row(arch, static_cast<std::uint8_t>(opcode));
    if (row == nullptr || operands_choose_kernel(row->op)) continue;
    MicroOp op;
    op.op = row->op;
    table[opcode] = search_kernel(level, arch, op);
  }
  return table;
}

/// Of every level that this processor can run, by level and chip.
auto every_kernel_table() {
  std::array<std::array<KernelTable, kEveryArch.size()>, kSimdLevels> tables{};
  for (const SimdLevel level : available_simd_levels()) {
    for (const Arch arch : kEveryArch)
      tables[static_cast<std::size_t>(level)][static_cast<std::size_t>(arch)] =
          kernel_table(kernels_of(level), arch);
  }
  return tables;
}

} // namespace

Kernel search_kernel(const LevelKernels& level, Arch arch, const MicroOp& op) {
  if (has_narrow_lanes(arch)) return search_narrow_kernel(arch, op.op);
  MicroOp executed = op;
  // The load of an SFPLOADMACRO is an SFPLOAD (VU C51, C52).
  if (op.op == Op::SFPLOADMACRO) executed.op = Op::SFPLOAD;
  if (const Kernel kernel = level.lane(arch, executed)) return kernel;
  if (const Kernel kernel = find_control_kernel(arch, op.op)) return kernel;
  if (const Kernel kernel = find_scalar_kernel(op.op)) return kernel;
  return find_matrix_unit_kernel(level, arch, op.op);
}

Kernel find_kernel(Arch arch, const MicroOp& op) {
  static const auto kTables = every_kernel_table();
  const SimdLevel level = simd_level();
  if (operands_choose_kernel(op.op)) return search_kernel(kernels_of(level), arch, op);
  return kTables[static_cast<std::size_t>(level)][static_cast<std::size_t>(arch)]
                [isa::opcode_of(op.word)];
}

} // namespace lanewise
