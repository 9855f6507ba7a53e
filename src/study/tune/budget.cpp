#include "study/tune/budget.h"

#include <sys/resource.h>

#include <algorithm>

namespace lanewise::tune {

namespace {

double seconds_of(int who) {
  rusage used{};
  getrusage(who, &used);
  const auto seconds = [](const timeval& time) {
    constexpr double kMicro = 1e-6;
    return static_cast<double>(time.tv_sec) + kMicro * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

} // namespace

double processor_seconds() {
  return seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN);
}

Budget::Budget(double seconds) : seconds_(seconds), start_(processor_seconds()) {}

bool Budget::is_used(double share) const {
  return seconds_ > 0 && processor_seconds() - start_ >= share * seconds_;
}

double Budget::left() const {
  return seconds_ == 0 ? 0 : std::max(0.0, start_ + seconds_ - processor_seconds());
}

} // namespace lanewise::tune
