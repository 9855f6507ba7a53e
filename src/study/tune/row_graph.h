// A row of 32 lanes as a graph: what a kernel computes for each of them, apart from registers,
// encodings and order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "chip/isa/arch.h"
#include "chip/isa/op.h"

namespace lanewise::tune {

/// The number of a node in its graph.
using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};

enum class NodeKind : std::uint8_t { Load, Constant, Operation, Condition };

/// A value. Operations have one form each, whatever the kernel wrote:
///   SFPMAD       a * b + c, also for SFPADD, SFPMUL, SFPADDI and SFPMULI; `mod`: signs of a and c
///   SFPMUL24     a * b of integers; c is the constant 0
///   SFPSWAP      the larger or the smaller of two
///   SFPSTOCHRND  rounds its one operand
///   SFPLOADI     a constant that each row loads, or the half of one; `immediate`: 16 bits
///   SFPLUT       its input, then the registers of its table, which are constants; SFPLUTFP32, too
///   others       one operand (VC), or two (VC and what VD names as a second source, VU C55)
///
/// A condition is what SFPSETCC, SFPGT or SFPLE test, with their operands; that of SFPCOMPC holds
/// where not all of its operands, which are conditions, do. An operation with `conditions` has
/// behind its own operands the value that lanes keep where they do not all hold, and then the
/// conditions: `v_if (x < 0) y = 1` is an SFPMOV of 1 that keeps y.
struct Node {
  NodeKind kind = NodeKind::Constant;
  std::uint8_t mode = 0;        ///< Load: Mod0
  std::int32_t offset = 0;      ///< Load: Dst address, from that of the row's store
  std::uint32_t bits = 0;       ///< Constant
  isa::Op op = isa::Op::SFPNOP; ///< Operation
  std::uint8_t mod = 0;         ///< Operation: Mod1
  std::uint8_t rounding = 0;    ///< SFPSTOCHRND: RoundingMode
  std::int32_t immediate = 0;   ///< Operation: the immediate's field
  bool maximum = false;         ///< SFPSWAP: the larger one
  std::uint8_t conditions = 0;  ///< how many of the last operands are conditions
  std::vector<NodeId> operands = {};

  friend bool operator==(const Node&, const Node&) = default;
};

/// How many of a node's operands are those of its instruction.
std::size_t own_operands(const Node& node);

bool is_lookup(const Node& node);

/// SFPMAD or SFPMUL24: three operands and a destination of its own, in the MAD sub-unit.
bool is_multiply(const Node& node);

/// Of its own operands, those that any register may hold: all but a look-up table.
std::size_t free_operands(const Node& node);

/// The operand that lanes keep where the conditions do not hold; the node must have conditions.
NodeId kept_operand(const Node& node);

/// Nodes in an order in which operands come first; the last one is stored.
struct RowGraph {
  Arch arch = kDefaultArch;
  std::vector<Node> nodes;
  std::uint8_t store_mode = 0; ///< Mod0 of the store

  friend bool operator==(const RowGraph&, const RowGraph&) = default;
};

bool is_constant(const RowGraph& row, NodeId id);

/// The node that is equal, or a new one at the end.
NodeId find_or_add(RowGraph& row, const Node& node);

/// One line per node.
std::string to_text(const RowGraph& row);

/// Bits of the constants that registers hold without being asked (seed 000, 1.2; VU C1, C2).
inline constexpr std::uint32_t kZeroBits = 0, kOneBits = 0x3F800000U, kMinusOneBits32 = 0xBF800000U,
                               kEightBits = 0x3F56594BU;

/// What SFPLUT and SFPLUTFP32 look up (VU 3.6).
inline constexpr unsigned kLookupInput = 3;

/// What names the indirect destination (VU C15).
inline constexpr unsigned kIndexRegister = 7;

/// What holds -1.0 by SFPI's convention (VU C3).
inline constexpr unsigned kMinusOneRegister = 11;

/// LReg[12..14], which SFPCONFIG fills.
inline bool is_programmable_constant(unsigned lreg) {
  return lreg >= 12 && lreg <= 14;
}

/// The register that always holds a constant, or -1.
int register_of_constant(std::uint32_t bits);

} // namespace lanewise::tune
