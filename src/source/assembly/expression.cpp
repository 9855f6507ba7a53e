#include "source/assembly/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>

#include "base/in_quotes.h"
#include "chip/isa/modifiers.h"
#include "chip/isa/registers.h"
#include "source/assembly/float_literal.h"

namespace lanewise::assembly {
namespace {

/// Every value stays below this in magnitude.
constexpr std::int64_t kLimit = std::int64_t{1} << 32;
constexpr std::int64_t kLargestShift = 31;
/// Keeps hostile input from using up the stack.
constexpr unsigned kDeepestNesting = 100;

struct Operator {
  std::string_view text;
  unsigned precedence; ///< as in C: the larger binds tighter
};

constexpr std::array kOperators{Operator{"|", 1},  Operator{"&", 2}, Operator{"<<", 3},
                                Operator{">>", 3}, Operator{"+", 4}, Operator{"-", 4}};

const Operator* find_operator(const Token& token) {
  // What ends most values.
  if (token.kind != TokenKind::Punctuation || token.is(",") || token.is(")")) return nullptr;
  const auto found = std::ranges::find_if(
      kOperators, [&](const Operator& candidate) { return token.is(candidate.text); });
  return found == kOperators.end() ? nullptr : &*found;
}

std::int64_t checked(const Token& at, std::int64_t value) {
  if (value <= -kLimit || value >= kLimit) {
    fail(at, "the value does not fit 32 bits", "use a smaller number");
  }
  return value;
}

std::int64_t apply(const Token& at, std::int64_t left, std::int64_t right) {
  if (at.is("|")) return left | right;
  if (at.is("&")) return left & right;
  if (at.is("+")) return left + right;
  if (at.is("-")) return left - right;
  if (right < 0 || right > kLargestShift) {
    fail(at, fmt::format("a shift by {} is not possible", right), "shift by 0 to 31");
  }
  // Multiplication, since a left shift of a negative number is what C leaves open.
  return at.is("<<") ? left * (std::int64_t{1} << right) : left >> right;
}

std::int64_t parse_number(const Token& token) {
  std::string_view digits = token.text;
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) base = 16;
  if (digits.starts_with("0b") || digits.starts_with("0B")) base = 2;
  if (base != 10) digits.remove_prefix(2);
  if (base == 10 && digits.size() > 1 && digits.front() == '0' && digits[1] >= '0' &&
      digits[1] <= '9') {
    fail(token, fmt::format("{} begins with 0", in_quotes(token.text)),
         "leave the 0 out, or write 0x for hexadecimal; there are no octal numbers");
  }
  std::int64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  // A sign behind the prefix ("0x-1") cannot occur: it is a token of its own.
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) {
    fail(token, fmt::format("{} is not a whole number", in_quotes(token.text)),
         "write decimal digits, 0x and hexadecimal ones, or 0b and binary ones");
  }
  if (error == std::errc::result_out_of_range) {
    fail(token, fmt::format("{} does not fit 32 bits", in_quotes(token.text)),
         "use a smaller number");
  }
  return checked(token, value);
}

/// "ADDR_MOD_3", as the kernels' enumeration has it.
std::optional<std::int64_t> address_mode(Arch arch, std::string_view name) {
  constexpr std::string_view kPrefix = "ADDR_MOD_";
  if (!name.starts_with(kPrefix) || name.size() != kPrefix.size() + 1) return std::nullopt;
  const int section = name.back() - '0';
  if (section < 0 || section >= arch_params(arch).front_end.addr_mod_sections) return std::nullopt;
  return section;
}

/// Whether a register may stand in a field: where a mode or a switch belongs, it is an operand too
/// few before it.
bool takes_registers(const isa::Field& field) {
  return field.role != isa::Role::Modifier && field.role != isa::Role::AddrMod &&
         field.role != isa::Role::Switch;
}

/// Reads one value; holds what its parts have in common.
class ExpressionParser {
 public:
  ExpressionParser(TokenStream& stream, const Scope& scope) : stream_(stream), scope_(scope) {}

  /// A chain of operators that bind at least as tightly as `precedence`.
  std::int64_t parse_binary(unsigned precedence) {
    std::int64_t left = parse_unary();
    while (true) {
      const Operator* next = find_operator(stream_.token());
      if (next == nullptr || next->precedence < precedence) return left;
      const Token at = stream_.take();
      left = checked(at, apply(at, left, parse_binary(next->precedence + 1)));
    }
  }

 private:
  std::int64_t parse_unary() {
    bool negative = false;
    while (stream_.token().is("-") || stream_.token().is("+")) {
      if (stream_.take().is("-")) negative = !negative;
    }
    const std::int64_t value = parse_primary();
    return negative ? -value : value;
  }

  std::int64_t parse_primary() {
    const Token token = stream_.token();
    if (token.is("(")) {
      if (++nesting_ > kDeepestNesting) {
        fail(token, "parentheses are nested too deeply",
             fmt::format("nest at most {}", kDeepestNesting));
      }
      stream_.take();
      const std::int64_t value = parse_binary(1);
      stream_.expect(")", "an operator or ')'");
      --nesting_;
      return value;
    }
    if (token.kind == TokenKind::Number) return parse_number(stream_.take());
    if (token.kind != TokenKind::Name) fail_unexpected(token, "a number or a name");
    stream_.take();
    if (token.text == kBf16.name && stream_.token().is("(")) return parse_float(kBf16, token);
    if (token.text == kFp16.name && stream_.token().is("(")) return parse_float(kFp16, token);
    return value_of_name(token);
  }

  std::int64_t parse_float(const FloatFormat& format, const Token& at) {
    check_takes_floats(format, at);
    stream_.expect("(", "'('");
    const bool negative = stream_.token().is("-");
    if (negative || stream_.token().is("+")) stream_.take();
    const Token number = stream_.expect(TokenKind::Number, "a decimal number");
    const Expected<std::uint16_t> bits = encode_float(format, number.text, negative);
    if (!bits) fail(number, bits.error().message, bits.error().remedy);
    stream_.expect(")", "')'");
    return *bits;
  }

  /// Floating-point immediates are Imm16 of SFPLOADI, and, in BF16 only, of SFPADDI and SFPMULI.
  void check_takes_floats(const FloatFormat& format, const Token& at) const {
    if (scope_.row == nullptr) return;
    const isa::Op op = scope_.row->op;
    const bool is_fp32_operand = op == isa::Op::SFPADDI || op == isa::Op::SFPMULI;
    const bool is_imm16 = scope_.fields.size() == 1 && scope_.fields.front().name == "Imm16";
    if (is_imm16 && (op == isa::Op::SFPLOADI || (is_fp32_operand && &format == &kBf16))) return;
    if (is_imm16 && is_fp32_operand) {
      fail(at, fmt::format("the immediate of {} is a BF16", scope_.row->mnemonic), "use bf16(...)");
    }
    fail(at, fmt::format("this operand of {} is no floating-point number", scope_.row->mnemonic),
         "bf16(...) and fp16(...) stand for Imm16 of SFPLOADI, SFPADDI and SFPMULI");
  }

  std::int64_t value_of_name(const Token& token) const {
    if (const auto found = scope_.constants.find(token.text); found != scope_.constants.end()) {
      return found->second;
    }
    if (const auto number = isa::register_number(token.text)) {
      check_takes_registers(token);
      return *number;
    }
    if (scope_.row == nullptr) {
      fail(token, fmt::format("{} is not defined", in_quotes(token.text)),
           "define it above with .equ, or write a number");
    }
    const std::string_view name = mode_name(token.text, scope_.row->mnemonic);
    // Names count from their field; the operand counts from its lowest field.
    const unsigned low = scope_.fields.back().low;
    for (const isa::Field& field : scope_.fields) {
      if (const auto value = value_in_field(token, field, name)) return *value << (field.low - low);
    }
    fail(token, fmt::format("{} is no name of {}", in_quotes(token.text), operand_name()),
         remedy_for(name));
  }

  /// Where a name belongs to another field of the instruction, that field is named.
  std::string remedy_for(std::string_view name) const {
    for (const isa::Modifier& modifier : isa::modifiers(scope_.row->op)) {
      if (modifier.name == name) {
        return fmt::format("name its operand: {}={}", modifier.field, modifier.name);
      }
    }
    return fmt::format("write a number, or a name that 'lanewise explain {}' lists",
                       scope_.row->mnemonic);
  }

  std::optional<std::int64_t> value_in_field(const Token& token, const isa::Field& field,
                                             std::string_view name) const {
    if (field.role == isa::Role::AddrMod) return address_mode(scope_.arch, name);
    const isa::Modifier* other_chips = nullptr;
    for (const isa::Modifier& modifier : isa::modifiers(scope_.row->op)) {
      if (modifier.field != field.name || modifier.name != name) continue;
      if (isa::includes(modifier.chips, scope_.arch)) return modifier.value;
      other_chips = &modifier;
    }
    if (other_chips == nullptr) return std::nullopt;
    fail(token,
         fmt::format("{} has no {} on {}", operand_name(), name, arch_params(scope_.arch).names.id),
         "assemble for the other chip, or choose another mode");
  }

  void check_takes_registers(const Token& token) const {
    if (scope_.row == nullptr || takes_registers(scope_.fields.back())) return;
    fail(token,
         fmt::format("{} is a register, but {} is none", in_quotes(token.text), operand_name()),
         "check the number and order of the operands");
  }

  std::string operand_name() const {
    return fmt::format("{} of {}", scope_.fields.back().name, scope_.row->mnemonic);
  }

  TokenStream& stream_;
  const Scope& scope_;
  unsigned nesting_ = 0;
};

} // namespace

std::optional<std::int64_t> find_value(Arch arch, const isa::Row& row, const isa::Field& field,
                                       std::string_view name) {
  if (const auto number = isa::register_number(name))
    return takes_registers(field) ? std::optional<std::int64_t>(*number) : std::nullopt;
  const std::string_view mode = mode_name(name, row.mnemonic);
  if (field.role == isa::Role::AddrMod) return address_mode(arch, mode);
  for (const isa::Modifier& modifier : isa::modifiers(row.op)) {
    if (modifier.name == mode && modifier.field == field.name &&
        isa::includes(modifier.chips, arch))
      return modifier.value;
  }
  return std::nullopt;
}

std::string_view mode_name(std::string_view name, std::string_view mnemonic) {
  if (const std::size_t scope = name.rfind("::"); scope != std::string_view::npos) {
    name.remove_prefix(scope + 2);
  }
  if (!name.starts_with(mnemonic)) return name;
  const std::string_view rest = name.substr(mnemonic.size());
  if (!rest.starts_with("_MOD0_") && !rest.starts_with("_MOD1_")) return name;
  constexpr std::size_t kPrefix = std::string_view("_MOD0_").size();
  name = rest.substr(kPrefix);
  constexpr std::string_view kFormat = "FMT_";
  if (name.starts_with(kFormat)) name.remove_prefix(kFormat.size());
  return name;
}

std::int64_t parse_expression(TokenStream& stream, const Scope& scope) {
  return ExpressionParser(stream, scope).parse_binary(1);
}

} // namespace lanewise::assembly
