// What a core did to its tile, as a list and as a script that can be done again in another order of
// the threads, without the code that the core ran.
//
// A core's code sees the others only by what it loads. So as long as its loads have the answers
// that they had, it does the same; where one has another answer, a script branches. Somebody who
// waits loads the same again and again: such loads are one place of the script, which is left when
// another answer comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "chip/tile/core_action.h"
#include "chip/tile/feeder.h"

namespace lanewise::tile {

struct CoreTrace {
  std::vector<CoreAction> actions;
  bool ended = false; ///< the core has come to its end
};

class CoreScript {
 public:
  /// Where an action stands in the script.
  using Place = std::uint32_t;
  static constexpr Place kEnd = ~0U, ///< the core has ended
      kUnknown = ~0U - 1;            ///< nobody knows what the core does here

  CoreScript() = default;
  explicit CoreScript(const CoreTrace& trace) { add(trace); }

  /// What the core did under another order. False: it did something else though its loads had the
  /// same answers, so that it cannot be described so; the rest is left out.
  bool add(const CoreTrace& trace);

  Place start() const { return start_; }
  /// Precondition: neither kEnd nor kUnknown.
  const CoreAction& action(Place place) const { return nodes_[place].action; }
  std::size_t size() const { return nodes_.size(); }

  /// Behind an action that is no load.
  Place behind(Place place) const;
  /// Behind a load that has this answer; `place` itself where the core only looks again.
  Place behind(Place place, std::uint32_t answer) const;

  /// A script in which these actions come before or behind those at some places.
  CoreScript with(const std::vector<Place>& places, const std::vector<CoreAction>& added,
                  bool behind) const;

  /// Places of pushes and stores that stand in the same line and do the same.
  std::vector<Place> same_as(Place place) const;

 private:
  struct Node {
    CoreAction action;
    std::vector<std::pair<std::uint32_t, Place>> next; ///< by the answer; 0 of what is no load
    std::vector<std::uint32_t> spins;                  ///< answers after which it loads again
  };
  struct Link {
    Place node = kUnknown; ///< kUnknown: the start
    std::uint32_t answer = 0;
  };

  Place follow(const Link& link) const;
  void set(const Link& link, Place place);
  Place place_for(const Link& link, const CoreAction& action);

  std::vector<Node> nodes_;
  Place start_ = kUnknown;
};

/// Whether an answer depends on how often somebody asks: the wall clock's, which is no time of the
/// chip's. Any answer is as good as the one that is known.
bool is_clock(std::uint32_t address);

/// A core that follows a script.
class ScriptFeeder final : public Feeder {
 public:
  /// The script must live as long.
  ScriptFeeder(const CoreScript& script, unsigned core) : script_(script), core_(core) {}

  Expected<FeederStep> step(Tile& tile) override;
  std::string waits_for() const override;

  /// Whether it came to where the script does not go on; the last step failed then.
  bool is_lost() const { return is_lost_; }

  /// For each instruction that the thread has got, in order: which action has pushed it.
  const std::vector<CoreScript::Place>& pushed_by() const { return pushed_by_; }
  /// For each action that counts (Thread::actions), where it stands.
  const std::vector<CoreScript::Place>& done() const { return done_; }

 private:
  Expected<FeederStep> act(Tile& tile);
  Expected<FeederStep> load(Tile& tile, const CoreAction& action);
  FeederStep went(CoreScript::Place next);
  FeederStep waits(std::string reason);
  Unexpected lost();

  const CoreScript& script_;
  unsigned core_;
  CoreScript::Place place_ = CoreScript::kUnknown;
  bool started_ = false, is_lost_ = false;
  std::string reason_;
  std::vector<CoreScript::Place> pushed_by_, done_;
};

} // namespace lanewise::tile
