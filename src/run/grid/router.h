// Carries out what cores ask of each other and of DRAM: the one who sees all memories.
//
// Cores run side by side, each on its own L1, until each of them has posted what has left it: once
// it cannot go on, or after so many turns. Then everything is carried out in an order that depends
// on nothing but the program and the seed, and the cores go on. So the same happens however many of
// them the machine runs at a time, and however fast.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <span>
#include <vector>

#include "chip/tile/run.h"
#include "run/grid/post.h"
#include "run/grid/races.h"
#include "source/programs/cores.h"

namespace lanewise::grid {

/// What the router can reach.
struct AllMemories {
  std::map<unsigned, std::span<std::uint8_t>> l1; ///< by noc::core_number()
  std::vector<std::span<std::uint8_t>> banks;     ///< of DRAM
};

class Router {
 public:
  /// `cores`: those that have posts, in that order; `jobs`: so many run at a time.
  Router(const Posts& posts, const std::vector<programs::Core>& cores, AllMemories memories,
         const tile::ScheduleChoice& order, unsigned jobs);

  struct Watch {
    std::function<bool(std::size_t)> has_ended; ///< the process of a core
    std::function<bool()> is_watched;           ///< false: nobody will tell of their ends any more
  };
  /// Who is told what cores note and what has landed.
  void tell(Races& races) { races_ = &races; }

  /// Until all processes have ended.
  void run(const Watch& watch);

  /// How often cores have met.
  std::uint64_t epochs() const { return epochs_; }
  /// Cores whose posts held what no core asks for.
  const std::vector<std::size_t>& broken() const { return broken_; }

 private:
  enum class State : std::uint8_t { Runs, HasPosted, Sleeps, HasEnded };
  struct Pending {
    noc::Transaction transaction;
    unsigned rests = 0; ///< epochs for which it is held back
  };
  struct Core {
    unsigned number = 0; ///< noc::core_number()
    State state = State::Runs;
    bool is_stuck = false;
    std::deque<Pending> pending;
    std::deque<Answer> answers;
    std::deque<Arrival> arrivals;
  };

  bool gather(const Watch& watch);
  bool read_notes(std::size_t core);
  void read_post(std::size_t core);
  bool is_late(const noc::Transaction& transaction);
  void carry_out_all();
  std::size_t choose(const Core& core);
  bool may_go(const Core& core, std::size_t index) const;
  bool carry_out(std::size_t core, const noc::Transaction& transaction);
  std::span<std::uint8_t> bytes_at(std::size_t core, const noc::Location& location,
                                   std::uint64_t bytes) const;
  void write(unsigned number, std::uint64_t address, std::uint64_t bytes);
  void wake(std::size_t core, Verdict verdict);
  bool wake_who_has_news();
  void decide();
  void break_off(std::size_t core);

  const Posts& posts_;
  Races* races_ = nullptr;
  std::vector<Core> cores_;
  std::map<unsigned, std::size_t> core_of_number_;
  AllMemories memories_;
  tile::Order order_;
  std::uint64_t seed_;
  std::mt19937_64 random_;
  unsigned jobs_;
  std::vector<std::size_t> running_; ///< until each of them has posted, in the order of the cores
  std::size_t given_ = 0;            ///< so many of them, the first ones, have got their turn
  std::vector<std::size_t> broken_;
  std::uint64_t epochs_ = 0;
};

} // namespace lanewise::grid
