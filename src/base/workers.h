// Threads that take the parts of a piece of work, again and again.
#pragma once

#include <atomic>
#include <barrier>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace lanewise {

class Workers {
 public:
  /// `threads` in all, the caller's own included; 0: as many as the machine has.
  explicit Workers(unsigned threads);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers();

  /// Calls part(i) for each i below `parts`, in any order and side by side, and returns when all
  /// are done. Parts must not throw.
  void run(std::size_t parts, const std::function<void(std::size_t)>& part);

 private:
  void take_parts();

  std::barrier<> barrier_;
  const std::function<void(std::size_t)>* part_ = nullptr; ///< nullptr: it is over
  std::size_t parts_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::vector<std::jthread> threads_;
};

} // namespace lanewise
