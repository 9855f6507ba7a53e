// Processor time: other work on the machine does not count.
#pragma once

#include <ctime>

namespace lanewise::bench {

/// Of this thread, in seconds.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// How long `work` takes, in seconds, on average over so many; everything is in the caches.
template <class Work>
double seconds_of(double duration, Work&& work) {
  // The clock is asked now and then only, since it costs as much as a short loop.
  constexpr int kMostAtOnce = 64;
  work();
  double runs = 0, passed = 0;
  int at_once = 1;
  const double begin = cpu_seconds();
  while (passed < duration) {
    for (int i = 0; i < at_once; ++i) work();
    runs += at_once;
    passed = cpu_seconds() - begin;
    if (at_once < kMostAtOnce) at_once *= 2;
  }
  return passed / runs;
}

} // namespace lanewise::bench
