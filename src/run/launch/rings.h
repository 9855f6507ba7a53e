// Circular buffers while a program runs: how many pages were pushed and popped, and which of them
// each core may touch: those that it has waited for, and those that it has reserved.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "chip/isa/noc_record.h"
#include "run/launch/found.h"
#include "run/section/listener.h"
#include "source/programs/layout.h"
#include "source/programs/start.h"

namespace lanewise::launch {

/// Bytes of L1 that somebody touches for a core.
struct L1Range {
  std::uint64_t address = 0, bytes = 0;
  bool changes = false;
};

/// A counter of pages: of which circular buffer, and whether of those that were pushed.
struct PagesCounter {
  unsigned ring = 0;
  bool is_push = false;
};
/// The one at an offset from the overlay's first register, if there is one.
std::optional<PagesCounter> pages_counter(Arch arch, std::uint32_t offset);

/// Pages that have changed hands.
struct MovedPages {
  unsigned ring = 0; ///< index of the circular buffer
  bool is_push = false;
  std::uint64_t address = 0, bytes = 0;
  std::optional<unsigned> filled_by = {}; ///< the core that pushes pages of this circular buffer
};

class Rings {
 public:
  Rings(const programs::Program& program, const programs::Layout& layout, FoundLog& found);

  /// A core has stored a counter, at an offset from the overlay's first register.
  std::optional<MovedPages> count(unsigned core, std::uint32_t line, std::uint32_t offset,
                                  std::uint32_t value);

  /// A core is about to wait for pages, or to reserve some; it holds for what its thread executes
  /// from instruction `from` on, and at once of a core without a thread.
  void intend(unsigned core, std::uint32_t line, const section::Intent& intent, std::uint64_t from);

  /// A thread is about to execute its instruction number `instruction`.
  void reach(unsigned thread, std::uint64_t instruction);

  /// `verb`: what is done with the page, as "reads", "writes into".
  void touch(unsigned core, const LineOf& line, const L1Range& range, std::string_view verb);

  /// All kernels have returned.
  void finish();
  /// Says what could not be said before it was known who uses which circular buffer.
  void settle();

  /// Of the circular buffer there, "c_3 (host.cpp:9)"; of several that share the memory, the first.
  const programs::CbPlace* at(std::uint64_t address) const;
  /// Those there: several may share the memory.
  std::vector<const programs::CbPlace*> all_at(std::uint64_t address) const;
  std::string name(unsigned index) const;
  const programs::CbIndex& format_of(const programs::CbPlace& place) const;

 private:
  /// What one core may touch, in pages behind those that are popped, and behind those that are
  /// pushed.
  struct Hold {
    std::uint32_t waited = 0, reserved = 0;
    std::uint32_t waited_line = 0, reserved_line = 0; ///< of the last call; 0: there was none
  };
  /// Pages of a circular buffer, as one side counts them.
  struct Side {
    std::uint16_t count = 0;
    std::uint64_t total = 0;
    std::uint32_t page = 0; ///< the next, in the ring
    std::optional<unsigned> core;
    std::uint32_t first_line = 0, line = 0; ///< of the first call, of the last
  };
  struct Ring {
    const programs::CbPlace* place = nullptr;
    Side pushed, popped;
    std::array<Hold, programs::kCores> hold;
  };
  /// Of a thread, which comes there later than its core.
  struct Later {
    std::uint64_t from = 0;
    std::uint32_t line = 0;
    section::Intent intent;
  };
  /// An access to a ring that may be nobody's: it is wrong only if pages of it are pushed.
  struct Held {
    unsigned ring = 0;
    bool is_producer = false;
    Found found;
  };

  void push(unsigned core, std::uint32_t line, Ring& ring, std::uint16_t pages);
  void pop(unsigned core, std::uint32_t line, Ring& ring, std::uint16_t pages);
  void check_side(unsigned core, std::uint32_t line, const Ring& ring, Side& side,
                  std::uint16_t pages, std::string_view verb);
  void take(unsigned core, std::uint32_t line, const section::Intent& intent);
  std::optional<std::uint32_t> page_outside(unsigned core, const Ring& ring,
                                            const L1Range& range) const;
  Held outside(unsigned core, std::uint32_t line, const Ring& ring, std::uint32_t page,
               const L1Range& range, std::string_view verb) const;

  const programs::Program& program_;
  const NocRecord& record_;
  FoundLog& found_;
  std::map<unsigned, Ring> rings_;                    ///< by index
  std::uint64_t begin_ = ~std::uint64_t{0}, end_ = 0; ///< of the memory of all
  std::array<std::deque<Later>, programs::kCores> later_;
  std::array<bool, programs::kCores> intends_{}; ///< whether a core says what it is about to do
  std::vector<Held> held_;
  std::set<std::tuple<unsigned, std::uint32_t, unsigned, bool, FaultKind>> known_; ///< of `held_`
};

} // namespace lanewise::launch
