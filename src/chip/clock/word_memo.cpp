#include "chip/clock/word_memo.h"

#include <algorithm>
#include <iterator>

#include "chip/isa/clock_record.h"
#include "chip/machine/frontend/front_end.h"
#include "chip/tile/tile.h"
#include "chip/tile/wait_gate.h"

namespace lanewise::clock {

namespace {

using isa::Op;

/// Whether it takes two cycles of address calculation, in which its thread and the other UNPACRs
/// wait (core.md 17.1).
bool calculates_addresses(Op op) {
  return op == Op::UNPACR;
}

/// Cycles for which an instruction takes its unit, of those that take it for more than one (core.md
/// 17, 8).
struct Cost {
  Op op;
  unsigned cycles;
};
constexpr Cost kCosts[] = {
    {Op::REG2FLOP, 2},  {Op::FLUSHDMA, 2},     {Op::ADDDMAREG, 3},    {Op::SUBDMAREG, 3},
    {Op::MULDMAREG, 3}, {Op::BITWOPDMAREG, 3}, {Op::SHIFTDMAREG, 3},  {Op::CMPDMAREG, 3},
    {Op::LOADIND, 3},   {Op::STOREIND, 3},     {Op::LOADREG, 3},      {Op::STOREREG, 3},
    {Op::ATINCGET, 3},  {Op::ATSWAP, 3},       {Op::ATINCGETPTR, 15}, {Op::ATCAS, 15}};

unsigned occupied_cycles(const ClockParams& chip, Op op) {
  if (calculates_addresses(op)) return chip.unpack_address;
  if (op == Op::RDCFG) return chip.read_config;
  const auto* const found = std::ranges::find(kCosts, op, &Cost::op);
  return found == std::end(kCosts) ? 1 : found->cycles;
}

} // namespace

KnownWord WordMemo::look_up(std::uint32_t word) const {
  KnownWord known;
  known.word = word;
  known.decoded = isa::decode(arch_, word);
  if (known.decoded.row == nullptr) return known;
  const isa::Row& row = *known.decoded.row;
  const ClockParams& chip = clock_params(arch_);
  known.is_wait = tile::is_wait(row.op);
  known.is_macro = row.op == Op::SFPLOADMACRO;
  known.joins_macros = tile::joins_macros(known.decoded);
  known.uses_registers = row.unit == isa::Unit::Scalar || row.unit == isa::Unit::Configuration;
  known.flushes = row.op == Op::PACR && known.decoded["Flush"] != 0;
  known.clears = row.unit == isa::Unit::Unpacker && row.op != Op::UNPACR;
  known.clears_after_math = known.clears && known.decoded["StallClrCtrl"] == 0;
  known.unpacker = static_cast<std::uint8_t>(known.decoded["WhichUnpacker"]);
  known.semaphores = static_cast<std::uint8_t>(known.decoded["SemaphoreMask"]);
  known.occupies = occupied_cycles(chip, row.op);
  known.holds_thread = calculates_addresses(row.op) ? chip.unpack_address : 1;
  if (row.unit != isa::Unit::Vector && row.unit != isa::Unit::Matrix) return known;
  if (const auto op = decode_micro_op(arch_, word, 0)) known.op = *op;
  known.facts = timing::word_facts(arch_, word);
  if (row.unit != isa::Unit::Matrix) return known;
  known.sources = needed_sources(row.op);
  if (known.op) known.matrix = timing::matrix_facts(arch_, *known.op);
  return known;
}

} // namespace lanewise::clock
