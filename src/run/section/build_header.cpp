#include "run/section/build_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>

#include "base/cache.h"

namespace lanewise::section {
namespace {

namespace fs = std::filesystem;

/// Constants that LLK's build system writes into each test.
const std::array kUsualParameters{
    TestParameter{"formats", "lanewise_formats(DataFormat::Float16_b, DataFormat::Float16_b)"},
    TestParameter{"is_fp32_dest_acc_en", "false"},
    TestParameter{"l1_acc_en", "0"},
    TestParameter{"unpack_to_dest", "false"},
    TestParameter{"TILE_SIZE_PACK", "128u"},
    TestParameter{"TILE_SIZE_UNPACK_A", "128u"},
    TestParameter{"TILE_SIZE_UNPACK_B", "128u"}};

/// Headers of LLK's tests, by which tests know the types of parameters; those that the checkout
/// has.
constexpr std::array<std::string_view, 4> kLlkHeaders{"operand.h", "llk_defs.h", "llk_sfpu_types.h",
                                                      "perf.h"};

/// The header of a checkout of 2025 whose tests make `formats` and its type themselves, and most of
/// the other usual parameters, from parameters of other names.
constexpr std::string_view kOwnFormats = "data_format_inference.h";

/// The formats of a test, all of them one number where a user gives one.
constexpr std::string_view kFormats = R"(struct FormatConfig {
  std::uint32_t unpack_A_src, unpack_B_src, unpack_S_src, unpack_A_dst, unpack_B_dst, unpack_S_dst,
      math, sfpu_math, pack_src, pack_dst, pack_S_src, pack_S_dst;
};
constexpr FormatConfig lanewise_formats(DataFormat in, DataFormat out) {
  const auto from = static_cast<std::uint32_t>(in), to = static_cast<std::uint32_t>(out);
  return {from, from, from, from, from, from, from, from, from, to, from, to};
}
)";

bool is_given(std::span<const TestParameter> parameters, std::string_view name) {
  return std::ranges::any_of(parameters,
                             [&](const TestParameter& each) { return each.name == name; });
}

} // namespace

std::string build_header_text(std::span<const TestParameter> parameters, bool uses_llk) {
  std::string text =
      "#pragma once\n#include <array>\n#include <cstdint>\n#include <type_traits>\n"
      "#include \"tensix_types.h\"\n";
  if (uses_llk) {
    for (const std::string_view header : kLlkHeaders)
      text += fmt::format("#if __has_include(\"{0}\")\n#include \"{0}\"\n#endif\n", header);
  }
  const std::string if_usual = fmt::format("#if !__has_include(\"{}\")\n", kOwnFormats);
  text += if_usual + std::string(kFormats) + "#endif\n";
  text += "#define RUNTIME_PARAMETERS [[maybe_unused]] const struct RuntimeParams&\n";
  std::string members;
  const auto add = [&](const TestParameter& each) {
    text += fmt::format("constexpr auto {} = {};\n", each.name, each.value);
    members += fmt::format("  static constexpr auto {0} = ::{0};\n", each.name);
  };
  std::ranges::for_each(parameters, add);
  text += if_usual;
  members += if_usual;
  for (const TestParameter& usual : kUsualParameters) {
    if (!is_given(parameters, usual.name)) add(usual);
  }
  text += "#endif\n";
  return text + "struct RuntimeParams {\n" + members + "#endif\n};\n";
}

Expected<fs::path> build_header_folder(const std::string& text) {
  return file_in_cache("build", "build.h", text);
}

} // namespace lanewise::section
