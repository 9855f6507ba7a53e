#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/in_quotes.h"
#include "source/sfpi/kernel.h"

namespace lanewise::sfpi {

Expected<Faces> parse_faces(std::string_view name) {
  constexpr std::array kNames{std::pair{"whole", Faces::Whole}, std::pair{"rc", Faces::RC},
                              std::pair{"r", Faces::R}, std::pair{"c", Faces::C}};
  for (const auto& [known, faces] : kNames) {
    if (name == known) return faces;
  }
  return bad_input(fmt::format("there are no faces {}", in_quotes(name)), "use rc, r, c or whole");
}

} // namespace lanewise::sfpi
