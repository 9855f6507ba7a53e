#include "run/host/device_choice.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/in_quotes.h"
#include "chip/isa/noc_record.h"

namespace lanewise::host {

namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// As the headers of host programs choose it (chip.hpp there).
std::optional<Arch> chosen_arch(const std::string& given) {
  if (!given.empty()) return parse_whole_arch(given);
  for (const char* name : {kArchVariable, "ARCH_NAME"}) {
    if (std::getenv(name) == nullptr) continue;
    const std::string value = variable(name);
    for (const Arch arch : kArchs)
      if (arch_params(arch).names.metal_folder == value) return arch;
    return parse_whole_arch(value);
  }
  return kDefaultArch;
}

/// A number of 1 to `most` at the start of `text`, which is taken from it.
bool take_side(std::string_view& text, unsigned most) {
  unsigned side = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return side >= 1 && side <= most;
}

bool is_grid(std::string_view text, NocPlace most) {
  if (!take_side(text, most.x) || !text.starts_with('x')) return false;
  text.remove_prefix(1);
  return take_side(text, most.y) && text.empty();
}

} // namespace

Expected<void> check_choice(const DeviceChoice& choice) {
  const std::string grid = choice.grid.empty() ? variable(kGridVariable) : choice.grid;
  const auto arch = chosen_arch(choice.arch);
  if (grid.empty() || !arch || noc_record(*arch) == nullptr) return {};
  const NocPlace most = noc_record(*arch)->compute_grid;
  if (is_grid(grid, most)) return {};
  return bad_input(fmt::format("{} is no grid of cores of {}: it has {} columns and {} rows",
                               in_quotes(grid), arch_params(*arch).names.family, most.x, most.y),
                   fmt::format("write COLUMNSxROWS, from 1x1 to {}x{}, for {}", most.x, most.y,
                               choice.grid.empty() ? kGridVariable : "--grid"));
}

} // namespace lanewise::host
