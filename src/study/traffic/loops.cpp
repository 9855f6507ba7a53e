#include "study/traffic/loops.h"

#include <algorithm>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

#include "chip/noc/routes.h"
#include "study/traffic/cards.h"

namespace lanewise::traffic {

namespace {

struct Core {
  unsigned x, y;
};

NocPlace router(Arch arch, Core core) {
  const Card& card = card_of(arch);
  return {card.column[core.x], card.row[core.y]};
}

/// Column by column, as the programs are told of cores.
std::vector<Core> rectangle(unsigned columns, unsigned rows, Core first = {0, 0}) {
  std::vector<Core> cores;
  for (unsigned x = 0; x < columns; ++x)
    for (unsigned y = 0; y < rows; ++y) cores.push_back({first.x + x, first.y + y});
  return cores;
}

/// `calls`: to each other core.
Gaps gaps_of(const Series& s, std::uint32_t calls) {
  const Card& card = card_of(s.arch);
  const bool is_read = reads(s.pattern);
  if (s.memory != Memory::L1) return is_read ? card.dram_read : card.dram_write;
  if (s.mechanism != Mechanism::Unicast && !is_read) return {card.multicast, 0, 23};
  if (!is_read) return s.is_stateful ? card.stateful_write : card.write;
  if (s.is_stateful) return card.stateful_read;
  Gaps gaps = calls < card.unrolled_below ? card.unrolled_read : card.read;
  if (calls >= kUnrolled) gaps.other = card.read.other;
  return gaps;
}

/// Cores come from the barrier in front of programs with DRAM one after the other, as their
/// reads of its counter are answered: measured with one transaction of 64 bytes.
constexpr std::uint32_t kBarrierTurn = 12;

} // namespace

std::vector<Loop> loops_of(const Series& s, std::uint32_t bytes) {
  const Card& card = card_of(s.arch);
  const NocRecord& record = *noc_record(s.arch);
  const bool is_read = reads(s.pattern);
  // Readers run where NoC 1 is the default. Programs with DRAM were measured on both NoCs, one
  // after the other, and the table has the last.
  const unsigned noc = is_read || s.memory != Memory::L1 ? 1 : 0;
  const bool is_many = s.mechanism != Mechanism::Unicast;
  std::vector<Core> masters{{0, 0}}, others;
  const auto square = [&] {
    for (unsigned side = 1; side < 10; ++side)
      if (side * side == s.others) return std::pair(side, side);
    return std::pair(card.columns, card.rows);
  };
  if (s.memory != Memory::L1) {
    if (s.pattern == Pattern::AllFromAll || s.pattern == Pattern::AllToAll)
      masters = rectangle(card.columns, card.rows);
  } else {
    const auto [columns, rows] = square();
    const bool is_all = s.others > 64 || s.others == card.columns * card.rows ||
                        s.others + 1 == card.columns * card.rows;
    const bool inside = s.is_loopback || is_all;
    switch (s.pattern) {
      case Pattern::OneFromOne:
      case Pattern::OneToOne: others = {s.is_same_axis ? Core{0, 1} : Core{1, 1}}; break;
      case Pattern::OneFromAll: others = rectangle(card.columns, card.rows); break;
      case Pattern::OneToAll:
        others = rectangle(columns, rows);
        if (!inside) masters = {{columns, 0}};
        break;
      case Pattern::AllToAll:
      case Pattern::AllFromAll: masters = others = rectangle(columns, rows); break;
      case Pattern::OneToRow:
        others = rectangle(card.columns, 1);
        if (is_many && !s.is_loopback) masters = {{0, 1}};
        break;
      case Pattern::RowToRow:
        masters = others = rectangle(card.columns, 1);
        if (is_many && !s.is_loopback) masters = rectangle(card.columns, 1, {0, 1});
        break;
      case Pattern::OneToColumn:
        others = rectangle(1, card.rows);
        if (is_many && !s.is_loopback) masters = {{1, 0}};
        break;
      case Pattern::ColumnToColumn:
        masters = others = rectangle(1, card.rows);
        if (is_many && !s.is_loopback) masters = rectangle(1, card.rows, {1, 0});
        break;
    }
    if (masters.size() == 1 && !is_many)
      std::erase_if(others,
                    [&](Core core) { return core.x == masters[0].x && core.y == masters[0].y; });
  }
  std::vector<Loop> loops;
  const bool is_sharded = s.memory == Memory::DramSharded;
  for (std::size_t number = 0; number < masters.size(); ++number) {
    Loop& loop = loops.emplace_back();
    const NocPlace own = router(s.arch, masters[number]);
    const unsigned row_major = masters[number].y * card.columns + masters[number].x;
    if (s.memory != Memory::L1) loop.begin = (masters.size() > 1 ? kBarrierTurn : 0) * row_major;
    const std::uint32_t each = is_many || s.memory != Memory::L1
                                   ? s.transactions
                                   : s.transactions / static_cast<std::uint32_t>(others.size());
    const Gaps gaps = gaps_of(s, each);
    double at = 0;
    std::uint64_t before = 0;
    const auto add = [&](noc::Shipment shipment, double gap) {
      for (std::uint32_t left = bytes; left != 0;) {
        shipment.bytes = std::min<std::uint32_t>(left, record.packet_bytes);
        left -= shipment.bytes;
        at += loop.calls.empty() ? gaps.first : gap;
        gap = gaps.each;
        const auto cycle = static_cast<std::uint64_t>(at);
        loop.calls.push_back({shipment, static_cast<std::uint32_t>(cycle - before)});
        before = cycle;
      }
    };
    noc::Shipment shipment{
        .kind = is_read ? noc::Transaction::Kind::Read : noc::Transaction::Kind::Write,
        .noc = noc,
        .from = own};
    if (is_many) {
      for (const Core& core : others) shipment.many.push_back(router(s.arch, core));
      for (std::uint32_t i = 0; i < each; ++i) {
        shipment.is_linked = s.mechanism == Mechanism::MulticastLinked && i + 1 < each;
        add(shipment, gaps.each);
      }
    } else if (s.memory != Memory::L1) {
      const auto banks = static_cast<std::uint32_t>(record.banks.size());
      for (std::uint32_t i = 0; i < each; ++i) {
        const std::uint32_t bank = (row_major + (is_sharded ? 0 : i)) % banks;
        shipment.bank = bank;
        shipment.to = noc::bank_router(s.arch, noc, bank);
        add(shipment, gaps.each);
      }
    } else {
      for (const Core& core : others) {
        shipment.to = router(s.arch, core);
        for (std::uint32_t i = 0; i < each; ++i)
          add(shipment, gaps.each + (i == 0 ? gaps.other : 0));
      }
    }
  }
  return loops;
}

unsigned cores_of(Arch arch) {
  return card_of(arch).columns * card_of(arch).rows;
}

std::uint64_t packets_of(const std::vector<Loop>& loops) {
  std::uint64_t packets = 0;
  for (const Loop& loop : loops) packets += loop.calls.size();
  return packets;
}

namespace {

/// Loops that run side by side on one network.
class Run {
 public:
  Run(Arch arch, const std::vector<Loop>& loops)
      : loops_(loops), network_(arch), cores_(loops.size()) {
    for (std::size_t loop = 0; loop < loops.size(); ++loop)
      if (!loops[loop].calls.empty())
        turns_.emplace(loops[loop].begin + loops[loop].calls[0].gap, loop);
  }

  /// The cycle of the last answer of each.
  std::vector<std::uint64_t> ends() {
    while (!turns_.empty() || held_ != 0) step();
    network_.advance(noc::Network::kNever, passages_);
    hear();
    std::vector<std::uint64_t> ends;
    for (const Core& core : cores_) ends.push_back(core.end);
    return ends;
  }

 private:
  struct Core {
    std::size_t called = 0, left = 0;
    std::optional<std::uint64_t> held; ///< since when its next call waits
    std::uint64_t end = 0;
  };
  using Turn = std::pair<std::uint64_t, std::size_t>;

  /// The register of a multicast is free again once its packet has a virtual channel, which is when
  /// the one before has left (ISA NoC/MemoryMap, NOC_CMD_CTRL).
  bool is_held(std::size_t loop) const {
    const Core& core = cores_[loop];
    return !loops_[loop].calls[core.called].shipment.many.empty() && core.called >= core.left + 2;
  }

  void step() {
    const std::uint64_t next = network_.next();
    if (held_ != 0 && (turns_.empty() || next < turns_.top().first)) {
      network_.advance(next + 1, passages_);
      hear();
      return;
    }
    const auto [cycle, loop] = turns_.top();
    turns_.pop();
    network_.advance(cycle, passages_);
    hear();
    if (is_held(loop)) {
      cores_[loop].held = cycle;
      ++held_;
    } else {
      call(loop, cycle);
    }
  }

  void call(std::size_t loop, std::uint64_t cycle) {
    const std::vector<Loop::Call>& calls = loops_[loop].calls;
    Core& core = cores_[loop];
    noc::Shipment shipment = calls[core.called].shipment;
    shipment.key = loop;
    network_.ask(shipment, cycle);
    if (++core.called < calls.size()) turns_.emplace(cycle + calls[core.called].gap, loop);
  }

  void hear() {
    for (const noc::Passage& each : std::exchange(passages_, {})) {
      Core& core = cores_[each.key];
      if (each.kind == noc::Passage::Kind::Answered) core.end = std::max(core.end, each.cycle);
      if (each.kind != noc::Passage::Kind::Left) continue;
      ++core.left;
      if (!core.held || is_held(each.key)) continue;
      turns_.emplace(std::max(*core.held, each.cycle + 1), each.key);
      core.held.reset();
      --held_;
    }
  }

  const std::vector<Loop>& loops_;
  noc::Network network_;
  std::vector<Core> cores_;
  std::size_t held_ = 0; ///< cores whose next call waits
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
  std::vector<noc::Passage> passages_;
};

} // namespace

double cycles_of(Arch arch, const std::vector<Loop>& loops) {
  std::vector<std::uint64_t> end = Run(arch, loops).ends();
  if (loops.size() > 1 && loops[1].begin != 0)
    return static_cast<double>(*std::ranges::max_element(end));
  std::ranges::sort(end);
  const std::size_t half = end.size() / 2;
  return end.size() % 2 == 1
             ? static_cast<double>(end[half])
             : (static_cast<double>(end[half - 1]) + static_cast<double>(end[half])) / 2;
}

} // namespace lanewise::traffic
