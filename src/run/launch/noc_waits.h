// Which of a core's transactions it has waited for, by the status registers that it looks at: one
// that has found a counter where it will be once everything is done has waited for that.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "chip/noc/noc.h"

namespace lanewise::launch {

/// What a core has found by a look at a NIU: that all of its transactions of a kind are answered,
/// or that they have left.
struct NocWait {
  enum class What : std::uint8_t { Reads, Writes, PostedWrites, Atomics, PostedAtomics, AllOfTag };
  What what = What::Reads;
  bool have_left = false; ///< no more is known of them; else they are done
  unsigned core = 0, noc = 0;
  unsigned tag = 0; ///< of AllOfTag

  bool covers(const noc::Transaction& t) const;
};

class NocWaits {
 public:
  /// A core has asked for it.
  void ask(const noc::Transaction& t);
  /// What an event of kind Seen has told its core.
  std::optional<NocWait> look(const noc::NocEvent& event) const;

 private:
  struct Asked {
    std::uint32_t reads = 0, writes = 0, posted = 0, posted_atomics = 0;
    std::uint32_t acks = 0, atomics = 0; ///< answers, of which a multicast has many
  };

  std::array<Asked, kNocs> asked_;
};

bool is_write(const noc::Transaction& t);
bool is_atomic(const noc::Transaction& t);

} // namespace lanewise::launch
