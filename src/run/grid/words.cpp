#include "run/grid/words.h"

#include <algorithm>
#include <map>

namespace lanewise::grid {

namespace {

constexpr std::size_t kMostRaises = 64, kMostExact = 16;

void learn(VectorTime& time, const Word::Raise& raise) {
  raise.stamp.join_into(time);
  time.raise(raise.way, raise.way_time);
}
void learn(Walker& who, const Word::Raise& raise) {
  who.hear(raise.stamp);
  who.raise(raise.way, raise.way_time);
}

/// Who adds 2^32 - 1 takes one off.
std::int64_t amount_of(const Word::Raise& raise) {
  return static_cast<std::int32_t>(raise.by);
}

} // namespace

/// The oldest ones are known to everybody who looks from now on.
void Word::settle(std::size_t how_many) {
  for (std::size_t i = 0; i < how_many; ++i) learn(time_, raises_[i]);
  raises_.erase(raises_.begin(), raises_.begin() + static_cast<std::ptrdiff_t>(how_many));
}

void Word::store(const Stamp& stamp) {
  settle(raises_.size());
  stamp.join_into(time_);
  exact_.clear(); // what comes now is lost or not, which is another finding
}

void Word::set(const Raise& raise) {
  settle(raises_.size());
  learn(time_, raise);
}

void Word::add(const Raise& raise) {
  if (raises_.size() == kMostRaises) settle(kMostRaises / 2);
  raises_.push_back(raise);
}

void Word::await_exactly(const ExactWait& wait) {
  std::erase_if(exact_, [&](const ExactWait& each) { return each.look.asker == wait.look.asker; });
  if (exact_.size() < kMostExact) exact_.push_back(wait);
}

void Word::join(const Word& other) {
  time_.join(other.time_);
  for (const Raise& raise : other.raises_) learn(time_, raise);
}

void Word::tell(Walker& who) const {
  who.hear(time_);
  for (const Raise& raise : raises_) learn(who, raise);
}

void Word::tell(Walker& who, std::uint32_t value, std::uint32_t least) const {
  std::int64_t sum = 0;
  std::map<Counter, std::int64_t> of_asker;
  for (const Raise& raise : raises_) {
    sum += amount_of(raise);
    of_asker[raise.stamp.own] += amount_of(raise);
  }
  // Without these it would be `value` - `sum`.
  const std::int64_t needed = std::int64_t{least} - (std::int64_t{value} - sum);
  if (std::int64_t{value} < sum || least > value) return tell(who);
  std::map<Counter, std::int64_t> still;
  for (const auto& [asker, amount] : of_asker) still[asker] = needed - (sum - amount);
  who.hear(time_);
  for (const Raise& raise : raises_) {
    std::int64_t& lacking = still[raise.stamp.own];
    if (lacking <= 0) continue;
    learn(who, raise);
    lacking -= amount_of(raise);
  }
}

} // namespace lanewise::grid
