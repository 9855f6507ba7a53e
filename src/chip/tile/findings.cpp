#include "chip/tile/findings.h"

#include <fmt/format.h>

#include "base/source_line.h"
#include "chip/isa/encoding.h"

namespace lanewise::tile {

void FindingLog::add(const Finding& finding, unsigned thread, const ProgramWord& word) {
  for (Entry& each : entries_) {
    if (each.finding == &finding && each.thread == thread && each.word == word) {
      ++each.count;
      return;
    }
  }
  if (entries_.size() == kMostEntries) {
    ++dropped_;
    return;
  }
  entries_.push_back({&finding, thread, word, 1});
}

std::vector<Fault> FindingLog::to_faults(Arch arch) const {
  std::vector<Fault> faults;
  for (const Entry& each : entries_) {
    Fault fault{.kind = each.finding->kind,
                .message = fmt::format("T{}: {}", each.thread, each.finding->message),
                .remedy = std::string(each.finding->remedy),
                .rule = std::string(each.finding->rule),
                .line = each.word.line};
    if (each.count > 1) fault.message += fmt::format(" ({} times)", each.count);
    if (const isa::Row* row = isa::decode(arch, each.word.word).row)
      fault.instruction = row->mnemonic;
    settle_place(fault);
    faults.push_back(std::move(fault));
  }
  if (dropped_ != 0) {
    faults.push_back({.kind = FaultKind::Unsupported,
                      .message = fmt::format("{} further findings are not listed", dropped_),
                      .remedy = "mend the first ones"});
  }
  return faults;
}

} // namespace lanewise::tile
