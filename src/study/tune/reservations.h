// Which cycles of an interval are taken, while operations are placed (study/tune/place.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "study/tune/model.h"

namespace lanewise::tune {

/// What the units and the front end do in each cycle of the interval.
class Reservations {
 public:
  explicit Reservations(unsigned interval)
      : interval_(interval),
        issue_(interval),
        simple_(interval),
        mad_(interval),
        round_(interval),
        store_(interval) {
    for (unsigned time = 0; time < slots_.size(); ++time)
      slots_[time] = static_cast<std::uint8_t>(time % interval);
  }

  bool issue_is_free(unsigned time, unsigned busy) const {
    if (busy > interval_) return false;
    for (unsigned i = 0; i < busy; ++i) {
      if (issue_[slot(time + i)]) return false;
    }
    return true;
  }
  void set_issue(unsigned time, unsigned busy, bool taken) {
    for (unsigned i = 0; i < busy; ++i) issue_[slot(time + i)] = taken;
  }

  bool unit_is_free(const Operation& operation, unsigned time, bool hidden) const {
    const unsigned at = slot(time);
    if (operation.alone) return is_idle(at);
    switch (operation.unit) {
      case Unit::Load:
      case Unit::Immediate: return true;
      case Unit::Store: return !store_[at];
      case Unit::Mad: return mad_[at] == State::Idle;
      case Unit::Round: return round_[at] == State::Idle && port_is_free(simple_[at], hidden);
      case Unit::Simple: return simple_is_free(operation, time, hidden);
    }
    return false;
  }

  void set_unit(const Operation& operation, unsigned time, bool hidden, bool taken) {
    const unsigned at = slot(time);
    if (operation.alone) return set_alone(at, taken);
    const State result = !taken ? State::Idle : hidden ? State::Hidden : State::Works;
    switch (operation.unit) {
      case Unit::Load:
      case Unit::Immediate: return;
      case Unit::Store: store_[at] = taken; return;
      case Unit::Mad: mad_[at] = result; return;
      case Unit::Round: round_[at] = result; return;
      case Unit::Simple:
        simple_[at] = result;
        if (operation.blocks_mad) mad_[at] = taken ? State::Blocked : State::Idle;
        if (operation.busy < 2) return;
        simple_[slot(time + 1)] = taken ? State::Blocked : State::Idle;
    }
  }

 private:
  enum class State : std::uint8_t { Idle, Works, Hidden, Blocked };

  unsigned slot(unsigned time) const {
    return time < slots_.size() ? slots_[time] : time % interval_;
  }

  bool is_idle(unsigned at) const {
    return simple_[at] == State::Idle && mad_[at] == State::Idle && round_[at] == State::Idle &&
           !store_[at];
  }
  void set_alone(unsigned at, bool taken) {
    simple_[at] = mad_[at] = round_[at] = taken ? State::Blocked : State::Idle;
    store_[at] = taken;
  }

  /// Simple and Round share the way to the registers, unless exactly one writes LReg[16] (VU 5.5).
  static bool port_is_free(State other, bool hidden) {
    switch (other) {
      case State::Idle: return true;
      case State::Works: return hidden;
      case State::Hidden: return !hidden;
      case State::Blocked: return false;
    }
    return false;
  }

  bool simple_is_free(const Operation& operation, unsigned time, bool hidden) const {
    const unsigned at = slot(time);
    if (simple_[at] != State::Idle || !port_is_free(round_[at], hidden)) return false;
    if (operation.blocks_mad && mad_[at] != State::Idle) return false;
    if (operation.busy < 2) return true;
    const unsigned next = slot(time + 1);
    return next != at && simple_[next] == State::Idle && round_[next] == State::Idle;
  }

  unsigned interval_;
  std::array<std::uint8_t, 128> slots_; ///< of the first times: the search asks for little else
  std::vector<char> issue_;
  std::vector<State> simple_, mad_, round_;
  std::vector<char> store_;
};

} // namespace lanewise::tune
