// The NoC between cores and DRAM in time: routes and latencies (docs/noc.md;
// chip/isa/noc_record.h).
#include "chip/noc/network.h"

#include <gtest/gtest.h>

#include <vector>

#include "chip/noc/routes.h"

namespace lanewise::noc {
namespace {

/// Everything that happens from now on.
std::vector<Passage> all_of(Network& network) {
  std::vector<Passage> passages;
  while (network.next() != Network::kNever) network.advance(network.next() + 1, passages);
  return passages;
}

TEST(Network, AReadAcrossBothAxesGoesAroundBothRings) {
  Network network(Arch::Blackhole);
  network.ask({.key = 1,
               .kind = Transaction::Kind::Read,
               .noc = 1,
               .from = worker_router(Arch::Blackhole, 0, 0),
               .to = worker_router(Arch::Blackhole, 1, 1),
               .bytes = 64},
              1000);
  const auto passages = all_of(network);
  ASSERT_EQ(passages.size(), 3);
  EXPECT_EQ(passages[2].kind, Passage::Kind::Answered);
  // noc_latencies.yaml: 373 cycles with the loop that asks, 35 for each further one.
  EXPECT_NEAR(static_cast<double>(passages[2].cycle - 1000), 373 - 35, 10);
}

} // namespace
} // namespace lanewise::noc
