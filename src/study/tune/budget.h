// How long the search may work.
#pragma once

namespace lanewise::tune {

/// Seconds of processor time that this process has taken, on all threads, with g++ where it has
/// ended. Waiting does not count, so that a busy machine does not cut a search short.
double processor_seconds();

/// A limit of processor time, from now on.
class Budget {
 public:
  /// 0: no limit.
  explicit Budget(double seconds);
  /// Whether this share of it is used up.
  bool is_used(double share = 1) const;
  /// Seconds that are left; 0 where there is no limit.
  double left() const;

 private:
  double seconds_, start_;
};

} // namespace lanewise::tune
