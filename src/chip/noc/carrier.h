// Carries what cores ask of the NoC, in time: between the cores of a grid, each of which has its
// own time, and DRAM.
//
// Cores and network take turns: the cores run until a cycle, then what they have asked for goes on
// its way, and each of them is told what happens to it, and in its L1, in the cycles that come
// next. No answer comes in less than Network::kLookahead cycles, so nobody misses anything.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "chip/noc/network.h"
#include "chip/noc/noc.h"
#include "chip/noc/routes.h"
#include "chip/noc/timed_noc.h"

namespace lanewise::noc {

/// A core that runs kernels.
struct CoreOnNoc {
  unsigned number = 0; ///< core_number()
  Noc* noc = nullptr;
  TimedNoc* timed = nullptr;
};

/// All that can be reached.
struct WholeMemory {
  std::map<unsigned, std::span<std::uint8_t>> l1; ///< by core_number()
  std::vector<std::span<std::uint8_t>> banks;     ///< of DRAM
};

/// What a core has asked of a NoC: bytes into the core and out of it, and cycles in which these
/// have its links, at the links' own rate.
struct Traffic {
  std::uint64_t reads = 0, writes = 0, bytes_in = 0, bytes_out = 0;
  double busy_in = 0, busy_out = 0;
};

/// A transaction from the request to the answer.
struct NocSpan {
  std::uint64_t asked = 0, left = 0, landed = 0; ///< cycles
  Transaction::Kind kind = Transaction::Kind::Read;
  std::uint8_t core = 0, noc = 0;
  std::uint32_t bytes = 0, line = 0;
};

/// A word that came into a core's L1 from another core: a signal, perhaps.
struct Signal {
  std::uint64_t asked = 0, came = 0; ///< cycles
  unsigned from = 0;                 ///< core_number()
  std::uint64_t address = 0;
  std::uint32_t line = 0; ///< of the core that sent it
};

class Carrier {
 public:
  /// Precondition: noc_record(arch).
  Carrier(Arch arch, std::vector<CoreOnNoc> cores, WholeMemory memory, bool keeps_spans);

  /// What cores have asked for since the last time goes on its way.
  void collect();
  /// Nothing happens before this cycle; Network::kNever: nothing is under way.
  std::uint64_t next() const;
  /// Plans everything that happens before a cycle. Precondition: all cores have run until next().
  void carry(std::uint64_t cycle);

  using Traffics = std::array<Traffic, kNocs>;
  const Traffics& traffic(std::size_t core) const { return traffic_[core]; }
  /// In the order in which they were answered.
  const std::vector<NocSpan>& spans(std::size_t core) const { return spans_[core]; }
  /// What came to a core, in the order in which it came.
  const std::vector<Signal>& signals(std::size_t core) const { return signals_[core]; }
  /// Cycles in which each bank of DRAM was busy.
  const std::vector<double>& bank_busy() const { return bank_busy_; }
  /// Bytes that each link of a NoC has carried, by number (routes.h).
  const std::array<std::vector<std::uint64_t>, kNocs>& link_bytes() const { return link_bytes_; }

 private:
  /// A transaction under way.
  struct Flight {
    std::size_t core = 0; ///< who has asked
    Transaction transaction;
    std::uint64_t asked = 0, left = 0;
    bool has_left = false, is_there = false; ///< what was planned of it has happened
    bool has_reached = false;                ///< that is planned, at least
    std::vector<std::uint8_t> data;          ///< what it carries
    std::uint32_t old = 0;                   ///< what an atomic operation has found
  };

  Shipment shipment_of(const Flight& flight) const;
  void account(const Flight& flight, const Shipment& shipment);
  void leave(Flight& flight, std::uint64_t cycle);
  void reach(Flight& flight, std::uint64_t cycle);
  void note_signal(const Flight& flight, std::size_t core, std::uint64_t address,
                   std::uint64_t cycle);
  void answer(std::uint64_t key, std::uint64_t cycle);
  bool must_wait(const Flight& flight, Passage::Kind kind) const;
  bool is_behind_others(const Flight& flight) const;
  std::span<std::uint8_t> bytes_at(const Flight& flight, const Location& location) const;
  std::size_t core_with(const Flight& flight, const Location& location) const;

  Arch arch_;
  const NocRecord& record_;
  std::vector<CoreOnNoc> cores_;
  std::map<unsigned, std::size_t> index_of_; ///< of a core that runs kernels, by core_number()
  WholeMemory memory_;
  bool keeps_spans_;
  Network network_;
  std::map<std::uint64_t, std::unique_ptr<Flight>> flights_; ///< by key
  std::vector<std::deque<const Flight*>> open_; ///< by core, in the order in which they were asked
  std::uint64_t asked_ = 0;
  std::vector<Passage> late_;         ///< what cannot happen before the next cycles
  std::vector<std::uint64_t> leaves_; ///< keys of those that will have left, or be there, once
  std::vector<std::uint64_t> comes_;  ///< the cores have run
  std::vector<std::uint64_t> done_;   ///< and of those that are answered then
  std::vector<Traffics> traffic_;
  std::vector<std::vector<NocSpan>> spans_;
  std::vector<std::vector<Signal>> signals_;
  std::vector<double> bank_busy_;
  std::array<Torus, kNocs> torus_;
  std::array<std::vector<std::uint64_t>, kNocs> link_bytes_;
};

} // namespace lanewise::noc
