// What kernels have asked of the NoC and not waited for, and who touches its ends meanwhile. It
// goes by which status registers a core has looked at, not by when data happen to come: no order of
// the run changes what is found.
#pragma once

#include <cstdint>
#include <vector>

#include "chip/noc/noc.h"
#include "run/launch/found.h"
#include "run/launch/noc_waits.h"
#include "run/launch/popped_pages.h"
#include "run/launch/rings.h"

namespace lanewise::launch {

class Transfers {
 public:
  explicit Transfers(FoundLog& found) : found_(found), popped_(found) {}

  /// After everything that the NoC sees.
  void see(const noc::NocEvent& event);
  /// Pages have changed hands, by a core; `ring` is the circular buffer's name.
  void move(unsigned core, std::uint32_t line, const MovedPages& pages, const std::string& ring);
  /// A core has looked at how many pages were pushed, or popped.
  void see_pages(unsigned core, unsigned ring, bool is_push) { popped_.see(core, ring, is_push); }
  /// A kernel touches L1.
  void touch(unsigned core, const LineOf& line, const L1Range& range);
  /// A packer fills bytes of L1.
  void pack(unsigned core, const L1Range& range) { popped_.fill(core, range.address, range.bytes); }
  /// Says what could not be said before it was known who comes next.
  void settle() { popped_.settle(); }
  /// A core has found a semaphore that another core may have raised, in answer to what had landed
  /// there by then: writes need no barrier of their own, and neither do atomics that have no
  /// answer. Of the others it may be under way.
  void acquire(unsigned core);
  /// A core has waited for a transaction by itself.
  void wait_for(std::uint64_t number);
  /// A kernel has returned.
  void end(unsigned core);

 private:
  /// Asked for and not waited for.
  struct Open {
    noc::Transaction transaction;
    bool is_flushed = false;
    bool has_landed = false;
  };
  void ask(const noc::Transaction& t);
  void look(const noc::NocEvent& event);
  void note_bounds();

  FoundLog& found_;
  PoppedPages popped_;
  std::vector<Open> open_;
  /// Ends of `open_` in L1 lie between these.
  std::uint64_t low_ = ~std::uint64_t{0}, high_ = 0;
  NocWaits waits_;
};

} // namespace lanewise::launch
