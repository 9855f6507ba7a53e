#include "study/tune/block_proof.h"

#include <fmt/format.h>

#include <random>

#include "chip/machine/executor.h"
#include "chip/timing/tile_cost.h"
#include "run/execution/tile_runner.h"
#include "study/tune/block.h"
#include "study/tune/block_values.h"

namespace lanewise::tune {

namespace {

constexpr unsigned kRandomRuns = 4;

/// Every cell of Dst at random, and numbers where differences show among them.
void fill(Dst& dst, std::mt19937& random) {
  constexpr std::array<std::uint16_t, 8> kEdges{0x0000, 0x8000, 0x3F80, 0xBF80,
                                                0x7F80, 0xFF80, 0x7FFF, 0x0001};
  for (auto& row : dst.cell) {
    for (std::uint16_t& cell : row) {
      const auto drawn = static_cast<std::uint32_t>(random());
      cell = drawn % 4 == 0 ? kEdges[drawn / 4 % kEdges.size()]
                            : static_cast<std::uint16_t>(drawn >> 16);
    }
  }
  for (unsigned row = 0; row < kDstRows; ++row) dst.set_valid(row, true);
}

std::map<std::uint32_t, std::uint32_t> random_pauses(std::size_t words, std::mt19937& random) {
  std::map<std::uint32_t, std::uint32_t> pauses;
  constexpr unsigned kOneOf = 5, kLongest = 8;
  for (std::uint32_t i = 0; i < words; ++i)
    if (random() % kOneOf == 0) pauses[i] = static_cast<std::uint32_t>(1 + random() % kLongest);
  return pauses;
}

/// What a program leaves of a state whose Dst is filled.
Expected<MachineState> run_on(const Plain& plain, formats::Format format, std::size_t passes,
                              std::mt19937 random, bool is_late) {
  const Program program = timing::on_tiles(plain.program, passes);
  const auto timed = execution::schedule_on_tile(plain.arch, program,
                                                 {.format = format, .as_kernel = plain.as_kernel});
  if (!timed) return Unexpected(timed.error());
  MachineState state = timed->start;
  fill(state.dst, random);
  timing::Schedule late;
  if (is_late) {
    timing::ScheduleOptions options{.model = timing::HazardModel::Hardware};
    options.pauses = random_pauses(program.words.size(), random);
    late = timing::schedule(state, timed->program, options);
  }
  execute(state, is_late ? late.ops(timed->program) : timed->ops());
  return state;
}

std::string first_other_cell(const Dst& expected, const Dst& found) {
  for (unsigned row = 0; row < kDstRows; ++row)
    for (unsigned column = 0; column < kDstColumns; ++column)
      if (expected.cell[row][column] != found.cell[row][column])
        return fmt::format("row {}, column {} of Dst: 0x{:x} instead of 0x{:x}", row, column,
                           found.cell[row][column], expected.cell[row][column]);
  return {};
}

/// Whether a program finds the next tile at the same place in Dst.
Expected<bool> stays_in_dst(const Plain& plain, formats::Format format) {
  const auto tile = tile_program(plain, format);
  if (!tile) return Unexpected(tile.error());
  MachineState state = tile->start;
  execute(state, tile->ops);
  return state.rwc.dst == tile->start.rwc.dst &&
         state.config.dst_settings().offset == tile->start.config.dst_settings().offset;
}

/// Two in a row work on the same tile if both programs stay at it.
Expected<std::size_t> common_passes(const Plain& plain, const Plain& tuned,
                                    formats::Format format) {
  for (const Plain* each : {&plain, &tuned}) {
    const auto stays = stays_in_dst(*each, format);
    if (!stays) return Unexpected(stays.error());
    if (!*stays) return 1;
  }
  return 2;
}

Proof not_same(std::string why) {
  Proof proof;
  proof.failure = std::move(why);
  return proof;
}

} // namespace

Expected<std::string> differ_in_values(const Plain& plain, const Plain& tuned,
                                       formats::Format format) {
  ValueTable table;
  std::vector<FollowedBlock> blocks;
  for (const Plain* each : {&plain, &tuned}) {
    const auto tile = tile_program(*each, format);
    if (!tile) return Unexpected(tile.error());
    auto block = follow_block(table, tile->start, tile->ops);
    if (!block) return Unexpected(block.error());
    blocks.push_back(std::move(*block));
  }
  // The registers that a tile finds it leaves to the next one.
  const StateSet kept = blocks[0].entry_reads | blocks[1].entry_reads;
  return find_difference(blocks[0].end, blocks[1].end, kept);
}

Expected<std::string> differ_on_random_tiles(const Plain& plain, const Plain& tuned,
                                             formats::Format format) {
  const auto passes = common_passes(plain, tuned, format);
  if (!passes) return Unexpected(passes.error());
  for (unsigned run = 0; run < kRandomRuns; ++run) {
    const std::mt19937 random(run);
    const auto expected = run_on(plain, format, *passes, random, false);
    if (!expected) return Unexpected(expected.error());
    for (const bool is_late : {false, true}) {
      const auto found = run_on(tuned, format, *passes, random, is_late);
      if (!found) return Unexpected(found.error());
      if (auto other = first_other_cell(expected->dst, found->dst); !other.empty()) return other;
    }
  }
  return std::string();
}

Expected<Proof> prove_block(const Plain& plain, const Tuned& tuned, const Plain& printed,
                            const ProofOptions& options) {
  auto proof = check_printed(tuned, printed, options);
  if (!proof || !proof->holds) return proof;
  const Plain words{tuned.arch, to_program(tuned, "tuned"), plain.as_kernel};
  const auto values = differ_in_values(plain, words, options.format);
  if (!values) return Unexpected(values.error());
  if (!values->empty()) return not_same(*values);
  const auto tiles = differ_on_random_tiles(plain, words, options.format);
  if (!tiles) return Unexpected(tiles.error());
  if (!tiles->empty()) return not_same("on random tiles, " + *tiles);
  proof->kind = ProofKind::DataFlow;
  return proof;
}

} // namespace lanewise::tune
