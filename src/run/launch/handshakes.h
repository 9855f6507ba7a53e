// Semaphores between cores that kernels do not have, to try what they would change: behind what a
// line does, a core raises a word of other cores, and before what another line does, a core waits
// until its own was raised as often as it has come there.
//
// What a core does between two times that others may hear of it is one turn of a line, however many
// loads or stores the line makes in it; what a line asks of the NoC is a turn each time.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "chip/noc/noc.h"
#include "run/launch/mend.h"

namespace lanewise::launch {

class Handshakes {
 public:
  /// `mends`: those of kinds Raise and Await of this core count; they must live as long, as must
  /// the NoC. `own`: the core's tile, by noc::core_number().
  Handshakes(unsigned core, unsigned own, const std::vector<Mend>& mends, noc::Noc& noc);

  /// Whether there are none.
  bool are_none() const { return raises_.empty() && awaits_.empty(); }

  /// The core is about to load or store at a line, or to ask the NoC for something there. True: it
  /// has to wait for words().
  bool come_to(std::uint32_t line);
  /// A word and what it has to be.
  struct Awaited {
    std::uint64_t word = 0;
    std::uint32_t least = 0, line = 0;
  };
  std::span<const Awaited> words() const { return words_; }
  /// They are.
  void go_on() { words_.clear(); }

  /// Others may hear now of what the core has done: it raises what it owes, and what it does next
  /// is another turn.
  void end_turn();
  /// Whether the core is still at a line behind which it raises words.
  bool is_at(std::uint32_t line) const;
  /// It waits until words that it has raised are raised.
  bool is_raising() const { return !open_.empty(); }
  /// True: one of these is.
  bool see(const noc::NocEvent& event);

 private:
  struct Raise {
    const Mend* mend;
    bool is_due = false;
  };
  struct Await {
    const Mend* mend;
    std::uint32_t turns = 0; ///< in which the core has come there
    std::uint64_t last_turn = ~std::uint64_t{0};
  };

  unsigned core_, own_;
  noc::Noc& noc_;
  std::vector<Raise> raises_;
  std::vector<Await> awaits_;
  std::vector<Awaited> words_;
  std::uint64_t turn_ = 0;
  std::set<std::uint64_t> open_; ///< transactions, by number
};

} // namespace lanewise::launch
