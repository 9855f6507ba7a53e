// A semaphore as an object: a word of L1, the same on all of its cores.
#pragma once

#include "api/dataflow/noc.h"

/// Programs have compute cores only.
enum class ProgrammableCoreType { TENSIX };

template <ProgrammableCoreType = ProgrammableCoreType::TENSIX>
class Semaphore {
 public:
  explicit Semaphore(std::uint32_t id) : address_(get_semaphore(id)) {}

  /// By a load and a store: what others do in between is lost.
  void up(std::uint32_t by) const { *word() += by; }
  /// That of another core.
  void up(const Noc& noc, std::uint32_t x, std::uint32_t y, std::uint32_t by,
          std::uint8_t channel = NOC_UNICAST_WRITE_VC) const {
    noc_semaphore_inc(at(noc, x, y), by, noc.get_noc_id(), channel);
  }
  void down(std::uint32_t by) const {
    noc_semaphore_wait_min(word(), by);
    *word() -= by;
  }
  void wait(std::uint32_t value) const { noc_semaphore_wait(word(), value); }
  void wait_min(std::uint32_t value) const { noc_semaphore_wait_min(word(), value); }
  void set(std::uint32_t value) const { noc_semaphore_set(word(), value); }

  /// What this one holds when it leaves, to another one of other cores.
  void relay_unicast(const Noc& noc, const Semaphore& to, std::uint32_t x, std::uint32_t y) const {
    ASSERT(address_ != to.address_);
    noc_semaphore_set_remote(address_, to.at(noc, x, y), noc.get_noc_id());
  }
  template <NocOptions options = NocOptions::DEFAULT>
  void relay_multicast(const Noc& noc, const Semaphore& to, std::uint32_t first_x,
                       std::uint32_t first_y, std::uint32_t last_x, std::uint32_t last_y,
                       std::uint32_t receivers, bool linked = false) const {
    ASSERT(address_ != to.address_);
    send<options>(noc, to.of(noc, first_x, first_y, last_x, last_y), receivers, linked);
  }
  template <NocOptions options = NocOptions::DEFAULT>
  void set_multicast(const Noc& noc, std::uint32_t first_x, std::uint32_t first_y,
                     std::uint32_t last_x, std::uint32_t last_y, std::uint32_t receivers,
                     bool linked = false) const {
    send<options>(noc, of(noc, first_x, first_y, last_x, last_y), receivers, linked);
  }
  /// The sender does not receive.
  void inc_multicast(const Noc& noc, std::uint32_t first_x, std::uint32_t first_y,
                     std::uint32_t last_x, std::uint32_t last_y, std::uint32_t by,
                     std::uint32_t receivers) const {
    noc_semaphore_inc_multicast(of(noc, first_x, first_y, last_x, last_y), by, receivers,
                                noc.get_noc_id());
  }

 private:
  volatile std::uint32_t* word() const { return lanewise_metal::at(address_); }
  std::uint64_t at(const Noc& noc, std::uint32_t x, std::uint32_t y) const {
    return get_noc_addr(x, y, address_, noc.get_noc_id());
  }
  std::uint64_t of(const Noc& noc, std::uint32_t first_x, std::uint32_t first_y,
                   std::uint32_t last_x, std::uint32_t last_y) const {
    return get_noc_multicast_addr(first_x, first_y, last_x, last_y, address_, noc.get_noc_id());
  }
  template <NocOptions options>
  void send(const Noc& noc, std::uint64_t to, std::uint32_t receivers, bool linked) const {
    if constexpr (has_flag(options, NocOptions::MCAST_INCL_SRC)) {
      noc_semaphore_set_multicast_loopback_src(address_, to, receivers, linked, noc.get_noc_id());
    } else {
      noc_semaphore_set_multicast(address_, to, receivers, linked, noc.get_noc_id());
    }
  }

  std::uint32_t address_;
};
