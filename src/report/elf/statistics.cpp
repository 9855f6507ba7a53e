#include "report/elf/statistics.h"

#include <fmt/format.h>

#include "chip/isa/encoding.h"
#include "report/table/table.h"

namespace lanewise::report {

namespace {

using riscv::Flow;
using riscv::Op;

bool is_constant(const riscv::Instruction& instruction) {
  const bool is_li = instruction.op == Op::ADDI && instruction.rs1 == 0 && instruction.rd != 0;
  return is_li || instruction.op == Op::LUI;
}

void count_riscv(const elf::CodeWord& word, CodeStatistics& counts) {
  ++counts.riscv;
  if (is_constant(word.instruction)) ++counts.constants;
  if (word.flow == Flow::Branch) ++counts.branches;
  if (word.flow == Flow::Call || word.flow == Flow::IndirectCall) ++counts.calls;
}

void count_tensix(std::uint32_t word, Arch arch, CodeStatistics& counts) {
  const isa::Row* const row = isa::decode(arch, word).row;
  if (row == nullptr) return;
  ++counts.units[static_cast<std::size_t>(row->unit)];
  if (row->op == isa::Op::SFPLOADI) ++counts.immediates;
  if (row->op == isa::Op::NOP || row->op == isa::Op::SFPNOP) ++counts.nops;
}

std::string units_text(const CodeStatistics& counts) {
  std::string text;
  for (std::size_t i = 0; i < kUnits; ++i) {
    if (counts.units[i] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        isa::unit_name(static_cast<isa::Unit>(i)), counts.units[i]);
  }
  return text;
}

} // namespace

CodeStatistics statistics_of(const elf::Function& function, Arch arch) {
  CodeStatistics counts;
  for (const elf::CodeWord& word : function.words) {
    if (word.kind == elf::WordKind::RiscV) count_riscv(word, counts);
    if (word.kind == elf::WordKind::Unknown) ++counts.unknown;
    if (!word.pushes()) continue;
    ++counts.pushes;
    if (word.stores_to_fifo) ++counts.stores;
    if (word.tensix)
      count_tensix(*word.tensix, arch, counts);
    else
      ++counts.computed;
  }
  return counts;
}

std::string statistics_text(const std::vector<elf::Function>& functions, Arch arch) {
  Table table{.columns =
                  table_columns({"function", "RISC-V", "constants", "branches", "calls", "unknown",
                                 "pushes", "by stores", "computed", "SFPLOADI", "NOPs", "by unit"},
                                ColumnKind::Number)};
  table.columns.front().kind = table.columns.back().kind = ColumnKind::Text;
  const auto number = [](std::size_t count) { return TableCell(std::to_string(count)); };
  for (const elf::Function& function : functions) {
    const CodeStatistics counts = statistics_of(function, arch);
    table.rows.push_back({function.symbol.readable, number(counts.riscv), number(counts.constants),
                          number(counts.branches), number(counts.calls), number(counts.unknown),
                          number(counts.pushes), number(counts.stores), number(counts.computed),
                          number(counts.immediates), number(counts.nops), units_text(counts)});
  }
  return table_text(table);
}

} // namespace lanewise::report
