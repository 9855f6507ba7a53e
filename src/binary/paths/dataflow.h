// What holds at the beginning of each block, whichever path has led there: forward data-flow
// analysis over the blocks of a graph.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "base/graph/graph.h"

namespace lanewise::paths {

/// States at the beginnings of blocks; nothing for blocks that the entry does not reach.
///
/// `transfer(node, state)` executes a block, and `join(into, from)` adds what another path brings;
/// it returns whether `into` has changed. A state must be able to change only so often.
template <class State, class Transfer, class Join>
std::vector<std::optional<State>> forward(const graph::Graph& graph, State at_entry,
                                          Transfer&& transfer, Join&& join) {
  std::vector<std::optional<State>> states(graph.size());
  std::vector<bool> waits(graph.size(), false);
  std::deque<graph::Node> work{graph.entry()};
  states[graph.entry()] = std::move(at_entry);
  waits[graph.entry()] = true;
  while (!work.empty()) {
    const graph::Node node = work.front();
    work.pop_front();
    waits[node] = false;
    State after = *states[node];
    transfer(node, after);
    for (const graph::Node next : graph.successors(node)) {
      const bool is_new = !states[next].has_value();
      if (is_new) states[next] = after;
      if ((is_new || join(*states[next], after)) && !waits[next]) {
        waits[next] = true;
        work.push_back(next);
      }
    }
  }
  return states;
}

} // namespace lanewise::paths
