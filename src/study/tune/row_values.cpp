#include "study/tune/row_values.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "chip/machine/executor.h"
#include "number/tensors/tile_cells.h"
#include "study/sweep/order.h"
#include "study/tune/follow.h"
#include "study/tune/words.h"

namespace lanewise::tune {

namespace {

using isa::Op;

/// An access of the Vector Unit: eight columns of four rows.
constexpr unsigned kLaneColumns = 8, kRowsOfAccess = 4;
constexpr unsigned kGroupsOfTile = tensors::kTileElements / kLanes;
/// Where lane `lane` of the access with number `group` lies in the order of load_cells(): the even
/// columns of four rows, then the odd ones (VU C17).
unsigned cell_of(unsigned group, unsigned lane) {
  const unsigned row = group / 2 * kRowsOfAccess + lane / kLaneColumns;
  return row * tensors::kFaceEdge + lane % kLaneColumns * 2 + group % 2;
}

int address_of(unsigned group) {
  return static_cast<int>(group) * 2;
}

/// A load or a store, from where the counters are 0.
void access(MachineState& state, Arch arch, std::uint32_t word) {
  state.rwc = {};
  if (const auto op = decode_micro_op(arch, word, 0)) execute(state, std::span(&*op, 1));
}

/// Elements of a tile from the order of lanes to that of cells.
using Cells = std::array<std::uint32_t, tensors::kTileElements>;
Cells cells_of(std::span<const std::uint32_t> lanes) {
  Cells cells{};
  for (unsigned i = 0; i < cells.size(); ++i) cells[cell_of(i / kLanes, i % kLanes)] = lanes[i];
  return cells;
}

/// LRegs of the operands, and of the result where it has one of its own.
constexpr unsigned kResult = 3;
struct Places {
  OperandRegisters registers;
  unsigned tied = 0;
};

/// Operands in LReg[0] and up. Results go where each operation can put them.
Places places_of(const Node& node) {
  Places places;
  for (unsigned k = 0; k < own_operands(node); ++k) places.registers.operands.push_back(k);
  const bool own = is_multiply(node) || node.op == Op::SFPSHFT2;
  const bool second = !own && node.op != Op::SFPSWAP && own_operands(node) == 2;
  places.tied = second ? 1 : 0;
  places.registers.result = own ? kResult : places.tied;
  return places;
}

} // namespace

RowEvaluator::RowEvaluator(MachineState state, const ProofOptions& options)
    : state_(std::move(state)),
      format_(options.format),
      output_format_(options.output_format.value_or(options.format)) {
  const auto order = sweep::SweepOrder::make(format_, 1, {});
  sweep::ChunkInputs chunk;
  for (std::uint64_t i = 0; order && i < order->chunks(); ++i) {
    order->fill(i, chunk);
    inputs_.insert(inputs_.end(), chunk.x.begin(), chunk.x.end());
  }
}

Expected<RowEvaluator> RowEvaluator::prepare(const Plain& plain, const ProofOptions& options) {
  if (options.operands != 1)
    return refuse("values of rows are only computed for one operand",
                  "leave --max-ulp out, or tune a kernel of one operand", 0);
  if (formats::is_32bit(options.format))
    return refuse("values of rows are only computed for inputs of 16 bits",
                  "leave --max-ulp out, or give --format bf16 or fp16", 0);
  auto timed = execution::schedule_on_tile(
      plain.arch, plain.program, {.format = options.format, .as_kernel = plain.as_kernel});
  if (!timed) return Unexpected(timed.error());
  RowEvaluator evaluator(std::move(timed->start), options);
  const auto enable = decode_micro_op(plain.arch, control_word(plain.arch, Op::SFPENCC), 0);
  if (!enable) return Unexpected(enable.error());
  execute(evaluator.state_, std::span(&*enable, 1));
  return evaluator;
}

Expected<RowValues> RowEvaluator::evaluate(const RowGraph& row, const GivenValues& given) {
  RowValues values{.nodes = std::vector<LaneBits>(row.nodes.size(), LaneBits(inputs_.size())),
                   .results = LaneBits(inputs_.size())};
  for (NodeId id = 0; id < row.nodes.size(); ++id) {
    const Node& node = row.nodes[id];
    if (id == given.node) {
      values.nodes[id] = given.values;
    } else if (node.kind == NodeKind::Constant) {
      std::ranges::fill(values.nodes[id], node.bits);
    } else if (node.kind == NodeKind::Load) {
      if (node.offset != 0)
        return refuse("a row loads from another place than it stores to",
                      "leave --max-ulp out for this kernel", 0);
      load(row, id, values);
    } else if (node.op == Op::SFPCOMPC) {
      complement(row, id, values);
    } else {
      if (auto done = compute(row, id, values); !done) return Unexpected(done.error());
      choose(row, id, values);
    }
  }
  store(row, values);
  return values;
}

void RowEvaluator::load(const RowGraph& row, NodeId id, RowValues& values) {
  for (std::size_t first = 0; first < inputs_.size(); first += tensors::kTileElements) {
    const std::size_t count = std::min<std::size_t>(tensors::kTileElements, inputs_.size() - first);
    LaneBits lanes(inputs_.begin() + static_cast<std::ptrdiff_t>(first),
                   inputs_.begin() + static_cast<std::ptrdiff_t>(first + count));
    lanes.resize(tensors::kTileElements);
    tensors::load_cells(state_.dst, format_, 0, cells_of(lanes), state_.config.dst16_view());
    for (unsigned group = 0; group < kGroupsOfTile; ++group) {
      access(state_, row.arch, load_word(row.arch, 0, row.nodes[id].mode, 0, address_of(group)));
      std::copy_n(state_.vector.lreg[0], kLanes, lanes.data() + std::size_t{group} * kLanes);
    }
    std::copy_n(lanes.begin(), count,
                values.nodes[id].begin() + static_cast<std::ptrdiff_t>(first));
  }
}

Expected<void> RowEvaluator::compute(const RowGraph& row, NodeId id, RowValues& values) {
  const Node& node = row.nodes[id];
  const Places places = places_of(node);
  const auto op = decode_micro_op(
      row.arch, issued_word(row.arch, node, Encoding::Plain, places.registers, places.tied), 0);
  if (!op) return Unexpected(op.error());
  const std::size_t operands = own_operands(node);
  for (std::size_t first = 0; first < inputs_.size(); first += kLanes) {
    const std::size_t count = std::min<std::size_t>(kLanes, inputs_.size() - first);
    const auto at = static_cast<std::ptrdiff_t>(first);
    for (std::size_t k = 0; k < operands; ++k)
      std::copy_n(values.nodes[node.operands[k]].begin() + at, count, state_.vector.lreg[k]);
    state_.vector.flags = kAllLanes;
    execute(state_, std::span(&*op, 1));
    if (node.kind == NodeKind::Condition) {
      for (std::size_t lane = 0; lane < count; ++lane)
        values.nodes[id][first + lane] = state_.vector.flags >> lane & 1;
    } else {
      std::copy_n(state_.vector.lreg[places.registers.result], count,
                  values.nodes[id].begin() + at);
    }
  }
  state_.vector.flags = kAllLanes;
  return {};
}

void RowEvaluator::choose(const RowGraph& row, NodeId id, RowValues& values) const {
  const Node& node = row.nodes[id];
  if (node.conditions == 0) return;
  const LaneBits& kept = values.nodes[kept_operand(node)];
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const bool holds = std::all_of(node.operands.end() - node.conditions, node.operands.end(),
                                   [&](NodeId each) { return values.nodes[each][i] != 0; });
    if (!holds) values.nodes[id][i] = kept[i];
  }
}

void RowEvaluator::complement(const RowGraph& row, NodeId id, RowValues& values) const {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    values.nodes[id][i] =
        std::ranges::all_of(row.nodes[id].operands,
                            [&](NodeId each) { return values.nodes[each][i] != 0; })
            ? 0
            : 1;
  }
}

void RowEvaluator::store(const RowGraph& row, RowValues& values) {
  const LaneBits& stored = values.nodes.back();
  Cells cells{};
  for (std::size_t first = 0; first < inputs_.size(); first += tensors::kTileElements) {
    for (unsigned group = 0; group < kGroupsOfTile; ++group) {
      const std::size_t begin = first + std::size_t{group} * kLanes;
      if (begin >= inputs_.size()) break;
      std::copy_n(stored.begin() + static_cast<std::ptrdiff_t>(begin),
                  std::min<std::size_t>(kLanes, inputs_.size() - begin), state_.vector.lreg[0]);
      access(state_, row.arch, store_word(row.arch, 0, row.store_mode, 0, address_of(group)));
    }
    tensors::read_cells(state_.dst, output_format_, 0, cells, state_.config.dst16_view());
    for (std::size_t i = first; i < std::min(inputs_.size(), first + cells.size()); ++i) {
      const auto lane = static_cast<unsigned>(i - first);
      values.results[i] = cells[cell_of(lane / kLanes, lane % kLanes)];
    }
  }
}

} // namespace lanewise::tune
