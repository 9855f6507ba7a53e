// Faults in the order in which they came, each once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/fault.h"

namespace lanewise {

/// What one more fault costs does not depend on how many there are.
class FaultList {
 public:
  /// Beyond `most` of them, no more are taken.
  explicit FaultList(std::size_t most = std::numeric_limits<std::size_t>::max()) : most_(most) {}

  /// Takes a fault that is not there yet.
  void add(Fault fault);
  void add(std::vector<Fault> faults);
  void clear();
  /// Whether no more are taken: what would be added need not be made.
  bool is_full() const { return faults_.size() >= most_; }

  const std::vector<Fault>& faults() const { return faults_; }
  /// All of them; the list is then empty.
  std::vector<Fault> take();

 private:
  std::size_t most_;
  std::vector<Fault> faults_;
  std::unordered_multimap<std::size_t, std::uint32_t> by_hash_; ///< indices
};

} // namespace lanewise
