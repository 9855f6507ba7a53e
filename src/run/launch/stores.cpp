#include "run/launch/stores.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/source_line.h"

namespace lanewise::launch {

namespace {

constexpr std::size_t kMostRanges = 16; ///< of a core, of which the oldest is forgotten
constexpr std::uint32_t kStoredWord = 4;

} // namespace

void Stores::touch(unsigned core, std::uint64_t code, const LineOf& line, const L1Range& range) {
  Core& own = core_[core];
  if (!range.changes) return own.stored.clear();
  const std::uint64_t begin = range.address, end = begin + range.bytes;
  for (Range& known : own.stored) {
    if (known.code != code || begin > known.end || end < known.begin) continue;
    known.begin = std::min(known.begin, begin);
    known.end = std::max(known.end, end);
    return;
  }
  if (own.stored.size() == kMostRanges) own.stored.erase(own.stored.begin());
  own.stored.push_back({.code = code, .begin = begin, .end = end});
  if (!own.line.contains(code)) own.line.emplace(code, line());
}

void Stores::ask(const noc::Transaction& t) {
  using Kind = noc::Transaction::Kind;
  const bool is_copy = t.kind == Kind::Read || t.kind == Kind::Write;
  if (!is_copy || t.bytes <= kStoredWord || t.source.memory != noc::Location::Memory::L1) return;
  const Core& own = core_[t.core];
  const auto taken = std::ranges::find_if(own.stored, [&](const Range& range) {
    return range.begin < t.source.address + t.bytes && t.source.address < range.end;
  });
  if (taken == own.stored.end()) return;
  found_.add(t.core, t.line, FaultKind::NonContractual,
             fmt::format("asks for {}, where stores of {} may not have come yet: they and the NoC "
                         "reach L1 by ways of their own",
                         transaction_text(t), line_text(own.line.at(taken->code))),
             "load the last word back that was stored there, by a volatile pointer, before",
             "programs 19");
}

} // namespace lanewise::launch
