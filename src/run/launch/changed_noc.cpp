#include "run/launch/changed_noc.h"

#include <cstring>
#include <utility>

#include "run/launch/noc_waits.h"

namespace lanewise::launch {

namespace {

using noc::Location;
using noc::Transaction;
using Change = noc::Noc::Change;

constexpr std::uint32_t kWordBytes = 4;

Mend::Kind kind_of(Change change) {
  switch (change) {
    case Change::CountReceivers: return Mend::Kind::CountReceivers;
    case Change::OtherCorners: return Mend::Kind::OtherCorners;
    case Change::NoLink: break;
  }
  return Mend::Kind::NoLink;
}

void go_by(Transaction& t, const Mend& way) {
  t.noc = way.noc;
  t.channel = way.channel;
  if (!way.is_many || t.destination.memory != Location::Memory::OtherL1) return;
  t.receivers = {std::exchange(t.destination.bank, 0U)};
  t.destination.memory = Location::Memory::Many;
}

/// As much is added as would have been written.
void add_instead(Transaction& t, std::span<const std::uint8_t> l1) {
  if (t.kind == Transaction::Kind::Write)
    std::memcpy(&t.value, l1.data() + t.source.address, kWordBytes);
  t.kind = Transaction::Kind::Increment;
  t.source = {};
}

} // namespace

void change_noc(noc::Noc& noc, const std::vector<Mend>& mends, std::span<const std::uint8_t> l1) {
  noc.changes = [&mends](Change change, unsigned core, std::uint32_t line) {
    return find_mend(mends, kind_of(change), core, [line] { return line; }) != nullptr;
  };
  noc.reroute = [&mends, l1](Transaction& t) {
    const auto find = [&](Mend::Kind kind) {
      return find_mend(mends, kind, t.core, [&t] { return t.line; });
    };
    if (t.kind == Transaction::Kind::Read) return;
    if (const Mend* const way = find(Mend::Kind::OtherWay)) go_by(t, *way);
    if (const Mend* const place = find(Mend::Kind::OwnPlace)) t.destination.address += place->bytes;
    if (is_write(t) && t.bytes == kWordBytes && find(Mend::Kind::Added) != nullptr)
      add_instead(t, l1);
  };
}

} // namespace lanewise::launch
