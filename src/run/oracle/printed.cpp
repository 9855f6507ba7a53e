#include "run/oracle/printed.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/source_line.h"

namespace lanewise::oracle {

namespace {

std::string number_text(compiler::NumberType type, std::uint32_t bits) {
  switch (type) {
    case compiler::NumberType::Float: return fmt::format("{}", std::bit_cast<float>(bits));
    case compiler::NumberType::Int: return fmt::format("{}", static_cast<std::int32_t>(bits));
    case compiler::NumberType::UInt: return fmt::format("{:#x}", bits);
  }
  return {};
}

std::string_view type_text(compiler::NumberType type) {
  switch (type) {
    case compiler::NumberType::Float: return "vFloat";
    case compiler::NumberType::Int: return "vInt";
    case compiler::NumberType::UInt: return "vUInt";
  }
  return {};
}

std::string lane_text(const Printed& printed, unsigned lane) {
  if ((printed.defined >> lane & 1U) == 0) return "-";
  std::string text = number_text(printed.type, printed.lanes[lane]);
  return (printed.enabled >> lane & 1U) != 0 ? text : "(" + text + ")";
}

} // namespace

std::string to_text(const Printed& printed) {
  constexpr unsigned kRows = kLanes / kColumns;
  std::vector<std::string> texts(printed.lanes.size());
  const std::size_t columns = texts.size() / kRows;
  std::size_t width = 0;
  for (unsigned lane = 0; lane < texts.size(); ++lane) {
    texts[lane] = lane_text(printed, lane);
    width = std::max(width, texts[lane].size());
  }
  std::string result = fmt::format("{}: {}", printed.label, type_text(printed.type));
  if (printed.site != nullptr && has_line(printed.site->line))
    result += ", " + line_text(printed.site->line);
  if (std::equal(texts.begin() + 1, texts.end(), texts.begin()))
    return result + fmt::format(": {} in all lanes\n", texts.front());
  result += '\n';
  const auto row_begins = [&](std::size_t row) {
    return texts.begin() + static_cast<std::ptrdiff_t>(row * columns);
  };
  for (unsigned row = 0; row < kRows;) {
    unsigned next = row + 1;
    while (next < kRows && std::equal(row_begins(row), row_begins(row + 1), row_begins(next)))
      ++next;
    for (auto text = row_begins(row); text != row_begins(row + 1); ++text)
      result += fmt::format("  {:>{}}", *text, width);
    result += next == row + 1 ? "\n" : fmt::format("  in rows {} to {}\n", row, next - 1);
    row = next;
  }
  return result;
}

} // namespace lanewise::oracle
