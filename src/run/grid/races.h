// Finds what two cores do to the same bytes without an order: a race, whatever came first in this
// run.
//
// Who knows what is over goes by vector clocks. Those who count are the cores that move data of
// each tile, each by itself, and its compute kernel; what each has asked of a NoC, counted once it
// has left and once it is answered; and what has come from a core by one NoC and channel to
// another. Edges are: circular buffers and words within a tile; a barrier; a word that somebody has
// raised by the NoC and that a core has then looked at, with all that came before it the same way.
// Nothing here knows of processes: cores tell it (launch::Note), and who carries transactions out.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "chip/noc/transaction.h"
#include "run/grid/accesses.h"
#include "run/grid/vector_time.h"
#include "run/grid/words.h"
#include "run/launch/mend.h"
#include "run/launch/note.h"
#include "run/launch/written.h"
#include "source/programs/start.h"

namespace lanewise::grid {

/// A memory: L1 of a core, by noc::core_number(), or a bank of DRAM.
struct Memory {
  bool is_dram = false;
  unsigned number = 0;

  friend auto operator<=>(const Memory&, const Memory&) = default;
};

using launch::Trial;

/// How a run with mends has ended: on all cores; without anything new that was found. And whether
/// it had one mend alone, of many.
struct Ending {
  bool is_done = true, is_clean = true, is_alone = false;
};

struct Race {
  enum class Cause : std::uint8_t {
    Overtaken,  ///< a signal that the reader has heard came by another way than the data
    NotAwaited, ///< nothing says that the data are there
    NotFree,    ///< nothing says that those who had the bytes before are done with them
    TwoWriters, ///< nothing says whose data stay
    LostUpdate, ///< a word that two change, of which one is lost
    Passed      ///< a word that is waited for at one value, and that others may raise above it
  };
  Cause cause = Cause::NotAwaited;
  Access change, other;
  Memory memory;
  std::uint64_t begin = 0, end = 0;  ///< bytes that both touch
  std::optional<Signal> signal = {}; ///< of Overtaken, where it is known
  std::uint32_t value = 0;           ///< of Passed, the one that is waited for
  /// A semaphore that is free on all cores, for what is tried; nothing: there is none left.
  std::optional<std::uint64_t> free_word = {};
  /// What became of its two mends (Races::mends_of()).
  std::array<Trial, 2> trial = {};
  /// Of LostUpdate: by how much all of its increments in place of stores were, in a trial.
  std::optional<std::uint32_t> added = {};
  /// Of Overtaken, of all pairs: signals, one of each line; whether another core than that of the
  /// data sends one.
  std::vector<Access> signals = {};
  bool is_relayed = false;
  std::vector<std::pair<std::uint16_t, std::uint16_t>> pairs = {}; ///< cores of both, that have it
};

/// Which of the two is to come first, if one is to wait for the other.
struct Ordered {
  const Access *first, *second;
  bool is_of_rounds; ///< the second comes before the first one, at the beginning
};
Ordered ordered(const Race& race);

/// How far apart places for each of two writers are.
std::uint64_t bytes_of_place(const Race& race);

/// A change of kernels of a group.
struct GroupMend {
  std::size_t group = 0;
  launch::Mend mend;

  friend bool operator==(const GroupMend&, const GroupMend&) = default;
};
/// By group.
using Mends = std::vector<std::vector<launch::Mend>>;

/// A read of bytes that nobody has written.
struct Unwritten {
  std::size_t core = 0;
  noc::Transaction read;
  Memory memory;            ///< that it reads
  std::set<std::size_t> of; ///< all cores that do so, by index
};

class Races {
 public:
  struct Device {
    std::vector<unsigned> cores;    ///< that run kernels, by noc::core_number()
    std::vector<std::size_t> group; ///< of the same, which kernels they run
    /// By group: which NoC each core that moves data has for itself.
    std::vector<std::array<unsigned, programs::kCores>> own_noc = {};
    std::vector<std::uint64_t> free_words = {}; ///< of L1, semaphores that no core has
    std::uint64_t l1_bytes = 0;
    std::vector<std::uint64_t> bank_bytes;
    std::map<Memory, launch::ByteRanges> written = {}; ///< by the host, before kernels begin
  };
  explicit Races(Device device);

  /// What a core tells. False if no core tells that.
  bool note(std::size_t core, const launch::Note& note);
  /// A transaction of a core is done.
  void land(std::size_t core, const noc::Transaction& t);

  /// A read of a core has found zeros, which is what memory begins with, in DRAM or L1 of another
  /// core. Before land().
  void take_zeros(std::size_t core, const noc::Transaction& t);

  const std::vector<Race>& found() const { return found_; }
  /// By core that runs kernels, which ones.
  const std::vector<std::size_t>& groups() const { return device_.group; }
  /// Reads of what nobody has written, not even later: that would be a race.
  std::vector<Unwritten> unwritten() const;
  /// What would mend a race, all of it at once; empty: nothing is known. The second one of
  /// Overtaken is that data and signal go the same way; of TwoWriters, LostUpdate and Passed, that
  /// one waits for the other.
  enum class Which : std::uint8_t { First, Second };
  std::vector<GroupMend> mends_of(const Race& race, Which which) const;
  /// Where one is to wait for the other: while it has come there so many times, it was to be raised
  /// so often; whether the first time needs no wait.
  struct Waits {
    std::uint32_t raises = 0, turns = 0;
    bool begins = false;
  };
  Waits waits_of(const Race& race) const;
  /// Whether there are some that are not here, of a run of the same program.
  bool are_new(const Races& tried) const;
  /// Says of each that is found, and of which all mends are among these, whether it is gone in a
  /// run of the same program with them.
  void judge(const Races& tried, const Ending& ending, const Mends& with);
  /// What was too much to be looked at; "" if nothing was.
  const std::string& missed() const { return missed_; }
  /// The place of a line that is not of the kernel's own file; "" if it is.
  std::string name_of(std::size_t core, std::uint32_t line) const;

 private:
  /// Transactions of a core, NoC, kind and id, in their order.
  struct Stream {
    Counter left = 0, done = 0;
    std::uint32_t asked = 0;
  };
  struct StreamKey {
    std::size_t core;
    std::uint32_t risc, noc, kind, tag;
    friend auto operator<=>(const StreamKey&, const StreamKey&) = default;
  };
  /// What leaves a core by one NoC and channel, to one place or to many.
  struct Gate {
    std::uint32_t sent = 0;
    std::map<Memory, Counter> ways; ///< by where it goes
  };
  struct Open {
    noc::Transaction::Kind kind{};
    Stamp stamp;
    Access access; ///< of its destination, but for the way
    noc::Location destination;
    std::uint32_t by = 0; ///< of increments
  };
  struct Core {
    std::array<Walker, 3> walker; ///< the compute kernel, BRISC, NCRISC
    std::map<std::uint32_t, VectorTime> rings;
    std::unordered_map<std::uint64_t, Open> open; ///< transactions by number
    std::deque<Signal> heard;                     ///< the last signals
    std::map<std::uint32_t, std::string> names;
  };

  bool access(std::size_t core, const launch::Note& note);
  bool ask(std::size_t core, const launch::Note& note);
  bool wait(std::size_t core, const launch::Note& note);
  bool hear_word(std::size_t core, const launch::Note& note);
  void come(std::size_t core, const Open& open, const Memory& where, Counter way);
  void raise(Word& word, const Open& open, const Access& access, const Memory& where);
  void touch(const Memory& memory, const Stamp& stamp, const Access& access);
  bool is_ordered(const Stamp& stamp, const Access& before, const Access& now) const;
  bool knows(const Stamp& stamp, const Access& access) const;
  bool is_in_its_own(const Memory& memory, const Access& a, const Access& b) const;
  void tell(const Memory& memory, const Accesses::Cell& cell, const Access& a, const Access& b);
  void tell_passed(const Memory& memory, const Word::ExactWait& wait, const Access& access);
  bool is_new(const Race& race);
  void add(Race race);
  void explain(Race& race, const Accesses::Cell& cell) const;
  bool is_alike(const Access& a, const Access& b) const;
  bool is_same(const Access& access, const Races& other, const Access& of_other) const;
  bool has(const Races& other, const Race& of_other) const;
  launch::Mend mend_at(launch::Mend::Kind kind, const Access& who) const;
  std::vector<GroupMend> same_way(const Race& race) const;
  std::vector<GroupMend> added(const Race& race) const;
  std::vector<GroupMend> own_places(const Race& race) const;
  std::vector<GroupMend> handshake(const Race& race) const;
  Waits waits_of(const Race& race, std::size_t core) const;
  std::uint32_t turns_of(std::size_t core, const Access& access) const;
  void count_turn(const Access& access);
  Walker& walker(std::size_t core, std::uint32_t risc) {
    return cores_[core].walker[risc < 3 ? 0 : risc - 2];
  }
  const Walker& walker(std::size_t core, std::uint32_t risc) const {
    return cores_[core].walker[risc < 3 ? 0 : risc - 2];
  }
  Memory l1_of(std::size_t core) const { return {.is_dram = false, .number = device_.cores[core]}; }
  std::optional<Memory> memory_at(std::size_t core, const noc::Location& location) const;
  std::uint64_t bytes_of(const Memory& memory) const;
  bool was_written(const Memory& memory, std::uint64_t begin, std::uint64_t bytes) const;
  Counter new_counter();
  Counter way_of(Gate& gate, const Memory& to);
  void stop(std::string_view what);

  Device device_;
  std::vector<Core> cores_;
  Counter counters_ = 0;
  std::map<StreamKey, Stream> streams_;
  std::map<std::tuple<std::size_t, std::uint32_t, std::uint32_t, bool>, Gate> gates_;
  std::map<Memory, Accesses> accesses_;
  std::map<std::pair<Memory, std::uint64_t>, Word> words_;
  std::size_t cells_ = 0;
  std::vector<Race> found_;
  std::vector<Unwritten> unwritten_;
  /// What was told already: cores, lines and kinds of both.
  std::set<std::array<std::uint64_t, 4>> told_;
  std::string missed_;
  /// How often a line of a core has touched something or asked for something, between two times
  /// that others may have heard of it, and the last such step.
  struct Turns {
    std::uint32_t count = 0, step = ~0U;
  };
  std::map<std::tuple<std::size_t, std::uint32_t, std::uint32_t>, Turns> turns_;
  /// What a core adds to words of its own, by core and line, if it is always as much; else nothing.
  std::map<std::pair<std::size_t, std::uint32_t>, std::optional<std::uint32_t>> own_increments_;
};

} // namespace lanewise::grid
