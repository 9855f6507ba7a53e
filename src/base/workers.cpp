#include "base/workers.h"

#include <algorithm>

namespace lanewise {

namespace {

unsigned count_of(unsigned threads) {
  return threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

} // namespace

Workers::Workers(unsigned threads) : barrier_(count_of(threads)) {
  for (unsigned i = 1; i < count_of(threads); ++i)
    threads_.emplace_back([this] {
      for (;;) {
        barrier_.arrive_and_wait(); // there is work
        if (part_ == nullptr) return;
        take_parts();
        barrier_.arrive_and_wait(); // all of it is done
      }
    });
}

Workers::~Workers() {
  part_ = nullptr;
  barrier_.arrive_and_wait();
}

void Workers::run(std::size_t parts, const std::function<void(std::size_t)>& part) {
  if (threads_.empty() || parts < 2) {
    for (std::size_t i = 0; i < parts; ++i) part(i);
    return;
  }
  part_ = &part;
  parts_ = parts;
  next_ = 0;
  barrier_.arrive_and_wait();
  take_parts();
  barrier_.arrive_and_wait();
}

void Workers::take_parts() {
  for (std::size_t i = next_++; i < parts_; i = next_++) (*part_)(i);
}

} // namespace lanewise
