// Stories of what happens on four cores, for who looks for races between them.
#pragma once

#include <gtest/gtest.h>

#include "run/grid/race_text.h"
#include "run/grid/races.h"
#include "run/launch/noc_waits.h"

namespace lanewise::grid {

using launch::NocWait;
using launch::Note;
using noc::Location;
using noc::Transaction;
using Cause = Race::Cause;

inline constexpr unsigned kBrisc = 3, kNcrisc = 4, kUnpack = 0, kPack = 2;
inline constexpr std::uint64_t kData = 0x20000, kSemaphore = 0x16000, kOther = 0x16010;
inline constexpr std::uint32_t kSome = 64;

/// By what something goes.
struct Way {
  unsigned noc = 0, channel = 1;
  bool is_posted = false;
};

/// What happens on the cores (0, 0), (1, 0), (2, 0), (3, 0), in an order.
class Story {
 public:
  explicit Story(unsigned own_noc = 0, std::vector<std::uint64_t> free_words = {})
      : races({.cores = {0, 1, 2, 3},
               .group = {0, 1, 1, 1},
               .own_noc = {{0, 0, 0, own_noc, 1}, {0, 0, 0, own_noc, 1}},
               .free_words = std::move(free_words),
               .l1_bytes = 0x180000,
               .bank_bytes = {0x10000, 0x10000},
               .written = {}}) {}

  Note note(Note::Kind kind, unsigned core, unsigned line = 0) {
    Note note{};
    note.kind = kind;
    note.core = core;
    note.line = line;
    return note;
  }
  void tell(std::size_t core, const Note& told) { EXPECT_TRUE(races.note(core, told)); }

  void access(std::size_t core, unsigned risc, std::uint32_t flags, unsigned line,
              std::uint64_t at = kData, std::uint32_t bytes = kSome) {
    Note told = note(Note::Kind::Accesses, risc, line);
    told.source.address = at;
    told.bytes = bytes;
    told.flags = flags;
    tell(core, told);
  }
  void load(std::size_t core, unsigned line, unsigned risc = kBrisc) {
    access(core, risc, 0, line);
  }
  void store(std::size_t core, unsigned line, unsigned risc = kBrisc) {
    access(core, risc, Note::kChanges, line);
  }
  /// noc_semaphore_set().
  void set(std::size_t core, std::uint64_t word, unsigned line) {
    access(core, kBrisc, Note::kChanges | Note::kIsWord, line, word, 4);
    Note told = note(Note::Kind::Releases, kBrisc);
    told.source.address = word;
    tell(core, told);
  }
  /// noc_semaphore_wait(), which has looked at the word before.
  void await(std::size_t core, std::uint64_t word = kSemaphore, unsigned risc = kBrisc) {
    access(core, risc, Note::kIsWord, 99, word, 4);
    Note told = note(Note::Kind::Acquires, risc);
    told.source.address = word;
    tell(core, told);
  }
  /// noc_semaphore_wait(), or noc_semaphore_wait_min(), that has found it at a value.
  void await_value(std::size_t core, std::uint32_t least, std::uint32_t found,
                   bool is_exact = false, unsigned line = 0) {
    Note told = note(Note::Kind::Acquires, kBrisc, line);
    told.source.address = kSemaphore;
    told.what = least;
    told.value = found;
    told.flags = is_exact ? Note::kIsExact : Note::kIsAtLeast;
    tell(core, told);
  }
  void wait(std::size_t core, NocWait::What what, unsigned noc = 0, std::uint32_t flags = 0,
            unsigned risc = kBrisc) {
    Note told = note(Note::Kind::Waits, risc);
    told.what = static_cast<std::uint32_t>(what);
    told.noc = noc;
    told.flags = flags;
    tell(core, told);
  }
  void pages(std::size_t core, Note::Kind kind, unsigned risc) {
    Note told = note(kind, risc);
    told.what = 5;
    tell(core, told);
  }

  Transaction ask(std::size_t core, Transaction t) {
    Note told = note(Note::Kind::Asks, t.core, t.line);
    told.what = static_cast<std::uint32_t>(t.kind);
    told.noc = t.noc;
    told.channel = t.channel;
    told.flags = t.is_posted ? Note::kIsPosted : 0U;
    told.bytes = t.bytes;
    told.value = t.value;
    told.number = t.number = ++numbers;
    told.source = {.memory = static_cast<std::uint32_t>(t.source.memory),
                   .bank = t.source.bank,
                   .address = t.source.address};
    told.destination = {.memory = static_cast<std::uint32_t>(t.destination.memory),
                        .bank = t.destination.bank,
                        .address = t.destination.address};
    tell(core, told);
    return t;
  }
  Transaction ask_write(std::size_t core, const Location& to, unsigned line, const Way& way = {},
                        std::uint64_t from = 0x80000) {
    Transaction t{.kind = Transaction::Kind::Write, .core = kBrisc, .noc = way.noc, .line = line};
    t.source.address = from;
    t.destination = to;
    t.bytes = kSome;
    t.channel = way.channel;
    t.is_posted = way.is_posted;
    return ask(core, t);
  }
  Transaction ask_read(std::size_t core, const Location& from, unsigned line, unsigned noc = 0,
                       std::uint64_t to = 0x90000) {
    Transaction t{.kind = Transaction::Kind::Read, .core = kBrisc, .noc = noc, .line = line};
    t.source = from;
    t.destination.address = to;
    t.bytes = kSome;
    t.channel = 1;
    return ask(core, t);
  }
  void write(std::size_t core, const Location& to, unsigned line, const Way& way = {}) {
    races.land(core, ask_write(core, to, line, way));
  }
  Transaction ask_increment(std::size_t core, unsigned receiver, unsigned line, const Way& way = {},
                            std::uint64_t word = kSemaphore) {
    Transaction t{
        .kind = Transaction::Kind::Increment, .core = kBrisc, .noc = way.noc, .line = line};
    t.destination = l1(receiver, word);
    t.bytes = 4;
    t.value = 1;
    t.channel = way.channel;
    t.is_posted = way.is_posted;
    return ask(core, t);
  }
  void increment(std::size_t core, unsigned receiver, unsigned line, const Way& way = {},
                 std::uint64_t word = kSemaphore) {
    races.land(core, ask_increment(core, receiver, line, way, word));
  }
  Transaction ask_multicast(std::size_t core, std::uint64_t to, std::uint32_t bytes, unsigned line,
                            std::vector<unsigned> receivers = {1, 2}) {
    Transaction t{.kind = Transaction::Kind::Write, .core = kBrisc, .noc = 0, .line = line};
    t.source.address = bytes == 4 ? kOther : 0x80000;
    t.destination = {.memory = Location::Memory::Many, .bank = 0, .address = to};
    t.bytes = bytes;
    t.channel = 4;
    t.receivers = std::move(receivers);
    return ask(core, t);
  }

  static Location l1(unsigned core, std::uint64_t at = kData) {
    return {.memory = Location::Memory::OtherL1, .bank = core, .address = at};
  }
  static Location dram(std::uint64_t at = 0x100) {
    return {.memory = Location::Memory::Dram, .bank = 1, .address = at};
  }

  std::vector<Cause> causes() const {
    std::vector<Cause> all;
    for (const Race& race : races.found()) all.push_back(race.cause);
    return all;
  }
  std::string text() const {
    std::string all;
    const Sources sources{.cores = {{0, 0}, {1, 0}, {2, 0}, {3, 0}},
                          .file = [](std::size_t core, unsigned) {
                            return std::string(core == 0 ? "k/send.cpp" : "k/take.cpp");
                          }};
    for (const Fault& fault : race_faults(races, sources)) all += to_string(fault) + "\n";
    return all;
  }

  /// What would mend the first race.
  std::vector<GroupMend> mends(Races::Which which = Races::Which::First) const {
    return races.mends_of(races.found().at(0), which);
  }
  /// What becomes of it in a run with that.
  void judge(const Story& tried, const Ending& ending = {},
             Races::Which which = Races::Which::First) {
    Mends with(2);
    for (const GroupMend& each : mends(which)) with[each.group].push_back(each.mend);
    races.judge(tried.races, ending, with);
  }

  Races races;
  std::uint64_t numbers = 0;
};

} // namespace lanewise::grid
