// What is wrong with how kernels send to rectangles of cores, and with increments that have no
// answer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "chip/noc/noc.h"
#include "chip/tile/tile.h"
#include "run/launch/found.h"

namespace lanewise::launch {

class Multicasts {
 public:
  Multicasts(Arch arch, FoundLog& found) : record_(*noc_record(arch)), found_(found) {}

  void see(const noc::NocEvent& event);
  /// The packet that a core has just sent on a NoC is said to have so many answers.
  void expect(unsigned core, unsigned noc, std::uint32_t answers);
  /// A kernel has returned.
  void end(unsigned core);

 private:
  /// Of a core and NoC: the last packet.
  struct Last {
    std::uint32_t line = 0;
    std::uint32_t receivers = 0; ///< of a multicast that is still to be told how many
    bool is_increment = false;
    std::optional<noc::Transaction> linked; ///< it wants another one behind it, the same way
  };

  const NocRecord& record_;
  FoundLog& found_;
  std::array<std::array<Last, kNocs>, tile::kTileCores> last_{};
};

} // namespace lanewise::launch
