// The body of a placed row: what is issued in each cycle of the steady state, copy by copy, and
// where its accesses find their rows while the Dst counter moves on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "study/tune/forms.h"
#include "study/tune/model.h"
#include "study/tune/row_macros.h"
#include "study/tune/row_registers.h"
#include "study/tune/rows.h"

namespace lanewise::tune {

/// A slot of the body.
struct Slot {
  std::uint32_t word = 0;
  std::string comment = {};
  unsigned time = 0;      ///< in its row
  bool is_free = true;    ///< SFPNOP
  bool is_memory = false; ///< does something to Dst, the counters or the flags
  bool moves = false;     ///< moves the Dst counter
};

class RowBody {
 public:
  /// All must outlive it.
  RowBody(const Rows& rows, const Formed& formed, const Placement& placement,
          const RowRegisters& registers, const RowMacros& macros);

  const std::vector<Slot>& slots() const { return slots_; }
  unsigned length() const { return static_cast<unsigned>(slots_.size()); }
  unsigned row_count() const { return static_cast<unsigned>(rows_.addresses.size()); }
  /// The cycle, from 0 on, of the last word of the last row.
  std::uint64_t last_cycle() const;
  /// Whether the slot belongs to one of the rows, in this cycle.
  bool is_of_a_row(const Slot& slot, std::uint64_t cycle) const;
  /// Whether an access to Dst follows for which the counter has to move on.
  bool access_follows(std::uint64_t cycle) const;

 private:
  void find_accesses();
  int address(unsigned time, int offset) const;
  unsigned addr_mod(unsigned time) const;
  template <class Word>
  void put(unsigned time, bool is_memory, const std::string& comment, Word word);
  void put_operation(unsigned i);
  void put_load(unsigned i);
  void put_macro(unsigned m, unsigned mode, int offset);
  std::string carried_text(unsigned m) const;
  const Node& node(unsigned i) const { return formed_.graph.nodes[formed_.meanings[i].node]; }

  const Rows& rows_;
  const Formed& formed_;
  const Placement& at_;
  const RowRegisters& registers_;
  const RowMacros& macros_;
  Arch arch_;
  std::vector<unsigned> accesses_; ///< times in the row at which Dst is accessed
  unsigned mover_time_ = 0;        ///< of the first one, which moves the counter to the next row
  std::vector<Slot> slots_;
};

} // namespace lanewise::tune
