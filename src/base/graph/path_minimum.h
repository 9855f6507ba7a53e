// Three ways to answer the one question that finding dominators asks again and again: on the path
// of the spanning tree that leads down to v, which node below the limit has the lowest
// semidominator? (docs/flow.md)
//
// All nodes are numbers of a depth-first search. `link(w, sdom)` says that the semidominator of w
// is known; the nodes are linked from the last one down, and a question has as limit the node that
// is linked next. So exactly the nodes above the limit (w > limit) are linked.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/graph/graph.h"

namespace lanewise::graph {

/// A node with its semidominator, both as numbers.
struct Semidominator {
  Node sdom, node;
};

inline const Semidominator& lower(const Semidominator& a, const Semidominator& b) {
  return b.sdom < a.sdom ? b : a;
}

/// Strategy::Walk: up the tree, every time.
class WalkedPaths {
 public:
  explicit WalkedPaths(std::span<const Node> parent) : parent_(parent), steps_(parent.size()) {}

  void link(Node w, Node sdom) { steps_[w] = {parent_[w], sdom}; }

  Semidominator lowest(Node v, Node limit) const {
    Semidominator found{steps_[v].sdom, v};
    for (Node u = steps_[v].parent; u > limit; u = steps_[u].parent)
      found = lower(found, {steps_[u].sdom, u});
    return found;
  }

 private:
  struct Step {
    Node parent, sdom;
  };
  std::span<const Node> parent_;
  std::vector<Step> steps_;
};

/// Strategy::Compress: what a walk has found is kept, so that the next one skips the nodes between.
class CompressedPaths {
 public:
  explicit CompressedPaths(std::span<const Node> parent) : parent_(parent), steps_(parent.size()) {}

  void link(Node w, Node sdom) { steps_[w] = {parent_[w], {sdom, w}}; }

  Semidominator lowest(Node v, Node limit) {
    for (; goes_on(v, limit); v = steps_[v].ancestor) walked_.push_back(v);
    const Node ancestor = steps_[v].ancestor;
    Semidominator found = steps_[v].lowest;
    for (; !walked_.empty(); walked_.pop_back()) {
      Step& step = steps_[walked_.back()];
      found = lower(step.lowest, found);
      step = {ancestor, found};
    }
    return found;
  }

  /// How many nodes lowest(v, limit) would look at now.
  Node length(Node v, Node limit) const {
    Node nodes = 1;
    for (; goes_on(v, limit); v = steps_[v].ancestor) ++nodes;
    return nodes;
  }

 private:
  /// From a node up to an ancestor: the lowest below the ancestor.
  struct Step {
    Node ancestor;
    Semidominator lowest;
  };

  /// Nothing is lower than the entry: where that is found, no other step need be made.
  bool goes_on(Node v, Node limit) const {
    return steps_[v].ancestor > limit && steps_[v].lowest.sdom != 0;
  }

  std::span<const Node> parent_;
  std::vector<Step> steps_;
  std::vector<Node> walked_; ///< empty between questions
};

/// Strategy::Balance: Lengauer and Tarjan's second version. The linked part of the tree is held as
/// chains of other, flat trees, which answer the same questions. The trees of a chain have falling
/// sizes, and the lowest of a tree holds for all trees that hang below it in the chain.
class BalancedPaths {
 public:
  explicit BalancedPaths(std::span<const Node> parent)
      : none_(static_cast<Node>(parent.size())), parent_(parent), trees_(parent.size() + 1) {
    for (Node v = 0; v < none_; ++v) trees_[v] = {none_, none_, 1, {v, v}};
    trees_[none_] = {none_, none_, 0, {0, none_}};
  }

  void link(Node w, Node sdom) {
    trees_[w].lowest = {sdom, w};
    Node root = join_smaller(w);
    Tree& above = trees_[parent_[w]];
    above.size += trees_[w].size;
    if (above.size < 2 * trees_[w].size) std::swap(root, above.below);
    for (; root != none_; root = trees_[root].below) trees_[root].ancestor = parent_[w];
  }

  Semidominator lowest(Node v, Node /*limit*/) {
    if (trees_[v].ancestor == none_) return trees_[v].lowest;
    compress(v);
    return lower(trees_[v].lowest, trees_[trees_[v].ancestor].lowest);
  }

  /// How many nodes are above v in its tree.
  Node depth(Node v) const {
    Node nodes = 0;
    for (; trees_[v].ancestor != none_; v = trees_[v].ancestor) ++nodes;
    return nodes;
  }

 private:
  struct Tree {
    Node ancestor; ///< towards the root, or none_ at the root
    Node below;    ///< of a root: that of the next tree in its chain
    Node size;     ///< of a root: nodes from here to the end of the chain
    Semidominator lowest;
  };

  /// Takes the trees into the root of w's chain that its semidominator undercuts. The new root.
  Node join_smaller(Node w) {
    const Semidominator lowest = trees_[w].lowest;
    Node root = w;
    for (Node below = trees_[root].below; lowest.sdom < trees_[below].lowest.sdom;
         below = trees_[root].below) {
      const Node last = trees_[below].below;
      if (trees_[root].size + trees_[last].size >= 2 * trees_[below].size) {
        trees_[below].ancestor = root;
        trees_[root].below = last;
      } else {
        trees_[below].size = trees_[root].size;
        trees_[root].ancestor = below;
        root = below;
      }
    }
    trees_[root].lowest = lowest;
    return root;
  }

  /// Hangs v, and what is above it, directly below the root.
  void compress(Node v) {
    for (; trees_[trees_[v].ancestor].ancestor != none_; v = trees_[v].ancestor)
      walked_.push_back(v);
    for (const Node root = trees_[v].ancestor; !walked_.empty(); walked_.pop_back()) {
      Tree& tree = trees_[walked_.back()];
      tree.lowest = lower(tree.lowest, trees_[v].lowest);
      tree.ancestor = root;
      v = walked_.back();
    }
  }

  Node none_;
  std::span<const Node> parent_;
  std::vector<Tree> trees_;
  std::vector<Node> walked_; ///< empty between questions
};

} // namespace lanewise::graph
