// The intermediate representation: what a kernel did, in order, on values without number.
//
// Recording a kernel leaves a straight line of nodes, since all scalar control flow has run on the
// host. A value is named by the number of its node and never changes; a variable that is assigned
// under a predicate has a new value (Assign) that takes its disabled lanes from the old one.
// docs/ir.md describes the text form.
//
// Every node runs under the predicate of its place in the line: in lanes that are not enabled there
// its value is undefined (a kernel that lets such a lane reach Dst is wrong), and an effect on Dst
// or on an LReg leaves those lanes alone. Assign is what gives a value more lanes.
// Each kind is described in source/sfpi/include/lanewise_recorder.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "chip/isa/row.h"
#include "source/compiler/epoch.h"
#include "source/sfpi/include/lanewise_recorder.h"

namespace lanewise::compiler {

using Kind = LanewiseKind;
using Relation = LanewiseRelation;
using NumberType = LanewiseType;

/// The number of a node.
using Value = std::uint32_t;
inline constexpr Value kNone = kLanewiseNone;

/// A place in a source file, innermost call first.
struct Frame {
  std::string file;
  std::string function;
  std::uint32_t line = 0;

  friend bool operator==(const Frame&, const Frame&) = default;
};

/// The calls that led to an operation, the innermost first, without the frames of sfpi.h itself.
struct Site {
  std::vector<Frame> frames;
  /// Place of the innermost frame, and what it is there for (base/source_line.h); 0 if unknown.
  std::uint32_t line = 0;

  friend bool operator==(const Site&, const Site&) = default;
};

/// Places of the operands of an Instruction node.
inline constexpr unsigned kVa = 0, kVb = 1, kVc = 2, kVd = 3;

struct Node : lanewise_node {
  std::uint32_t context = 0; ///< predicate context, see Recording::contexts
  std::uint32_t site = 0;    ///< index into Recording::sites
  bool dead = false;         ///< removed by a pass; its number stays

  Node() = default;
  Node(const lanewise_node& node, std::uint32_t in_context, std::uint32_t at_site)
      : lanewise_node(node), context(in_context), site(at_site) {}
};

/// A stretch of the line with the same enabled lanes. Context 0 is the kernel's own, all lanes.
struct Context {
  std::uint32_t parent = 0; ///< the context whose lanes include this one's; 0's is 0
  std::uint32_t depth = 0;  ///< distance from context 0
};

/// What a kernel did.
struct Recording {
  Arch arch = kDefaultArch;
  int epoch =
      kNewestEpoch; ///< the release of SFPI whose compiler it is for (source/compiler/epoch.h)
  std::string name; ///< the kernel's file
  bool is_shipped = false; ///< a header of LLK or tt-metal, with what the library does around it
  std::vector<Node> nodes; ///< in order of execution
  std::vector<Context> contexts{Context{}};
  std::vector<Site> sites{Site{}};
  std::vector<std::string> texts;
};

/// Whether the lanes of `context` are all enabled in `other` too.
bool is_within(const Recording& recording, std::uint32_t context, std::uint32_t other);

/// The opcode of an Instruction node as an isa::Op; NOP where the chip has no such opcode.
isa::Op operation(const Recording& recording, const Node& node);

/// Whether the node's number can be an operand as a vector.
bool is_value(Kind kind);
/// Whether the node's number can be an operand as a condition.
bool is_condition(Kind kind);

/// The IR as text, one line per node: number, operation, operands, source line (docs/ir.md).
std::string to_text(const Recording& recording);

} // namespace lanewise::compiler
