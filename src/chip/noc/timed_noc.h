// The NoC of one core in time: when what cores have asked for leaves, and when it lands.
//
// A transaction has the links of its NIU and its bank of DRAM for as long as its bytes take, in the
// order in which they were asked for, and lands a fixed number of cycles after its last byte
// (chip/isa/noc_record.h). Nobody else is on the NoC: other cores' traffic is not modelled.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "chip/noc/noc.h"
#include "chip/tile/clocked_feeder.h"

namespace lanewise::noc {

/// What the NoC has done.
struct NocTime {
  /// By NoC: bytes into the core and out of it, and cycles in which its links have moved them.
  struct Traffic {
    std::uint64_t reads = 0, writes = 0, bytes_in = 0, bytes_out = 0;
    double busy_in = 0, busy_out = 0;
  };
  std::array<Traffic, kNocs> noc;
  std::vector<double> bank_busy; ///< cycles, by bank of DRAM
};

/// A transaction from the request to the answer.
struct NocSpan {
  std::uint64_t asked = 0, left = 0, landed = 0; ///< cycles
  Transaction::Kind kind = Transaction::Kind::Read;
  std::uint8_t core = 0, noc = 0;
  std::uint32_t bytes = 0, line = 0;
};

class TimedNoc final : public tile::ClockedFeeder {
 public:
  /// `noc` must live as long. `keeps_spans`: for spans().
  TimedNoc(Noc& noc, Arch arch, bool keeps_spans = false);

  Expected<std::uint64_t> ready(tile::Tile& tile) override;
  void at(std::uint64_t cycle) override { now_ = cycle; }
  Expected<tile::FeederStep> step(tile::Tile& tile) override;
  std::string waits_for() const override { return "nothing"; }
  std::uint64_t asked() const override { return noc_.asked(); }

  const NocTime& figures() const { return figures_; }
  const std::vector<NocSpan>& spans() const { return spans_; }

 private:
  struct Times {
    std::uint64_t asked = 0, left = 0, landed = 0;
  };

  void plan(const Transaction& t, std::uint64_t now);
  std::uint64_t next_of(const Transaction& t) const;

  Noc& noc_;
  const NocRecord& record_;
  bool keeps_spans_;
  std::uint64_t planned_ = 0; ///< transactions with times: those with a lower number
  std::map<std::uint64_t, Times> times_;
  std::array<double, kNocs> in_free_{}, out_free_{};
  std::vector<double> bank_free_;
  std::uint64_t now_ = 0;
  NocTime figures_;
  std::vector<NocSpan> spans_;
};

} // namespace lanewise::noc
