#include "number/fits/kernel_text.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace lanewise::fits {

namespace {

std::string_view error_name(ErrorKind error) {
  return error == ErrorKind::Relative ? "relative" : "absolute";
}

/// The comment in front, with what is known of the error.
std::string head(const FitRequest& request, double bound, bool is_proved, ErrorKind error,
                 const std::string& command) {
  return fmt::format(
      "// {} for x from {} to {}: {} error {} {:.3g} before any rounding.\n//\n//   {}\n"
      "#include \"sfpi.h\"\n\nusing namespace sfpi;\n\n",
      request.text, request.low, request.high, error_name(error), is_proved ? "at most" : "about",
      bound, command);
}

/// A literal of C++: all of the number, and what it is about.
std::string literal(double value) {
  if (value == 0) return "0.0f";
  return fmt::format("{:a}f", value);
}

std::string constant_line(std::string_view name, double value) {
  return fmt::format("  const float {} = {}; // {:.9g}\n", name, literal(value), value);
}

/// What is stored of a result.
std::string_view stored(formats::Format format) {
  if (format == formats::Format::BF16) return "reinterpret<vFloat>(float_to_fp16b(y, 0))";
  if (format == formats::Format::FP16) return "reinterpret<vFloat>(float_to_fp16a(y, 0))";
  return "y";
}

std::string loop(const std::string& body, formats::Format format) {
  return fmt::format(
      "  for (int row = 0; row < 32; ++row) {{\n    const vFloat x = dst_reg[0];\n{}"
      "    dst_reg[0] = {};\n    dst_reg++;\n  }}\n}}\n",
      body, stored(format));
}

/// Horner's scheme: from one power down to the next, the factor is x or x^2 (odd and even powers).
std::string horner(const Polynomial& polynomial) {
  const auto& powers = polynomial.powers;
  const unsigned step = powers.size() > 1 ? powers[1] - powers[0] : 1;
  const std::string_view factor = step == 2 ? "square" : "x";
  std::string body = step == 2 ? "    const vFloat square = x * x;\n" : "";
  body += fmt::format("    vFloat y = c{};\n", powers.back());
  for (std::size_t i = powers.size() - 1; i-- != 0;)
    body += fmt::format("    y = y * {} + c{};\n", factor, powers[i]);
  if (powers.front() == 1) body += "    y = y * x;\n";
  return body;
}

std::string fp32_entries(const LineTable& table) {
  std::string text;
  for (std::size_t i = 0; i < table.lines.size(); ++i) {
    text += fmt::format("  const vFloat slope{} = {}, intercept{} = {}; // {:.9g}, {:.9g}\n", i,
                        literal(table.lines[i].slope), i, literal(table.lines[i].intercept),
                        table.lines[i].slope, table.lines[i].intercept);
  }
  return text;
}

/// Two entries in a register: that of the lower piece in its low half.
std::string fp16_entries(const LineTable& table) {
  constexpr unsigned kHalf = 16;
  std::string text;
  for (std::size_t i = 0; i < table.lines.size(); i += 2) {
    const TableLine &lower = table.lines[i], &upper = table.lines[i + 1];
    text += fmt::format(
        "  const vUInt slopes{0} = 0x{1:08X}u, intercepts{0} = 0x{2:08X}u; // {3:.6g}, {4:.6g}; "
        "{5:.6g}, {6:.6g}\n",
        i, lower.slope_bits | upper.slope_bits << kHalf,
        lower.intercept_bits | upper.intercept_bits << kHalf, lower.slope, upper.slope,
        lower.intercept, upper.intercept);
  }
  return text;
}

std::string lookup(const LineTable& table) {
  const std::string_view name = table.copies_sign ? "lut2" : "lut2_sign";
  if (table.kind == TableKind::Fp32Three) {
    return fmt::format(
        "    const vFloat y = {}(x, slope0, slope1, slope2, intercept0, intercept1, "
        "intercept2);\n",
        name);
  }
  return fmt::format(
      "    const vFloat y = {}(x, slopes0, slopes2, slopes4, intercepts0, intercepts2, "
      "intercepts4, {});\n",
      name, table.kind == TableKind::Fp16SixTo3 ? 1 : 2);
}

} // namespace

std::string polynomial_kernel(const FitRequest& request, const Polynomial& polynomial,
                              formats::Format format, const std::string& command) {
  std::string text =
      head(request, polynomial.bound, polynomial.is_proved, polynomial.error, command);
  text += "void kernel() {\n";
  for (std::size_t i = 0; i < polynomial.powers.size(); ++i)
    text += constant_line(fmt::format("c{}", polynomial.powers[i]), polynomial.coefficients[i]);
  return text + loop(horner(polynomial), format);
}

std::string table_kernel(const FitRequest& request, const LineTable& table, formats::Format format,
                         const std::string& command) {
  std::string text = head(request, table.bound, table.is_proved, table.error, command);
  text += "void kernel() {\n";
  text += table.kind == TableKind::Fp32Three ? fp32_entries(table) : fp16_entries(table);
  return text + loop(lookup(table), format);
}

} // namespace lanewise::fits
