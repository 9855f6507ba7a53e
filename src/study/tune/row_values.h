// What a row's nodes hold, input by input: each operation is executed on the machine by itself,
// without schedule and registers.
#pragma once

#include <cstdint>
#include <vector>

#include "base/fault.h"
#include "chip/machine/state.h"
#include "study/tune/prove.h"
#include "study/tune/row_graph.h"

namespace lanewise::tune {

/// Of each input, in one order.
using LaneBits = std::vector<std::uint32_t>;

struct RowValues {
  std::vector<LaneBits> nodes; ///< register bits; of a condition 1 where it holds, else 0
  LaneBits results;            ///< value bits of the format of the results
};

/// Other values for a node than those that it would have.
struct GivenValues {
  NodeId node = kNoNode;
  LaneBits values = {};
};

/// Computes rows on all inputs of a format of 16 bits.
class RowEvaluator {
 public:
  /// `plain`: whose configuration rows find. Error: Unsupported for formats of 32 bits and for two
  /// operands; BadInput for a .cfg setting that is wrong.
  static Expected<RowEvaluator> prepare(const Plain& plain, const ProofOptions& options);

  /// Value bits of the format, each pattern once but for those that stand for -0 of integers.
  const LaneBits& inputs() const { return inputs_; }

  /// Error: Unsupported where the row loads from another place than it stores to.
  Expected<RowValues> evaluate(const RowGraph& row, const GivenValues& given = {});

 private:
  RowEvaluator(MachineState state, const ProofOptions& options);

  void load(const RowGraph& row, NodeId id, RowValues& values);
  Expected<void> compute(const RowGraph& row, NodeId id, RowValues& values);
  void choose(const RowGraph& row, NodeId id, RowValues& values) const;
  void complement(const RowGraph& row, NodeId id, RowValues& values) const;
  void store(const RowGraph& row, RowValues& values);

  MachineState state_;
  formats::Format format_, output_format_;
  LaneBits inputs_;
};

} // namespace lanewise::tune
