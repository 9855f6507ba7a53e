// What is said to mend a program is tried before it is printed: the program runs once more, with
// changes that its kernels do not have (run/launch/mend.h), and what is then no longer found is
// gone.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "run/grid/outcomes.h"
#include "run/grid/races.h"
#include "run/launch/mend.h"

namespace lanewise::grid {

/// " (tried: with it, this is gone)", " (tried: by itself, it is not enough)", or nothing.
std::string_view trial_text(Trial trial);

/// Whether a program has come to its end on all cores.
bool are_done(std::span<const CoreOutcome> cores);

/// What may be tried of what was found on cores, and of races.
class Trials {
 public:
  /// All must live as long.
  Trials(std::span<CoreOutcome> cores, std::span<const std::size_t> group_of, Races& races);

  /// The mends of the next run; nullptr: there is no more to be tried. First all, but of two for
  /// one race one after the other; then each alone that has not helped so.
  const Mends* next();
  /// What has become of the program with the mends of the last next().
  void judge(std::span<const CoreOutcome> tried, const Races& races_tried);
  /// Says behind what was found on cores what became of its mend.
  void say();

 private:
  /// What mends one thing, and what became of it.
  struct Candidate {
    std::vector<GroupMend> mends;
    const launch::Trial* trial = nullptr;
    bool is_second = false; ///< of its race,
    bool has_second = false;
    bool is_barrier = false;
    bool was_alone = false;
  };
  enum class Round : std::uint8_t { Before, Firsts, Seconds, Alone };

  void add_races();
  void add_cores();
  bool is_worth_it() const;
  bool begin(Round round);
  bool begin_alone();
  void take(const Candidate& candidate);
  std::span<CoreOutcome> cores_;
  std::span<const std::size_t> group_of_;
  Races& races_;
  std::vector<Candidate> candidates_;
  Round round_ = Round::Before;
  std::size_t alone_ = 0; ///< runs
  Mends with_;
};

} // namespace lanewise::grid
