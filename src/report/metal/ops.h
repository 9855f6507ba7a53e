// The operations of a checkout, for people and for programs.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "chip/isa/arch.h"
#include "source/checkouts/op_table.h"

namespace lanewise::report {

class OpList {
 public:
  /// Adds what the checkout has for a chip.
  void add(Arch arch, const checkouts::OpTable& table);

  /// A row per operation: name, operands, parameters with their values, header, chips.
  std::string text() const;
  /// An entry per operation, with the calls of each chip.
  nlohmann::json json() const;

 private:
  struct Entry {
    const checkouts::SfpuOp* op;
    std::map<Arch, checkouts::OpCall> calls; ///< without those that cannot be made
  };
  std::vector<Entry> entries_;
};

} // namespace lanewise::report
