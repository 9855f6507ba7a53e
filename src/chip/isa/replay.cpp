#include "chip/isa/replay.h"

#include "chip/isa/encoding.h"
#include "chip/isa/fields.h"

namespace lanewise::isa {

std::optional<ReplayCommand> replay_command(std::uint32_t word) {
  static_assert(table_row(Arch::Blackhole, Op::REPLAY)->opcode == kReplayOpcode &&
                table_row(Arch::Wormhole, Op::REPLAY)->opcode == kReplayOpcode);
  constexpr unsigned kZeroMeans = 64;
  if (!is_replay(word)) return std::nullopt;
  const unsigned count = field<"Count", Op::REPLAY>(word);
  return ReplayCommand{.index = field<"Index", Op::REPLAY>(word),
                       .count = count == 0 ? kZeroMeans : count,
                       .execute = field<"Exec", Op::REPLAY>(word) != 0,
                       .load = field<"Load", Op::REPLAY>(word) != 0};
}

} // namespace lanewise::isa
