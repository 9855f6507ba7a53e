// Vector clocks: what somebody knows to be over, as a count of each of those who count something:
// a core's own steps, what it has asked of a NoC that is answered, what has come by one way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace lanewise::grid {

/// One of those who count. 0: nobody.
using Counter = std::uint32_t;

class VectorTime {
 public:
  std::uint32_t of(Counter counter) const { return counter < at_.size() ? at_[counter] : 0; }

  void raise(Counter counter, std::uint32_t to) {
    if (counter == 0) return;
    if (counter >= at_.size()) at_.resize(counter + 1);
    at_[counter] = std::max(at_[counter], to);
  }

  void join(const VectorTime& other) {
    if (other.at_.size() > at_.size()) at_.resize(other.at_.size());
    for (std::size_t i = 0; i < other.at_.size(); ++i) at_[i] = std::max(at_[i], other.at_[i]);
  }

 private:
  std::vector<std::uint32_t> at_;
};

/// What a core knows at one of its steps: that it has come so far, and what it has heard of others.
struct Stamp {
  std::shared_ptr<const VectorTime> heard;
  Counter own = 0;
  std::uint32_t step = 0;

  bool knows(Counter counter, std::uint32_t time) const {
    return counter != 0 && ((counter == own && step >= time) || heard->of(counter) >= time);
  }
  void join_into(VectorTime& time) const {
    time.join(*heard);
    time.raise(own, step);
  }
};

/// Somebody who goes step by step.
class Walker {
 public:
  explicit Walker(Counter own = 0) : own_(own) {}

  Stamp now() const { return {time_, own_, step_}; }
  /// What is told to others from now on, none of them hears of what comes behind it.
  Stamp tell() { return {time_, own_, step_++}; }

  void hear(const Stamp& stamp) {
    if (stamp.heard.get() == time_.get()) return changed().raise(stamp.own, stamp.step);
    stamp.join_into(changed());
  }
  void hear(const VectorTime& time) { changed().join(time); }
  void raise(Counter counter, std::uint32_t to) {
    if (time_->of(counter) < to) changed().raise(counter, to);
  }

 private:
  /// Stamps keep what they were made of.
  VectorTime& changed() {
    if (time_.use_count() > 1) time_ = std::make_shared<VectorTime>(*time_);
    return *time_;
  }

  Counter own_;
  std::uint32_t step_ = 1;
  std::shared_ptr<VectorTime> time_ = std::make_shared<VectorTime>();
};

} // namespace lanewise::grid
