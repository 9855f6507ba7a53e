#include "study/traffic/bounds.h"

#include "study/traffic/cards.h"
#include "study/traffic/loops.h"

namespace lanewise::traffic {

namespace {

/// What a model may be off; silicon itself is allowed that, too.
constexpr double kTolerance = 0.1;
constexpr std::uint32_t kTransactions = 256;

struct Demand {
  std::string_view name;
  Pattern pattern;
  Mechanism mechanism;
  Memory memory;
  std::uint32_t bytes;
  std::array<double, kCards.size()> demanded; ///< by card
};
constexpr std::uint32_t kLong = 65536, kPage = 8192;
constexpr std::array<Demand, 6> kDemands{{
    {"one to one", Pattern::OneToOne, Mechanism::Unicast, Memory::L1, kLong, {30, 59}},
    {"one from one", Pattern::OneFromOne, Mechanism::Unicast, Memory::L1, kLong, {28, 59}},
    {"one from one bank",
     Pattern::OneFromOne,
     Mechanism::Unicast,
     Memory::DramSharded,
     kPage,
     {22, 33}},
    {"one from all banks",
     Pattern::OneFromAll,
     Mechanism::Unicast,
     Memory::DramInterleaved,
     kPage,
     {30, 60}},
    {"multicast to all", Pattern::OneToAll, Mechanism::Multicast, Memory::L1, kLong, {14, 24}},
    {"linked multicast to all",
     Pattern::OneToAll,
     Mechanism::MulticastLinked,
     Memory::L1,
     kLong,
     {22, 39}},
}};

} // namespace

bool Bound::holds() const {
  return modelled >= demanded * (1 - kTolerance);
}

std::vector<Bound> bounds() {
  std::vector<Bound> all;
  for (std::size_t card = 0; card < kCards.size(); ++card) {
    const Arch arch = kCards[card].arch;
    for (const Demand& each : kDemands) {
      const bool is_many = each.mechanism != Mechanism::Unicast;
      const Series series{.arch = arch,
                          .pattern = each.pattern,
                          .mechanism = each.mechanism,
                          .memory = each.memory,
                          .transactions = kTransactions,
                          .others = is_many ? cores_of(arch) : 0,
                          .is_loopback = is_many};
      const double cycles = cycles_of(arch, loops_of(series, each.bytes));
      all.push_back({.name = each.name,
                     .arch = arch,
                     .demanded = each.demanded[card],
                     .modelled = double{kTransactions} * each.bytes / cycles});
    }
  }
  return all;
}

} // namespace lanewise::traffic
