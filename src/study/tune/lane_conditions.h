// Which lanes a predicated row's instructions write: the flags and their stack, as conditions on
// values instead of bits.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "study/tune/row_graph.h"

namespace lanewise::tune {

/// Makes a node, or finds the one that is equal.
using MakeNode = std::function<NodeId(const Node&)>;

/// The conditions under which lanes are enabled: all of them must hold. What SFPPUSHC saves is a
/// place in the list, to which SFPPOPC goes back.
class LaneConditions {
 public:
  bool empty() const { return all_.empty(); }
  const std::vector<NodeId>& all() const { return all_; }

  /// SFPSETCC and the like: only lanes that are enabled stay so.
  void narrow(NodeId condition) { all_.push_back(condition); }
  void push() { saved_.push_back(all_.size()); }
  /// False if nothing was pushed.
  bool pop();
  /// SFPENCC: all lanes. False if something is still saved.
  bool clear();
  /// SFPCOMPC: the lanes that were enabled at the last SFPPUSHC, but for those that are now (VU
  /// C11). False if no lane would be left.
  bool complement(const std::vector<Node>& nodes, const MakeNode& make);

 private:
  std::size_t saved() const { return saved_.empty() ? 0 : saved_.back(); }

  std::vector<NodeId> all_;
  std::vector<std::size_t> saved_; ///< lengths of `all_`
};

/// The condition that holds where another one does not, if one instruction tests it.
std::optional<Node> opposite(const Node& condition);

/// The value that lanes see where all of `conditions` hold: a choice that they decide is none.
NodeId value_under(const std::vector<Node>& nodes, NodeId value,
                   const std::vector<NodeId>& conditions);

} // namespace lanewise::tune
