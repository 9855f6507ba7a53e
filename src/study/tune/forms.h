// The exactly equal encodings of a row's operations, and where its constants are: from a row graph
// to what the placement search takes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "study/tune/equal_graphs.h"
#include "study/tune/model.h"
#include "study/tune/row_graph.h"

namespace lanewise::tune {

/// How a form is written as an instruction.
enum class Encoding : std::uint8_t {
  Plain,     ///< all operands in registers
  Immediate, ///< SFPADDI, SFPMULI or SFPLOADI: one operand in the instruction
};

/// What an operation of the placement stands for.
struct Meaning {
  NodeId node = 0; ///< of the graph; of the store: the value
  bool is_store = false;
  Encoding encoding = Encoding::Plain;
  /// SFPPUSHC, SFPPOPC, SFPCOMPC or SFPENCC around predicated operations; such an operation has no
  /// node.
  isa::Op control = isa::Op::SFPNOP;
  bool is_predicated = false; ///< a condition, or an operation between conditions and SFPENCC
  /// Of each carried form: the operand that is VB (SFPMAD: a factor) where the macro's register is
  /// not; and whether the sequence byte has bit 7 (VU C55).
  std::vector<bool> select = {};
};

/// A row ready to be placed.
struct Formed {
  RowGraph graph;
  Row row;
  MachineModel machine;
  std::vector<Meaning> meanings;               ///< of each operation
  std::map<std::uint32_t, unsigned> constants; ///< bits -> LReg 8..14
  /// LReg[11] holds a constant of the row's own while a tile is computed.
  bool takes_minus_one = false;
  bool is_possible = true; ///< false: conditions that no sequence of instructions tests
  std::vector<std::uint32_t> general_constants; ///< bits of those that take LReg[0..7]
  std::map<unsigned, std::uint32_t> table;      ///< LReg -> bits: what SFPLUT reads
  /// LRegs that values and general constants may have, by their numbers in a placement. With a
  /// table the first one is the input of the look-up.
  std::vector<unsigned> registers = {0, 1, 2, 3, 4, 5, 6, 7};
  std::string description; ///< what is special about it, for reports
};

/// The ways to keep a graph's constants: the first one takes fewest registers.
/// Error: Unsupported where none fits.
Expected<std::vector<Formed>> forms_of(const RowGraph& row, const FormOptions& options);

} // namespace lanewise::tune
