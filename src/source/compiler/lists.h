// Lists of different lengths, one behind the other: two allocations for all of them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace lanewise::compiler {

template <class Each>
class Lists {
 public:
  /// `visit(add)` calls `add(list, each)` for what is in them, a list's own in its order. It is
  /// called twice and must do the same both times.
  template <class Visit>
  void assign(std::size_t lists, const Visit& visit) {
    begins_.assign(lists + 2, 0);
    visit([&](std::size_t list, const Each&) { ++begins_[list + 2]; });
    for (std::size_t i = 2; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    all_.resize(begins_.back());
    visit([&](std::size_t list, const Each& each) { all_[begins_[list + 1]++] = each; });
  }

  std::size_t size() const { return begins_.empty() ? 0 : begins_.size() - 2; }
  std::span<const Each> operator[](std::size_t list) const {
    return std::span(all_).subspan(begins_[list], begins_[list + 1] - begins_[list]);
  }

 private:
  std::vector<std::size_t> begins_; ///< of each list, and where the last ends, twice
  std::vector<Each> all_;
};

} // namespace lanewise::compiler
