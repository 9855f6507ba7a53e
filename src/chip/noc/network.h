// The NoC between cores and DRAM in time: what travels, what it waits for, and when it is there.
//
// Each packet goes through what lies on its way (the NIU that sends it, the links of its route, the
// NIU or the bank of DRAM that takes it), each of which moves one packet after the other at its own
// rate: who comes first goes first, and behind it others queue. So what several share is shared
// fairly, packet by packet.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "chip/noc/transaction.h"

namespace lanewise::noc {

/// A transaction as the network sees it.
struct Shipment {
  std::uint64_t key = 0; ///< the caller's name for it
  Transaction::Kind kind = Transaction::Kind::Read;
  unsigned noc = 0;
  NocPlace from = {};                ///< the router of the core that asks
  NocPlace to = {};                  ///< the router of the other end
  std::vector<NocPlace> many = {};   ///< of a multicast: the routers of all receivers
  std::optional<unsigned> bank = {}; ///< of DRAM, at the other end
  std::uint32_t bytes = 0;
  bool is_linked = false; ///< of a multicast: the next one of this core and NoC takes the same way
};

/// Something that has happened to a shipment.
struct Passage {
  enum class Kind : std::uint8_t {
    Left,    ///< the last of what it carries has left the core that asked
    Reached, ///< its destination: a read's source is read, a write is there
    Answered ///< the core that asked has its answer; of a read, the bytes are there
  };
  std::uint64_t cycle = 0;
  std::uint64_t key = 0;
  Kind kind = Kind::Left;
};

class Network {
 public:
  /// No passage of a shipment is earlier than so many cycles after it was asked for.
  static constexpr std::uint64_t kLookahead = 16;
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  /// Precondition: noc_record(arch).
  explicit Network(Arch arch);
  ~Network();

  /// Precondition: nothing has happened yet at `cycle` (advance()).
  void ask(const Shipment& shipment, std::uint64_t cycle);
  /// No passage happens before this cycle; kNever: nothing is under way.
  std::uint64_t next() const;
  /// Adds what happens before `cycle` to `passages`, by cycle, then by key.
  void advance(std::uint64_t cycle, std::vector<Passage>& passages);

 private:
  class Model;
  std::unique_ptr<Model> model_;
};

} // namespace lanewise::noc
