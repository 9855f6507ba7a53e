#include "chip/isa/replay.h"

#include <algorithm>

#include "chip/isa/encoding.h"
#include "chip/isa/fields.h"

namespace lanewise::isa {

std::optional<ReplayCommand> replay_command(std::uint32_t word) {
  static_assert(std::ranges::all_of(
      kArchs, [](Arch arch) { return table_row(arch, Op::REPLAY)->opcode == kReplayOpcode; }));
  constexpr unsigned kZeroMeans = 64;
  if (!is_replay(word)) return std::nullopt;
  const unsigned count = field<"Count", Op::REPLAY>(word);
  return ReplayCommand{.index = field<"Index", Op::REPLAY>(word),
                       .count = count == 0 ? kZeroMeans : count,
                       .execute = field<"Exec", Op::REPLAY>(word) != 0,
                       .load = field<"Load", Op::REPLAY>(word) != 0};
}

} // namespace lanewise::isa
