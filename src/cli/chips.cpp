#include "cli/chips.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "base/in_quotes.h"

namespace lanewise::cli {

namespace {

std::vector<std::string> ids_of(std::span<const Arch> archs) {
  std::vector<std::string> ids;
  ids.reserve(archs.size());
  for (const Arch arch : archs) ids.emplace_back(arch_params(arch).names.id);
  return ids;
}

/// "a, b or c"; `before_last` is what stands between the last two.
std::string listed(std::span<const std::string> items, std::string_view before_last) {
  return fmt::format("{}{}{}", fmt::join(items.first(items.size() - 1), ", "), before_last,
                     items.back());
}

void add_option_for(const Command& command, Arch& arch, std::span<const Arch> archs) {
  std::vector<std::string> described;
  for (const Arch each : archs) {
    const ChipNames& names = arch_params(each).names;
    described.push_back(
        fmt::format("{} ({}{})", names.id, names.family, each == kDefaultArch ? ", default" : ""));
  }
  command
      .option(
          "--arch", [&arch](const std::string& name) { arch = parse_arch(name).value(); },
          "Chip: " + listed(described, " or "))
      .one_of(ids_of(archs));
}

/// "bh (default)", "wh".
std::vector<std::string> marked_ids() {
  std::vector<std::string> marked;
  for (const Arch arch : kArchs) {
    marked.push_back(
        fmt::format("{}{}", arch_params(arch).names.id, arch == kDefaultArch ? " (default)" : ""));
  }
  return marked;
}

bool has(const ArchParams& chip, ChipNeed need) {
  switch (need) {
    case ChipNeed::Clock: return chip.has_clock;
    case ChipNeed::Kernels: return !chip.names.llk_folder.empty();
  }
  return false;
}

std::string_view reason(ChipNeed need) {
  switch (need) {
    case ChipNeed::Clock:
      return "no public source gives the latencies and hazards of its instructions";
    case ChipNeed::Kernels: return "tt-llk and tt-metal have no kernels for it";
  }
  return {};
}

} // namespace

std::vector<std::string> default_arch_names() {
  return ids_of({&kDefaultArch, 1});
}

std::vector<std::string> whole_arch_names() {
  return ids_of(kArchs);
}

void add_arch_option(const Command& command, Arch& arch) {
  add_option_for(command, arch, kArchs);
}

void add_every_arch_option(const Command& command, Arch& arch) {
  add_option_for(command, arch, kEveryArch);
}

void add_arch_name_option(const Command& command, std::string& name) {
  command.option("--arch", name, "Chip: " + listed(marked_ids(), " or ")).value("CHIP");
}

void add_archs_option(const Command& command, std::vector<std::string>& archs) {
  const std::string all = fmt::format("{}", fmt::join(ids_of(kArchs), ","));
  const std::string help =
      archs == whole_arch_names()
          ? fmt::format("Chips: {} or {} (default)", fmt::join(ids_of(kArchs), ", "), all)
          : fmt::format("Chip: {}, or {}", fmt::join(marked_ids(), ", "), all);
  command.option("--arch", archs, help).value("CHIPS").one_at_a_time().delimiter(',');
}

void add_every_archs_option(const Command& command, std::vector<std::string>& archs,
                            std::string_view several) {
  command
      .option("--arch", archs,
              fmt::format("Chip: {}, gs (docs/grayskull.md), or {}: {}",
                          fmt::join(marked_ids(), ", "), several, fmt::join(ids_of(kArchs), ",")))
      .value("CHIPS")
      .one_at_a_time()
      .delimiter(',');
}

Expected<std::vector<Arch>> chosen_chips(const std::vector<std::string>& names,
                                         std::string_view command, ChipNeed need) {
  auto chips = chosen_chips(names);
  if (!chips) return chips;
  for (const Arch arch : *chips) {
    const ArchParams& chip = arch_params(arch);
    if (has(chip, need)) continue;
    return bad_input(
        fmt::format("'{}' does not know {}: {}", command, chip.names.family, reason(need)),
        "'run', 'asm', 'dis', 'explain', 'isa', 'sweep' and 'diff' know it "
        "(docs/grayskull.md)");
  }
  return chips;
}

Expected<std::vector<Arch>> chosen_chips(const std::vector<std::string>& names) {
  std::vector<Arch> chips;
  for (const std::string& name : names) {
    const auto arch = parse_arch(name);
    if (!arch)
      return bad_input(fmt::format("there is no chip {}", in_quotes(name)),
                       fmt::format("use --arch {}, or several with commas",
                                   fmt::join(ids_of(kEveryArch), ", ")));
    if (std::find(chips.begin(), chips.end(), *arch) != chips.end())
      return bad_input(fmt::format("--arch names {} twice", name), "name each chip once");
    chips.push_back(*arch);
  }
  return chips;
}

} // namespace lanewise::cli
