// What keeps later accesses behind one load, on every path from its last execution.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "binary/paths/code_graph.h"
#include "binary/paths/memory_steps.h"
#include "binary/paths/ordering.h"
#include "binary/paths/register_values.h"
#include "chip/isa/arch.h"

namespace lanewise::paths {

/// A function, or one that differs from it in a branch that has become a select.
struct OrderModel {
  std::vector<Step> steps;
  const std::vector<Block>& blocks;
  graph::Graph graph;
};

/// What accesses go to.
class AccessPlaces {
 public:
  AccessPlaces(const OrderModel& model, Arch arch);

  bool is_device(std::uint32_t word) const { return is_device_[word]; }
  bool pushes(std::uint32_t word) const { return pushes_[word]; }
  /// Both have known addresses and share a byte.
  bool overlap(std::uint32_t one, std::uint32_t other) const;

  const RegisterValues& values() const { return values_; }

 private:
  const OrderModel& model_;
  RegisterValues values_;
  std::vector<bool> is_device_, pushes_;
};

class LoadOrders {
 public:
  /// All arguments must outlive this.
  LoadOrders(const OrderModel& model, const AccessPlaces& places, std::uint32_t load);

  /// Of a store that some path from the load leads to.
  OrderSet orders_of(std::uint32_t store) const;

 private:
  /// What holds behind the load on every path to a place.
  struct Known {
    RegisterSet dependent = 0;          ///< registers with values that depend on the load
    RegisterSet same_base = 0;          ///< with the value that the load's address register had
    OrderSet memory = {}, devices = {}; ///< what orders all stores from here on
    bool annotated = false;             ///< an AMO with aq or rl stays behind the load, or is it
  };

  Known after_load() const;
  void pass(std::uint32_t word, Known& known) const;
  void pass_fence(const Step& step, Known& known) const;
  void pass_atomic(std::uint32_t word, Known& known) const;
  void pass_registers(const Step& step, Known& known) const;
  bool same_address(std::uint32_t store, const Known& known) const;
  OrderSet orders_at(std::uint32_t store, const Known& known) const;
  static bool join(Known& into, const Known& from);
  graph::Graph graph_behind_load() const;

  const OrderModel& model_;
  const AccessPlaces& places_;
  std::uint32_t load_;
  graph::Node block_ = 0;                    ///< of the load
  std::vector<std::optional<Known>> states_; ///< at the beginning of blocks
};

/// The block of a word.
graph::Node block_with(const std::vector<Block>& blocks, std::uint32_t word);

} // namespace lanewise::paths
