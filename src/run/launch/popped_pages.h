// Pages that were popped while a write, or a read, still took from them that another core had asked
// for. That is wrong if somebody may fill them anew before it has left: who fills them next is
// looked at, and whether it was told that it has left, by pages that were pushed or popped in
// between. The three threads of a compute kernel are one for that.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "chip/machine/config_state.h"
#include "chip/noc/transaction.h"
#include "run/launch/found.h"
#include "run/launch/rings.h"
#include "source/programs/start.h"

namespace lanewise::launch {

class PoppedPages {
 public:
  explicit PoppedPages(FoundLog& found) : found_(found) {}

  /// A core has pushed or popped pages of a circular buffer; it has looked at how many were.
  void move(unsigned core, unsigned ring, bool is_push);
  void see(unsigned core, unsigned ring, bool is_push);

  /// A core has popped pages from which a transaction of another one takes. `wrong`: what is to be
  /// said if that does harm.
  void add(const noc::Transaction& t, const L1Range& pages, Found wrong);
  /// The core of a transaction has waited until it has left.
  void leave(const noc::Transaction& t);
  /// Bytes of L1 are changed.
  void fill(unsigned core, std::uint64_t address, std::uint64_t bytes);
  /// All is over: where nobody has filled pages anew, it is not known to be in order, unless it was
  /// where the same was done before.
  void settle();

 private:
  static constexpr unsigned kWhos = 3; ///< the compute kernel, and the cores that move data
  using Steps = std::array<std::uint64_t, kWhos>;
  struct Popped {
    std::uint64_t number = 0; ///< of the transaction
    unsigned asker = 0;
    L1Range pages;
    Found wrong;
    std::uint32_t asked_at = 0;
    std::optional<std::uint64_t> left = {}; ///< at which step of its core
  };
  using Lines = std::pair<std::uint32_t, std::uint32_t>;

  static unsigned who(unsigned core) { return core < kThreads ? 0 : core - kThreads + 1; }
  void tell(const Found& wrong);

  FoundLog& found_;
  std::array<Steps, kWhos> known_{};
  std::map<std::pair<unsigned, bool>, Steps> told_; ///< by circular buffer, and whether by pushes
  std::vector<Popped> popped_;
  std::set<Lines> in_order_; ///< of the pop, and of what had to leave
};

} // namespace lanewise::launch
