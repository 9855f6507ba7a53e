#include "chip/clock/l1_clock.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace lanewise::clock {

namespace {

constexpr std::uint64_t kUnit = 16; ///< bytes of an access

/// The 16-byte units of rows, one after the other.
class UnitsOf {
 public:
  explicit UnitsOf(const tile::Traffic::Rows& rows) : rows_(rows) { begin_row(); }

  bool is_end() const { return row_ == rows_.rows; }
  std::uint64_t address() const { return at_; }

  void next() {
    at_ += kUnit;
    if (at_ < end_) return;
    ++row_;
    begin_row();
  }

 private:
  /// A unit that the row before has had, too, is read once.
  void begin_row() {
    if (is_end()) return;
    const std::uint64_t first = rows_.first + row_ * rows_.stride;
    const std::uint64_t unit = first / kUnit * kUnit;
    at_ = unit < end_ && rows_.stride <= rows_.bytes ? end_ : unit;
    end_ = (first + rows_.bytes + kUnit - 1) / kUnit * kUnit;
    if (at_ < end_) return;
    ++row_;
    begin_row();
  }

  const tile::Traffic::Rows& rows_;
  std::uint64_t row_ = 0, at_ = 0, end_ = 0;
};

} // namespace

L1Clock::L1Clock(Arch arch) : chip_(clock_params(arch)), cycles_(kCycles) {}

L1Clock::Cycle& L1Clock::at(std::uint64_t cycle) {
  Cycle& place = cycles_[cycle % kCycles];
  if (place.number == cycle) return place;
  if (place.number != ~std::uint64_t{0} && place.number > cycle) return forgotten_ = {};
  return place = {.number = cycle};
}

std::uint32_t L1Clock::bank_of(std::uint64_t address) const {
  return std::uint32_t{1} << (address / kUnit % chip_.l1_banks);
}

/// Accesses in a cycle that an unpacker has which wants so many, beside the other one.
unsigned L1Clock::shared(unsigned unpacker, unsigned wants, unsigned other) const {
  if (!chip_.unpackers_share || wants == 0 || other == 0) return wants;
  const auto speed = [](unsigned accesses) { return std::bit_width(std::min(accesses, 4U)) - 1; };
  return unpacker == 0 ? chip_.shared_fetch[speed(wants)][speed(other)][0]
                       : chip_.shared_fetch[speed(other)][speed(wants)][1];
}

/// The accesses that an unpacker has in a cycle. If the other one has read in it already, it has
/// had too many; what it has to make up for it does when it reads next, or beside this one.
unsigned L1Clock::begin(unsigned unpacker, std::uint64_t now) {
  Cycle& cycle = at(now);
  const unsigned other = unpacker ^ 1U, wants = wants_[unpacker];
  const bool has_read = cycle.accesses[other] != 0;
  const unsigned others = has_read ? cycle.accesses[other] : late_[other] != 0 ? wants_[other] : 0;
  if (cycle.accesses[unpacker] == 0) {
    cycle.accesses[unpacker] = static_cast<std::uint8_t>(wants);
    const unsigned has = shared(other, others, wants);
    late_[other] += has_read ? others - has : 0;
    late_[other] -= has_read ? 0 : std::min(late_[other], has);
  }
  return shared(unpacker, wants, others);
}

/// Whether a client has a bank in a cycle. If another one has asked for it before, it has it only
/// if it is its turn.
[[gnu::always_inline]] inline bool L1Clock::take(std::size_t client, std::uint32_t bank,
                                                 std::uint64_t now, bool is_its_turn) {
  Cycle& cycle = at(now);
  const auto [of_first, of_second, of_packers] = cycle.taken;
  if (((of_first | of_second | of_packers | cycle.kept | cycle.written_back) & bank) == 0) {
    cycle.taken[client] |= bank; // as mostly: nobody has it
    return true;
  }
  const std::uint32_t kept = cycle.kept | (client == kPackers ? 0 : cycle.written_back);
  if (((kept | cycle.taken[client]) & bank) != 0) return false;
  for (std::size_t other = 0; other < kClients; ++other) {
    if ((cycle.taken[other] & bank) == 0) continue;
    if (!is_its_turn) return false;
    cycle.taken[other] &= ~bank;
    if (pushed_back_at_[other] == now) continue;
    pushed_back_at_[other] = now;
    ++pushed_back_[other];
  }
  cycle.taken[client] |= bank;
  return true;
}

L1Clock::Read L1Clock::read(unsigned unpacker, const tile::Traffic::Rows& rows, unsigned bytes,
                            std::uint64_t from) {
  UnitsOf units(rows);
  if (units.is_end()) return {};
  wants_[unpacker] = std::max<unsigned>(bytes / kUnit, 1);
  std::uint64_t waits = std::exchange(pushed_back_[unpacker], 0), now = from + waits;
  unsigned taken = 0, most = begin(unpacker, now);
  bool has_waited = false;
  const auto go_on = [&](bool was_refused) {
    most = begin(unpacker, ++now);
    taken = 0;
    has_waited = was_refused;
  };
  for (; late_[unpacker] != 0; --late_[unpacker], ++taken) {
    if (taken == most) go_on(false);
  }
  for (; !units.is_end(); units.next(), ++taken) {
    if (taken == most) go_on(false);
    const std::uint32_t bank = bank_of(units.address());
    while (!take(unpacker, bank, now, has_waited)) {
      waits += (at(now).taken[unpacker] & bank) == 0 ? 1 : 0;
      go_on(true);
    }
  }
  return {.cycles = now + 1 - from, .waits = waits};
}

std::uint64_t L1Clock::write(const tile::Traffic::Rows& rows, bool adds, std::uint64_t cycles,
                             std::uint64_t from) {
  UnitsOf units(rows);
  if (units.is_end()) return 0;
  const std::uint64_t count = rows.rows * ((rows.bytes + kUnit - 1) / kUnit);
  const std::uint64_t most = std::max<std::uint64_t>((count + cycles - 1) / cycles, 1);
  std::uint64_t now = from + std::exchange(pushed_back_[kPackers], 0), taken = 0;
  bool has_waited = false;
  const auto go_on = [&](bool was_refused) {
    ++now;
    taken = 0;
    has_waited = was_refused;
  };
  for (; !units.is_end(); units.next(), ++taken) {
    if (taken == most) go_on(false);
    const std::uint32_t bank = bank_of(units.address());
    while (!take(kPackers, bank, now, has_waited)) go_on(true);
    if (adds) at(now + chip_.l1_modify - 1).written_back |= bank;
  }
  const std::uint64_t done = now + 1 - from;
  return done - std::min(done, cycles);
}

void L1Clock::access(std::uint32_t address, bool stores, std::uint64_t cycle) {
  const std::uint32_t bank = bank_of(address);
  const unsigned cycles = stores ? chip_.l1_modify : 1;
  for (unsigned k = 0; k < cycles; ++k) at(cycle + k).kept |= bank;
}

} // namespace lanewise::clock
