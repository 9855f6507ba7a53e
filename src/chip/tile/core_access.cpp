#include "chip/tile/core_access.h"

namespace lanewise::tile {

namespace {

using Kind = CoreAction::Kind;

bool touch_the_same(const CoreAction& one, const CoreAction& other) {
  return one.kind == other.kind && one.address < other.address + other.bytes &&
         other.address < one.address + one.bytes;
}

bool looks_again(const CoreAction& before, const CoreAction& action) {
  return action.kind == Kind::Load && before.kind == Kind::Load &&
         before.address == action.address && before.bytes == action.bytes &&
         before.line == action.line;
}

} // namespace

bool AccessCount::hear(const CoreAction& action) {
  const bool counts = touch_the_same(access_, action) && !(last_ && looks_again(*last_, action));
  last_ = action;
  if (counts) ++count_;
  return counts;
}

void AccessFinder::hear(unsigned core, const CoreAction& action, std::uint64_t cycle) {
  if (core != access_.core) return;
  if (count_.hear(action) && count_.count() == access_.number + 1) cycle_ = cycle;
}

std::optional<CoreAccess> access_of(const RaceProgram& program, const RaceReference& reference,
                                    const Touch& touch) {
  const CoreScript& script = program.script[touch.agent.thread];
  const auto& done = reference.done[touch.agent.thread];
  if (!touch.agent.is_core || touch.ordinal >= done.size()) return std::nullopt;
  CoreAccess access{.core = touch.agent.thread, .action = script.action(done[touch.ordinal])};
  if (access.action.kind != (touch.writes ? Kind::Store : Kind::Load)) return std::nullopt;
  AccessCount count(access.action);
  for (std::uint64_t i = 0; i < done.size(); ++i) {
    count.hear(script.action(done[i]));
    if (i == touch.ordinal) access.number = count.count() - 1;
  }
  access.total = count.count();
  return access;
}

} // namespace lanewise::tile
