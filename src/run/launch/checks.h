// What is wrong in how a program's kernels use circular buffers and the NoC, found while they run:
// by the counters that cores store, by what they ask of the NoC, and by which of its status
// registers they have looked at. No order of the run changes what is found (docs/programs.md,
// "What is checked").
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/noc/noc.h"
#include "chip/tile/core_action.h"
#include "chip/tile/tile.h"
#include "source/programs/layout.h"

namespace lanewise::launch {

/// Something that was found: at which core and line.
struct Found {
  unsigned core = 0;
  std::uint32_t line = 0;
  Fault fault;
};

class ProgramChecks {
 public:
  ProgramChecks(const programs::Program& program, const programs::Layout& layout);

  /// After everything that a core does.
  void act(unsigned core, const tile::CoreAction& action);
  /// After an instruction, which may be one that stores a counter.
  void execute(const tile::TileState& tile, const tile::Executed& executed);
  /// After everything that the NoC sees.
  void see(const noc::NocEvent& event);
  /// A kernel has returned.
  void end(unsigned core);
  /// All have.
  void finish();

  std::vector<Found> found;

 private:
  /// Pages of a circular buffer, as one side counts them.
  struct Side {
    std::uint16_t count = 0;
    std::uint32_t page = 0; ///< the next, in the ring
    std::optional<unsigned> core;
    std::uint32_t line = 0; ///< of the last
  };
  struct Ring {
    const programs::CbPlace* place = nullptr;
    Side pushed, popped;
  };
  /// Asked for and not waited for.
  struct Open {
    noc::Transaction transaction;
    bool is_flushed = false;
  };
  struct Asked {
    std::uint32_t reads = 0, writes = 0, posted = 0, atomics = 0;
  };

  void count(unsigned core, std::uint32_t line, std::uint32_t offset, std::uint32_t value);
  void push(unsigned core, std::uint32_t line, Ring& ring, std::uint16_t pages);
  void pop(unsigned core, std::uint32_t line, Ring& ring, std::uint16_t pages);
  void check_side(unsigned core, std::uint32_t line, const Ring& ring, Side& side,
                  std::uint16_t pages, std::string_view verb);
  void check_bounds(const noc::Transaction& transaction);
  void check_end(const noc::Transaction& transaction, const noc::Location& location);
  void look(const noc::NocEvent& event);
  template <class Waits>
  void close(unsigned core, unsigned noc, const Waits& waits);
  void add(unsigned core, std::uint32_t line, FaultKind kind, std::string message,
           std::string remedy, std::string_view rule);
  std::string ring_name(const Ring& ring) const;

  const programs::Program& program_;
  const programs::Layout& layout_;
  const NocRecord& record_;
  std::uint8_t store_register_;    ///< the opcode of STOREREG, which few instructions have
  std::map<unsigned, Ring> rings_; ///< by index
  std::vector<Open> open_;
  std::array<Asked, kNocs> asked_;
};

} // namespace lanewise::launch
