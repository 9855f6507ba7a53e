#include "cli/l1_files.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "base/whole_number.h"
#include "cli/output.h"

namespace lanewise::cli {

namespace {

std::optional<std::uint32_t> number_of(std::string_view text) {
  const auto number = parse_whole_number(text);
  return number && *number <= UINT32_MAX ? std::optional(static_cast<std::uint32_t>(*number))
                                         : std::nullopt;
}

bool is_in_l1(std::uint32_t address, std::size_t bytes, Arch arch) {
  const std::uint32_t l1 = arch_params(arch).tile.l1_bytes;
  return address <= l1 && bytes <= l1 - address;
}

Unexpected outside(std::string_view option, std::string_view text, Arch arch) {
  return bad_input(fmt::format("'{} {}' goes beyond the end of L1, which has 0x{:X} bytes", option,
                               text, arch_params(arch).tile.l1_bytes),
                   "give a smaller address or fewer bytes");
}

Expected<tile::L1Input> read_input(const std::string& text, Arch arch) {
  const std::size_t equals = text.find('=');
  const auto address = number_of(std::string_view(text).substr(0, equals));
  if (equals == std::string::npos || !address) {
    return bad_input(fmt::format("'--in {}' names no address and no file", text),
                     "write --in ADDRESS=FILE, such as --in 0x21000=tile.bin");
  }
  auto bytes = read_file(text.substr(equals + 1));
  if (!bytes) return Unexpected(bytes.error());
  if (!is_in_l1(*address, bytes->size(), arch)) return outside("--in", text, arch);
  return tile::L1Input{*address, std::move(*bytes)};
}

Expected<L1Output> parse_output(const std::string& text, Arch arch) {
  const std::size_t equals = text.find('='), colon = text.find(':');
  const std::string_view all = text;
  const auto address = number_of(all.substr(0, colon));
  const auto bytes = colon < equals && equals != std::string::npos
                         ? number_of(all.substr(colon + 1, equals - colon - 1))
                         : std::nullopt;
  if (!address || !bytes || equals + 1 == text.size()) {
    return bad_input(fmt::format("'--out {}' names no address, number of bytes and file", text),
                     "write --out ADDRESS:BYTES=FILE, such as --out 0x31000:2048=result.bin; "
                     "0 bytes are all up to the end of L1");
  }
  if (!is_in_l1(*address, *bytes, arch)) return outside("--out", text, arch);
  const std::uint32_t rest = arch_params(arch).tile.l1_bytes - *address;
  return L1Output{*address, *bytes == 0 ? rest : *bytes, text.substr(equals + 1)};
}

} // namespace

void add_l1_options(const Command& command, L1Options& options) {
  command.option("--in", options.in, "Put a file into L1 before: ADDRESS=FILE")
      .value("ADDRESS=FILE")
      .one_at_a_time();
  command
      .option("--out", options.out, "Write bytes of L1 into a file afterwards: ADDRESS:BYTES=FILE")
      .value("ADDRESS:BYTES=FILE")
      .one_at_a_time();
  command
      .option("--config", options.config,
              "Give a field of the configuration a value before: NAME=VALUE, for all threads")
      .one_at_a_time();
  command
      .option("--order", options.order,
              "Who takes turns: round-robin, random, adversarial or priority")
      .one_of({"round-robin", "random", "adversarial", "priority"});
  command.option("--seed", options.seed, "Of the order");
  command.flag("--hazards", options.hazards,
               "Report instructions that come too early for what their thread has under way");
  add_race_options(command, options.races);
  add_tile_time_options(command, options.time);
  add_gather_option(command, options.time);
}

Expected<void> check_l1_options(const L1Options& options) {
  if (auto checked = check_race_options(options.races); !checked) return checked;
  if (options.json && !options.races.races && !options.time.time)
    return bad_input("--json prints races or a time, and neither was asked for",
                     "give --time or --races, too");
  return check_tile_time(options.time, schedule_choice(options), options.races.races);
}

Expected<std::vector<tile::L1Input>> read_l1_inputs(const L1Options& options, Arch arch) {
  std::vector<tile::L1Input> all;
  for (const std::string& text : options.in) {
    auto each = read_input(text, arch);
    if (!each) return Unexpected(each.error());
    all.push_back(std::move(*each));
  }
  return all;
}

Expected<std::vector<ConfigSetting>> parse_config(const L1Options& options) {
  std::vector<ConfigSetting> all;
  for (const std::string& text : options.config) {
    const std::size_t equals = text.find('=');
    const auto value =
        equals == std::string::npos ? std::nullopt : number_of(text.substr(equals + 1));
    if (!value) {
      return bad_input(fmt::format("'--config {}' names no field and number", text),
                       "write --config NAME=VALUE, such as --config ALU_ACC_CTRL_Fp32_enabled=1");
    }
    all.push_back({.name = text.substr(0, equals), .value = *value, .line = 0});
  }
  return all;
}

Expected<std::vector<L1Output>> parse_l1_outputs(const L1Options& options, Arch arch) {
  std::vector<L1Output> all;
  for (const std::string& text : options.out) {
    auto each = parse_output(text, arch);
    if (!each) return Unexpected(each.error());
    if (auto writable = check_can_write(each->file); !writable) return Unexpected(writable.error());
    all.push_back(std::move(*each));
  }
  return all;
}

Expected<void> write_l1_outputs(const std::vector<L1Output>& outputs,
                                std::span<const std::byte> l1) {
  for (const L1Output& output : outputs) {
    const auto bytes = l1.subspan(output.address, output.bytes);
    if (auto written = write_file_atomically(output.file, bytes); !written) return written;
  }
  return {};
}

tile::ScheduleChoice schedule_choice(const L1Options& options) {
  return {.order = tile::order_named(options.order), .seed = options.seed};
}

} // namespace lanewise::cli
