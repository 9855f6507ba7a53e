#include "study/silicon/table_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>

#include "base/text_file.h"

namespace lanewise::silicon {

namespace {

/// A kernel of LLK's tests (tests/helpers/include/sfpu_operations.h of June 2026).
struct TestKernel {
  std::string_view op;       ///< VectorRow::op
  std::string_view header;   ///< ckernel_sfpu_<header>.h
  std::string_view function; ///< that it must have
  std::string_view init, calculate;
};

// The first ones are those of tt-metal issue 53912; its mend (53918) is younger than the table. The
// others: tests call one function for all arithmetic of two tiles.
constexpr std::array kTestKernels{
    TestKernel{"abs", "abs", "_calculate_abs_", "", "_calculate_abs_<false, 8>(8)"},
    TestKernel{"silu", "silu", "_calculate_silu_", "", "_calculate_silu_<false, 8>()"},
    TestKernel{"clamp", "clamp", "_calculate_clamp_", "",
               "_calculate_clamp_<false, 8>(8, 0xBC00u, 0x3C00u, 0u)"},
    TestKernel{"log", "log", "_calculate_log_", "_init_log_<false>()",
               "_calculate_log_<false, false, 8>(8, 0u)"},
    TestKernel{"mul_binary", "binary", "calculate_sfpu_binary",
               "sfpu_binary_init<false, ckernel::BinaryOp::MUL>()",
               "calculate_sfpu_binary<false, ckernel::BinaryOp::MUL, 8>()"},
    TestKernel{"div_binary", "binary", "calculate_sfpu_binary",
               "sfpu_binary_init<false, ckernel::BinaryOp::DIV>()",
               "calculate_sfpu_binary<false, ckernel::BinaryOp::DIV, 8>()"},
    TestKernel{"power_binary", "binary", "calculate_sfpu_binary",
               "sfpu_binary_init<false, ckernel::BinaryOp::POW>()",
               "calculate_sfpu_binary<false, ckernel::BinaryOp::POW, 8>()"}};

/// To which width of Dst a change applies.
enum class Widths : std::uint8_t { Both, Narrow, Wide };

/// A kernel that was changed between June 2026 and the table, found by what its header had before.
struct ChangedKernel {
  std::string_view op; ///< VectorRow::op
  Widths widths;
  std::string_view header;
  std::string_view text; ///< of the header before the change
  std::string_view change;
};

constexpr std::string_view kArcs =
    "tt-metal 50112 (July 2026) has other series for asin, acos and atan";
constexpr std::string_view kSimple =
    "tt-metal 49820 (July 2026) has SFPI in place of instructions one by one";
constexpr std::string_view kMedium =
    "tt-metal 49826 (July 2026) has SFPI in place of instructions one by one";

constexpr std::array kChangedKernels{
    ChangedKernel{"asin", Widths::Both, "trigonometry", "sfpu_asin_range_reduced", kArcs},
    ChangedKernel{"acos", Widths::Both, "trigonometry", "sfpu_asin_range_reduced", kArcs},
    ChangedKernel{"atan", Widths::Both, "trigonometry", "sfpu_asin_range_reduced", kArcs},
    ChangedKernel{"tanh", Widths::Wide, "tanh", "POLYNOMIAL_THRESHOLD",
                  "tt-metal 48299 (June 2026) has another tanh for a wide Dst"},
    ChangedKernel{"tanh", Widths::Narrow, "tanh",
                  "_sfpu_tanh_polynomial_<is_fp32_dest_acc_en>(val)",
                  "tt-metal 52732 (August 2026) computes two rows of tanh together"},
    ChangedKernel{"add_unary_int32", Widths::Both, "binop_with_unary", "TTI_SFPIADD", kMedium},
    ChangedKernel{"sub_unary_int32", Widths::Both, "binop_with_unary", "TTI_SFPIADD", kMedium},
    ChangedKernel{"abs_int32", Widths::Both, "abs", "TTI_SFPABS", kSimple},
    ChangedKernel{"bitwise_not", Widths::Both, "bitwise_not", "TTI_SFPNOT", kSimple},
    ChangedKernel{"bitwise_and_binary", Widths::Both, "binary_bitwise", "TTI_SFPAND", kSimple},
    ChangedKernel{"bitwise_or_binary", Widths::Both, "binary_bitwise", "TTI_SFPAND", kSimple},
    ChangedKernel{"bitwise_xor_binary", Widths::Both, "binary_bitwise", "TTI_SFPAND", kSimple},
    ChangedKernel{"fill_int", Widths::Both, "fill", "TTI_SFPSTORE", kSimple}};

// The exact exponential takes 40 instructions for a row of a wide Dst where it makes a two's
// complement by abs and copysgn: as its author measured it in May 2026 (45642), in the table, and
// in trees that are younger than it.
constexpr std::array kChangedLoops{
    ChangedKernel{"exp", Widths::Wide, "exp", "sfpi::convert<sfpi::vInt>(i_smag)",
                  "by tt-metal 46069 (June 2026) it makes a two's complement by sfpi::convert; by "
                  "45642 and later ones by abs and copysgn"}};

/// Headers of this name: tt-metal's and LLK's own.
std::array<std::filesystem::path, 2> headers_of(const BenchTree& tree, std::string_view name) {
  const std::filesystem::path own = tree.checkout.llk() / arch_params(tree.arch).names.llk_folder /
                                    "common" / "inc" / "sfpu" /
                                    fmt::format("ckernel_sfpu_{}.h", name);
  return {tree.checkout.header(tree.arch, name), own};
}

bool has_text(const std::filesystem::path& file, std::string_view text) {
  const auto found = read_text_file(file.string());
  return found && found->find(text) != found->npos;
}

bool applies(Widths widths, bool wide) {
  return widths == Widths::Both || (widths == Widths::Wide) == wide;
}

std::optional<std::string> found_in(std::span<const ChangedKernel> kernels, const ClockCase& each,
                                    const BenchTree& tree, std::string_view what) {
  for (const ChangedKernel& row : kernels) {
    if (row.op != each.vector->op || !applies(row.widths, each.wide)) continue;
    for (const auto& header : headers_of(tree, row.header)) {
      if (has_text(header, row.text)) return fmt::format("{}: {}", what, row.change);
    }
  }
  return std::nullopt;
}

} // namespace

std::optional<KernelCalls> test_kernel(const ClockCase& each, const BenchTree& tree) {
  const auto row = std::ranges::find(kTestKernels, each.vector->op, &TestKernel::op);
  if (row == kTestKernels.end()) return std::nullopt;
  for (const auto& header : headers_of(tree, row->header)) {
    if (has_text(header, fmt::format("{}(", row->function)))
      return KernelCalls{header.string(), std::string(row->init), std::string(row->calculate)};
  }
  return std::nullopt;
}

std::optional<std::string> changed_since(const ClockCase& each, const BenchTree& tree) {
  return found_in(kChangedKernels, each, tree, "the checkout's kernel is older than the table's");
}

std::optional<std::string> loop_changed_since(const ClockCase& each, const BenchTree& tree) {
  const bool is_exact =
      std::ranges::find(each.choices, Options::value_type("APPROX_MODE", "true")) ==
      each.choices.end();
  if (each.vector == nullptr || each.copy_only || !is_exact) return std::nullopt;
  return found_in(kChangedLoops, each, tree, "the checkout's loop is not the table's");
}

} // namespace lanewise::silicon
