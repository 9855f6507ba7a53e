#include "number/tensors/tile_input.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "number/tensors/pattern.h"

namespace lanewise::tensors {

Expected<Tensor> make_tile_input(std::string_view specification, formats::Format format) {
  std::error_code ignored;
  const std::size_t at = specification.rfind('@');
  if (at == std::string_view::npos || std::filesystem::exists(specification, ignored))
    return make_input(specification, format);
  const auto own = formats::parse_format(specification.substr(at + 1));
  if (!own) return Unexpected(own.error());
  return make_input(specification.substr(0, at), *own);
}

Expected<void> check_tiles_apart(std::span<const Tensor> inputs) {
  // In units of the rows that a tile of 16 bits takes.
  const auto size = [&](std::size_t i) -> std::size_t {
    return formats::is_32bit(inputs[i].format) ? 2 : 1;
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t k = i + 1; k < inputs.size(); ++k) {
      const std::size_t first = i * size(i), second = k * size(k);
      if (first + size(i) <= second || second + size(k) <= first) continue;
      return bad_input(fmt::format("inputs {} ({}) and {} ({}) lie in the same rows of Dst", i + 1,
                                   formats::format_name(inputs[i].format), k + 1,
                                   formats::format_name(inputs[k].format)),
                       "give both 16 bits or both 32 bits, or another order");
    }
  }
  return {};
}

} // namespace lanewise::tensors
