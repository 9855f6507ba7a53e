// Takes down what the cores of a tile do to L1 and how they tell each other that it is done, as
// notes (note.h). Accesses of a core that lie side by side are one, up to where it tells somebody
// something or hears of something.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "chip/noc/noc.h"
#include "chip/tile/core_action.h"
#include "run/launch/found.h"
#include "run/launch/mend.h"
#include "run/launch/noc_waits.h"
#include "run/launch/note.h"
#include "run/launch/rings.h"
#include "run/section/listener.h"
#include "source/programs/start.h"

namespace lanewise::launch {

/// A word that a core has waited for.
struct AwaitedWord {
  std::uint64_t address = 0;
  std::uint32_t least = 0, found = 0;
  bool is_exact = false; ///< `least`, and no more
};

class Notes {
 public:
  using Sink = std::function<void(std::span<const Note>)>;

  Notes(Arch arch, Sink sink);

  /// A core that moves data touches L1 by itself.
  void access(unsigned core, const section::MemoryAccess& access, std::uint64_t code,
              const LineOf& line);
  /// An unpacker or a packer does, for a core.
  void access_by_unit(unsigned core, std::uint32_t line, const L1Range& range);
  /// Pages have changed hands.
  void move(unsigned core, unsigned ring, bool is_push);
  /// A core has loaded a register.
  void load(unsigned core, std::uint32_t address);
  /// After everything that the NoC sees.
  void see(const noc::NocEvent& event);
  /// Somebody from outside has written to L1.
  void arrive(std::uint64_t address, std::uint64_t bytes);
  /// A core looks at a word until it is what it waits for: what it finds before says nothing.
  void begin_wait(unsigned core, std::uint64_t word) { core_[core].awaited = word; }
  /// It has found that.
  void await(unsigned core, std::uint32_t line, const AwaitedWord& word);
  /// A core goes on behind a barrier that its kernel does not have.
  void pass(const Mend& barrier);
  /// Everything so far goes to the sink.
  void hand_over();

 private:
  /// Accesses of a core by one instruction of its code, side by side.
  struct Range {
    std::uint64_t code = 0, begin = 0, end = 0;
    std::uint32_t line = 0, flags = 0;
  };
  /// A word by which somebody has gone, or was told to go.
  struct Word {
    std::uint32_t version = 1;
    std::array<std::uint32_t, programs::kCores> seen{}; ///< the version, by core
  };
  struct Core {
    static constexpr std::size_t kRanges = 16;
    std::array<Range, kRanges> range;
    std::size_t ranges = 0, next = 0;
    Range last;                           ///< the last access
    std::uint32_t arrivals = 0;           ///< when the core was last found to spin
    std::optional<std::uint64_t> awaited; ///< the word that it waits for
    std::uint64_t told = 0;               ///< notes of the core by which others may go
    std::array<std::uint64_t, programs::kCores> followed{}; ///< of another one, as many
    std::map<std::uint32_t, std::uint64_t> pages_seen;      ///< of rings, which count of moves
    std::set<std::uint32_t> waits;                          ///< that would say nothing new
  };

  void add(unsigned core, Range range);
  void flush(unsigned core);
  Note note_of(Note::Kind kind, unsigned core, std::uint32_t line = 0);
  void put(const Note& note);
  void name(std::uint32_t line);
  void tell_word(unsigned core, std::uint64_t word, Note note);
  void look_at_word(unsigned core, const section::MemoryAccess& access, std::uint64_t code);
  void store_word(unsigned core, const section::MemoryAccess& access);
  void follow(unsigned core, unsigned other);
  void add_word(std::uint64_t address, std::uint64_t bytes);

  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  Arch arch_;
  Sink sink_;
  NocWaits waits_;
  std::vector<Note> notes_;
  std::array<Core, programs::kCores> core_;
  std::map<std::uint64_t, Word> words_; ///< by address
  std::vector<bool> is_word_;           ///< by word of L1
  std::size_t l1_words_;
  std::unique_ptr<std::uint8_t[], Free> storer_; ///< of a word of L1: 1 + the core that was last
  std::uint32_t arrivals_ = 1;
  std::map<std::uint32_t, std::uint64_t> moves_; ///< of rings
  std::set<std::uint32_t> named_;
};

} // namespace lanewise::launch
