#include "chip/timing/harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/in_quotes.h"
#include "base/source_line.h"

namespace lanewise::timing {

namespace {

/// Those with a chip's name are the harness constants of timing.md; the two-operand one is read
/// from int32 add there. llk-bench is tt-metal PR 57292: its pushed rows lie 15
/// above the replayed ones, which is what a loop over four faces costs (T5). bh-isolate fits the
/// MATH_ISOLATE rows of tt-lang's table: abs 42.20 with k = 1, acos 586.20 with k = 18. wh-32bit
/// and wh-binary are what 141.5 with k = 4 and 179.7 with k = 5 leave, one figure each.
constexpr std::array kHarnesses{
    Harness{.name = "bh-copy",
            .arch = Arch::Blackhole,
            .overhead = 28.2,
            .summary = "bf16, with the copy into Dst"},
    Harness{.name = "bh-32bit",
            .arch = Arch::Blackhole,
            .overhead = 7.4,
            .summary = "32-bit formats, without the copy"},
    Harness{.name = "bh-binary",
            .arch = Arch::Blackhole,
            .overhead = 18.5,
            .summary = "32-bit formats, two operands"},
    Harness{.name = "bh-isolate",
            .arch = Arch::Blackhole,
            .overhead = 10.2,
            .summary = "LLK's MATH_ISOLATE, one operand"},
    Harness{.name = "llk-bench",
            .arch = Arch::Blackhole,
            .overhead = 15.1,
            .summary = "tile API, replayed",
            .replayed = true},
    Harness{.name = "llk-bench-pushed",
            .arch = Arch::Blackhole,
            .overhead = 30.1,
            .summary = "tile API, pushed in a loop over the faces",
            .returns = 3},
    Harness{.name = "wh-replay",
            .arch = Arch::Wormhole,
            .overhead = 30.9,
            .summary = "replayed",
            .replayed = true},
    Harness{.name = "wh-rolled",
            .arch = Arch::Wormhole,
            .overhead = 55.8,
            .summary = "rolled loops in the core",
            .per_pass = 1},
    Harness{.name = "wh-32bit",
            .arch = Arch::Wormhole,
            .overhead = 13.5,
            .summary = "32-bit formats, without the copy"},
    Harness{.name = "wh-binary",
            .arch = Arch::Wormhole,
            .overhead = 19.7,
            .summary = "32-bit formats, two operands"},
};

/// Which harness measures what: the first row of one on the chip that fits. Nothing stands for
/// either.
struct Choice {
  std::optional<bool> is_32bit, two_operands, replays;
  std::string_view name;
};
constexpr std::nullopt_t kAny = std::nullopt;
constexpr std::array kChoices{
    Choice{kAny, true, kAny, "bh-binary"}, Choice{true, kAny, kAny, "bh-32bit"},
    Choice{kAny, kAny, kAny, "bh-copy"},   Choice{true, true, kAny, "wh-binary"},
    Choice{true, kAny, kAny, "wh-32bit"},  Choice{kAny, kAny, true, "wh-replay"},
    Choice{kAny, kAny, kAny, "wh-rolled"},
};

} // namespace

std::span<const Harness> harnesses() {
  return kHarnesses;
}

const Harness* find_harness(std::string_view name) {
  const auto found = std::find_if(kHarnesses.begin(), kHarnesses.end(),
                                  [&](const Harness& each) { return each.name == name; });
  return found == kHarnesses.end() ? nullptr : &*found;
}

std::string harness_names() {
  std::string names;
  for (const Harness& each : harnesses())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
  return names;
}

Expected<const Harness*> parse_harness(std::string_view name) {
  if (const Harness* harness = find_harness(name)) return harness;
  return bad_input(fmt::format("there is no harness {}", in_quotes(name)),
                   "use one of " + harness_names());
}

const Harness* choose_harness(Arch arch, const HarnessTraits& traits) {
  const auto fits = [](std::optional<bool> wanted, bool found) {
    return wanted.value_or(found) == found;
  };
  const auto choice = std::ranges::find_if(kChoices, [&](const Choice& each) {
    return find_harness(each.name)->arch == arch && fits(each.is_32bit, traits.is_32bit) &&
           fits(each.two_operands, traits.two_operands) && fits(each.replays, traits.replays);
  });
  return choice == kChoices.end() ? nullptr : find_harness(choice->name);
}

double hidden_returns(const Harness& harness, double stalls) {
  if (harness.returns == 0) return 0;
  const double per_return = arch_params(harness.arch).cores.loop_return_cycles;
  const double passes = harness.returns + 1; // the last does not go back
  return harness.returns * std::min(per_return, stalls / passes);
}

double harness_cycles(const Harness& harness, double tile, double passes) {
  return tile + harness.per_pass * passes + harness.overhead;
}

std::uint64_t rolled_loop_cycles(const Schedule& schedule, const MicroProgram& prepared,
                                 const Program& program, std::size_t words_per_pass) {
  if (words_per_pass == 0) return 0;
  std::vector<std::size_t> pass_of; // of each word
  std::size_t words = 0;            // of the kernel
  for (const ProgramWord& word : program.words) {
    pass_of.push_back(words / words_per_pass);
    if (part_of_line(word.line) == ProgramPart::Tile) ++words;
  }
  if (words == 0) return 0;
  std::vector<std::uint64_t> stalls((words - 1) / words_per_pass); // of all passes but the last
  for (const Issue& issue : schedule.issues) {
    const std::uint32_t word = prepared.supply[issue.op].word;
    const bool of_kernel = part_of_line(program.words[word].line) == ProgramPart::Tile;
    if (of_kernel && pass_of[word] < stalls.size()) stalls[pass_of[word]] += issue.before;
  }
  const std::uint64_t per_return = arch_params(schedule.arch).cores.loop_return_cycles;
  std::uint64_t added = 0;
  for (std::uint64_t of_pass : stalls) added += per_return - std::min(per_return, of_pass);
  return added;
}

} // namespace lanewise::timing
