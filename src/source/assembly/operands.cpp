#include "source/assembly/operands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/characters.h"
#include "base/in_quotes.h"
#include "chip/isa/disassembler.h"
#include "chip/isa/operand_defaults.h"

namespace lanewise::assembly {
namespace {

using isa::Field;

/// Where the opcode begins.
constexpr unsigned kOpcodeLow = 24;

std::uint32_t opcode_bits(const isa::Row& row) {
  return static_cast<std::uint32_t>(row.opcode) << kOpcodeLow;
}

/// The place of an operand in the word.
struct Place {
  unsigned low;
  unsigned width;         ///< of the fields
  unsigned largest_width; ///< up to which a value may go
};

/// Two's complement is allowed in numbers, not in registers and modes.
struct Range {
  std::int64_t lowest, highest;

  Range(isa::Role role, Place place)
      : lowest(role == isa::Role::Immediate || role == isa::Role::SignedImmediate
                   ? -(std::int64_t{1} << (place.width - 1))
                   : 0),
        highest((std::int64_t{1} << place.largest_width) - 1) {}

  bool holds(std::int64_t value) const { return value >= lowest && value <= highest; }
};

/// The value as bits, shifted to its place.
std::uint32_t at_place(std::int64_t value, Place place) {
  const std::uint64_t mask =
      (std::uint64_t{1} << (value < 0 ? place.width : place.largest_width)) - 1;
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(value) & mask) << place.low);
}

/// The same, if it fits.
std::uint32_t fit(const Token& at, std::int64_t value, const isa::Row& row,
                  std::span<const Field> fields, Place place) {
  const Range range(fields.back().role, place);
  if (!range.holds(value)) {
    fail(at, fmt::format("{} does not fit {} of {}", value, fields.back().name, row.mnemonic),
         fmt::format("use {} to {}", range.lowest, range.highest));
  }
  return at_place(value, place);
}

std::string names_of(std::span<const Field> fields) {
  std::vector<std::string_view> names;
  for (const Field& field : fields) names.push_back(field.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// ---------------------------------------------------------------- The bare form

class BareOperands {
 public:
  BareOperands(TokenStream& stream, Arch arch, const isa::Row& row, const Constants& constants)
      : stream_(stream), arch_(arch), row_(row), constants_(constants), word_(opcode_bits(row)) {
    for (const Field& field : row.fields()) {
      if (isa::is_positional(field)) positional_[positional_count_++] = &field;
    }
  }

  std::uint32_t parse() {
    if (!stream_.at_line_end()) {
      do {
        const bool is_named = stream_.token().kind == TokenKind::Name && stream_.is_before('=');
        if (is_named) {
          parse_named();
        } else {
          parse_positional();
        }
      } while (stream_.accept(","));
    }
    check_complete();
    return word_;
  }

 private:
  /// What follows the operands is looked at first: a mistake there is the likelier one.
  void check_complete() const {
    if (!stream_.at_line_end()) return;
    const std::optional<Field> missing = isa::missing_operand(arch_, word_, given_);
    if (!missing) return;
    fail(stream_.token(), fmt::format("{} of {} is missing", missing->name, row_.mnemonic),
         fmt::format("{} takes {}; modes, switches, ADDR_MOD and row offsets may be left out",
                     row_.mnemonic, positional_names()));
  }

  std::string positional_names() const {
    std::vector<Field> fields;
    std::ranges::copy_if(row_.fields(), std::back_inserter(fields), isa::is_positional);
    return names_of(fields);
  }

  void parse_positional() {
    const Token at = stream_.token();
    if (had_named_) {
      fail(at, "an operand without a name follows a named one",
           "put the operands without names first");
    }
    if (next_positional_ == positional_count_) {
      fail(at, too_many(),
           fmt::format("name the operand, or leave it out; the fields are: {}",
                       names_of(row_.fields())));
    }
    fill(*positional_[next_positional_++]);
  }

  void parse_named() {
    had_named_ = true;
    const Token name = stream_.take();
    stream_.take();
    if (name.text == isa::kRawOperand) return parse_raw();
    const Field* field = row_.field(name.text);
    if (field == nullptr) {
      fail(name, fmt::format("{} has no field {}", row_.mnemonic, in_quotes(name.text)),
           row_.field_count == 0 ? "it has no fields"
                                 : fmt::format("its fields are: {}", names_of(row_.fields())));
    }
    if ((given_ & field->mask()) != 0) {
      fail(name, fmt::format("{} is given twice", field->name), "give it once");
    }
    fill(*field);
  }

  void fill(const Field& field) {
    const Token at = stream_.token();
    const std::span<const Field> fields(&field, 1);
    const std::int64_t value = parse_expression(stream_, {arch_, constants_, &row_, fields});
    word_ |= fit(at, value, row_, fields, {field.low, field.width(), field.width()});
    given_ |= field.mask();
  }

  void parse_raw() {
    const Token at = stream_.token();
    const std::int64_t value = parse_expression(stream_, {arch_, constants_});
    if (value < 0 || value > std::numeric_limits<std::uint32_t>::max()) {
      fail(at, "raw bits are a number of 32 bits", "use 0 to 0xFFFFFFFF");
    }
    const auto bits = static_cast<std::uint32_t>(value);
    if ((bits & row_.covered_bits()) != 0) {
      fail(
          at,
          fmt::format("raw bits {:#010x} overlap the opcode or a field of {}", bits, row_.mnemonic),
          fmt::format("raw may set bits of {:#010x}; name the fields for the others",
                      ~row_.covered_bits()));
    }
    word_ |= bits;
  }

  std::string too_many() const {
    if (positional_count_ == 0) return fmt::format("{} takes no operands", row_.mnemonic);
    return fmt::format("{} takes at most {} operands without names ({})", row_.mnemonic,
                       positional_count_, positional_names());
  }

  TokenStream& stream_;
  Arch arch_;
  const isa::Row& row_;
  const Constants& constants_;
  std::array<const Field*, isa::kMaxFields> positional_{};
  std::size_t positional_count_ = 0, next_positional_ = 0;
  std::uint32_t word_;
  std::uint32_t given_ = 0; ///< bits of the fields that have their value
  bool had_named_ = false;
};

// ---------------------------------------------------------------- Plain operands

/// Operands of the bare form that are one number, register or mode each, read without tokens.
class PlainOperands {
 public:
  PlainOperands(Arch arch, const Constants& constants, const BegunInstruction& begun,
                std::string_view text)
      : arch_(arch),
        constants_(constants),
        begin_(text.data()),
        next_(begin_),
        end_(begin_ + text.size()),
        read_(begun) {
    found_.before_last = begun;
  }

  std::optional<PlainInstruction> parse() {
    skip_spaces();
    // Behind a comma there is one.
    const bool may_be_none = read_.fields == 0;
    if (at_end() ? !may_be_none : !parse_fields()) return std::nullopt;
    if (lacks_operand()) return std::nullopt;
    found_.word = read_.word;
    return found_;
  }

 private:
  char at(std::ptrdiff_t distance) const {
    return end_ - next_ > distance ? next_[distance] : '\0';
  }

  void skip_spaces() {
    while (is_space(at(0))) ++next_;
  }

  /// Where no operand is left to read, all have been given.
  bool lacks_operand() const {
    const std::span<const Field> left = read_.row->fields().subspan(read_.fields);
    return std::ranges::any_of(left, isa::is_positional) &&
           isa::missing_operand(arch_, read_.word, read_.given).has_value();
  }

  /// Of what is looked at: a comment may follow.
  bool at_end() const { return next_ == end_ || *next_ == '#' || *next_ == ';'; }

  bool parse_fields() {
    for (const Field& field : read_.row->fields().subspan(read_.fields)) {
      ++read_.fields;
      if (!isa::is_positional(field)) continue;
      if (!parse_field(field)) return false;
      skip_spaces();
      if (at_end()) return true;
      if (*next_ != ',') return false;
      ++next_;
      found_.before_last = read_;
      found_.last_begins = static_cast<std::size_t>(next_ - begin_);
      skip_spaces();
    }
    return false;
  }

  bool parse_field(const Field& field) {
    const auto value = is_name_start(at(0)) ? parse_name(field) : parse_number();
    const Place place{field.low, field.width(), field.width()};
    if (!value || !Range(field.role, place).holds(*value)) return false;
    read_.word |= at_place(*value, place);
    read_.given |= field.mask();
    return true;
  }

  std::optional<std::int64_t> parse_name(const Field& field) {
    const char* const begin = next_;
    while (is_name_part(at(0))) ++next_;
    const std::string_view name(begin, static_cast<std::size_t>(next_ - begin));
    if (at(0) == ':' || constants_.contains(name)) return std::nullopt;
    return find_value(arch_, *read_.row, field, name);
  }

  /// Up to nine digits, which never are too many.
  std::optional<std::int64_t> parse_number() {
    const bool is_negative = at(0) == '-';
    if (is_negative) ++next_;
    const bool is_hex = at(0) == '0' && (at(1) == 'x' || at(1) == 'X');
    if (is_hex) next_ += 2;
    if (!is_hex && at(0) == '0' && is_digit(at(1))) return std::nullopt;
    constexpr std::ptrdiff_t kMostNumerals = 9;
    const char* const begin = next_;
    const std::int64_t base = is_hex ? 16 : 10;
    std::int64_t value = 0;
    while (next_ - begin <= kMostNumerals && (is_hex ? is_hex_digit(at(0)) : is_digit(at(0)))) {
      value = value * base + hex_digit_value(*next_);
      ++next_;
    }
    const std::ptrdiff_t digits = next_ - begin;
    if (digits == 0 || digits > kMostNumerals || is_name_part(at(0)) || at(0) == '.')
      return std::nullopt;
    return is_negative ? -value : value;
  }

  Arch arch_;
  const Constants& constants_;
  const char* begin_;
  const char* next_;
  const char* end_;
  BegunInstruction read_;
  PlainInstruction found_;
};

// ---------------------------------------------------------------- The kernel form

/// The fields of each operand of the kernel macro.
std::vector<std::span<const Field>> operand_fields(const isa::Row& row) {
  std::vector<std::span<const Field>> operands;
  const std::span<const Field> fields = row.fields();
  for (std::size_t first = 0; first < fields.size();) {
    std::size_t last = first;
    while (fields[last].joins_next) ++last;
    if (fields[first].role != isa::Role::Extra) {
      operands.push_back(fields.subspan(first, last - first + 1));
    }
    first = last + 1;
  }
  return operands;
}

/// Kernels pass operands that are wider than the field they are meant for, for instance Dst
/// addresses of 13 bits for SFPLOAD on Blackhole. What reaches only bits that no field covers is
/// accepted; what reaches another field would change it and is refused. There is no register
/// beyond a register field, so that one is taken as it is.
Place macro_place(const isa::Row& row, std::span<const Field> operand) {
  std::uint32_t others = row.covered_bits();
  unsigned high = 0;
  for (const Field& field : operand) {
    others &= ~field.mask();
    high = std::max<unsigned>(high, field.high);
  }
  const unsigned low = operand.back().low;
  if (operand.back().is_lreg()) return {low, high - low + 1, high - low + 1};
  unsigned end = low;
  while ((others >> end & 1) == 0) ++end;
  return {low, high - low + 1, end - low};
}

std::string macro_summary(const isa::Row& row,
                          const std::vector<std::span<const Field>>& operands) {
  if (operands.empty()) return fmt::format("{} takes no operands", row.mnemonic);
  std::vector<std::string> names;
  for (const auto& operand : operands) {
    std::string name;
    for (const Field& field : operand) {
      name += fmt::format("{}{}", name.empty() ? "" : "+", field.name);
    }
    names.push_back(name);
  }
  return fmt::format("{} takes {} {} in the kernel form ({})", row.mnemonic, names.size(),
                     names.size() == 1 ? "operand" : "operands", fmt::join(names, ", "));
}

} // namespace

std::uint32_t parse_bare_operands(TokenStream& stream, Arch arch, const isa::Row& row,
                                  const Constants& constants) {
  return BareOperands(stream, arch, row, constants).parse();
}

BegunInstruction begin_instruction(const isa::Row& row) {
  return {.row = &row, .word = opcode_bits(row)};
}

std::optional<PlainInstruction> find_plain_operands(Arch arch, const Constants& constants,
                                                    const BegunInstruction& begun,
                                                    std::string_view text) {
  return PlainOperands(arch, constants, begun, text).parse();
}

std::uint32_t parse_kernel_operands(TokenStream& stream, Arch arch, const isa::Row& row,
                                    const Constants& constants) {
  const std::vector<std::span<const Field>> operands = operand_fields(row);
  std::uint32_t word = opcode_bits(row);
  if (!stream.token().is("(")) {
    // Macros without operands are written without parentheses.
    if (!operands.empty()) fail_unexpected(stream.token(), "'('", macro_summary(row, operands));
    stream.accept(";");
    return word;
  }
  stream.ignore_line_ends(true);
  stream.take();
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Token at = stream.token();
    if (at.is(")"))
      fail(at, fmt::format("{} of {} operands are missing", operands.size() - i, operands.size()),
           macro_summary(row, operands));
    if (i != 0) stream.expect(",", "an operator, ',' or ')'");
    const Token first = stream.token();
    const std::int64_t value = parse_expression(stream, {arch, constants, &row, operands[i]});
    word |= fit(first, value, row, operands[i], macro_place(row, operands[i]));
  }
  stream.ignore_line_ends(false);
  if (!stream.token().is(")")) fail_unexpected(stream.token(), "')'", macro_summary(row, operands));
  stream.take();
  stream.accept(";");
  return word;
}

} // namespace lanewise::assembly
