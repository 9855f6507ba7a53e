#include "source/assembly/assembler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/characters.h"
#include "base/in_quotes.h"
#include "chip/isa/explain.h"
#include "chip/isa/limits.h"
#include "chip/isa/registers.h"
#include "chip/isa/row.h"
#include "source/assembly/assembly.h"
#include "source/assembly/expression.h"
#include "source/assembly/operands.h"
#include "source/assembly/token_stream.h"

namespace lanewise::assembly {
namespace {

constexpr std::int64_t kMostRepeats = 1'000'000;

std::string upper_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

/// Length of TTI_, TT_ or TT_OP_ before the mnemonic of a kernel macro; 0 in the bare form, since
/// no mnemonic begins like that.
std::size_t macro_prefix_length(std::string_view name) {
  constexpr std::array<std::string_view, 3> kPrefixes{"TT_OP_", "TTI_", "TT_"};
  if (!name.starts_with('T') && !name.starts_with('t')) return 0;
  for (const std::string_view prefix : kPrefixes) {
    if (upper_case(name.substr(0, prefix.size())) == prefix) return prefix.size();
  }
  return 0;
}

} // namespace

void Assembler::read() {
  while (stream_.token().kind != TokenKind::EndOfText) parse_line();
  check_repeats_closed();
}

void Assembler::check_repeats_closed() const {
  if (repeats_.empty()) return;
  fail(repeats_.back().directive, "this .repeat has no .endr", "end its lines with .endr");
}

void Assembler::parse_line() {
  const Token& token = stream_.token();
  if (token.kind == TokenKind::Name) {
    parse_instruction();
  } else if (token.kind == TokenKind::Directive) {
    parse_directive();
  } else {
    stream_.end_line("an instruction or a directive");
  }
}

// -------------------------------------------------------------- Instructions

void Assembler::parse_instruction() {
  const Token name = stream_.token();
  const std::string_view line = stream_.rest_of_line();
  if (const auto word = find_word(line)) {
    push(name, *word);
    stream_.skip_lines([this](const Token& next) { return push_known(next); });
    return;
  }
  const std::uint32_t word = parse_instruction_word();
  push(name, word);
  // An operand or a comment may go on in the next line, whose text is not looked at.
  const bool is_one_line = stream_.token().line == name.line;
  if (macro_prefix_length(name.text) != 0) {
    stream_.end_line("the end of the line",
                     "write one instruction a line, and comments behind // or #");
  } else {
    stream_.end_line("an operator, ',' or the end of the line", "separate operands with commas");
  }
  if (is_one_line) lines_.remember(line, word);
}

/// A line as one token, if it need not be cut into tokens.
bool Assembler::push_known(const Token& line) {
  const auto word = find_word(line.text);
  if (word) push(line, *word);
  return word.has_value();
}

/// Of a line that is known, or plain.
std::optional<std::uint32_t> Assembler::find_word(std::string_view line) {
  if (const auto known = lines_.find(line)) return known;
  const auto word = find_plain_word(line);
  if (word) lines_.remember(line, *word);
  return word;
}

/// Of a line with plain operands that begins like another one, or whose mnemonic has been met.
std::optional<std::uint32_t> Assembler::find_plain_word(std::string_view line) {
  const std::string_view beginning = line.substr(0, line.rfind(',') + 1);
  if (const auto begun = beginnings_.find(beginning)) {
    const auto last = find_plain_operands(arch_, constants_, *begun, line.substr(beginning.size()));
    return last ? std::optional(last->word) : std::nullopt;
  }
  const auto end = std::ranges::find_if_not(line, is_name_part);
  const std::string_view name(line.begin(), end);
  const auto row = rows_.find(name);
  if (!row || macro_prefix_length(name) != 0) return std::nullopt;
  if (end != line.end() && !is_space(*end)) return std::nullopt;
  const auto found =
      find_plain_operands(arch_, constants_, begin_instruction(**row), line.substr(name.size()));
  if (!found) return std::nullopt;
  // A comma may stand in a comment, too.
  if (name.size() + found->last_begins == beginning.size())
    beginnings_.remember(beginning, found->before_last);
  return found->word;
}

std::uint32_t Assembler::parse_instruction_word() {
  const Token name = stream_.take();
  const isa::Row& row = row_of(name);
  return macro_prefix_length(name.text) != 0
             ? parse_kernel_operands(stream_, arch_, row, constants_)
             : parse_bare_operands(stream_, arch_, row, constants_);
}

const isa::Row& Assembler::row_of(const Token& name) {
  if (const auto known = rows_.find(name.text)) return **known;
  const isa::Row& row = find_row(name);
  rows_.remember(name.text, &row);
  return row;
}

const isa::Row& Assembler::find_row(const Token& name) const {
  if (const isa::Row* row = isa::find_row(arch_, name.text)) return *row;
  for (const Arch other : kEveryArch) {
    const isa::Row* row = isa::find_row(other, name.text);
    if (row == nullptr) continue;
    const std::string_view chip = arch_params(other).names.id;
    fail(name, fmt::format("{} exists on {} only", row->mnemonic, chip),
         fmt::format("assemble for {}, or use an instruction that {} has", chip,
                     arch_params(arch_).names.id));
  }
  // No mnemonic is that long, and the search for near ones takes time with the length.
  constexpr std::size_t kLongestMisspelling = 64;
  const std::string_view mnemonic = name.text.substr(macro_prefix_length(name.text));
  const std::string misspelling = upper_case(mnemonic.substr(0, kLongestMisspelling));
  const std::vector<std::string_view> near = isa::suggestions(misspelling);
  fail(
      name, fmt::format("{} is not an instruction", in_quotes(name.text)),
      near.empty() ? "check the spelling" : fmt::format("did you mean {}?", fmt::join(near, ", ")));
}

void Assembler::push(const Token& at, std::uint32_t word) {
  std::vector<ProgramWord>& words = program(at).words;
  check_size(at, words.size() + 1);
  words.push_back({word, at.line});
}

void Assembler::check_size(const Token& at, std::size_t words) {
  if (words > isa::kMostWords) {
    fail(at, fmt::format("the program grows beyond {} words here", isa::kMostWords),
         "repeat less often");
  }
}

// -------------------------------------------------------------- Directives

void Assembler::parse_directive() {
  struct Directive {
    std::string_view name;
    void (Assembler::*parse)(const Token& directive);
  };
  static constexpr std::array kDirectives{
      Directive{".arch", &Assembler::parse_arch}, Directive{".cfg", &Assembler::parse_cfg},
      Directive{".endr", &Assembler::parse_endr}, Directive{".equ", &Assembler::parse_equ},
      Directive{".mop", &Assembler::parse_mop},   Directive{".repeat", &Assembler::parse_repeat},
      Directive{".word", &Assembler::parse_word}};
  const Token token = stream_.take();
  const auto found = std::ranges::find(kDirectives, token.text, &Directive::name);
  if (found != kDirectives.end()) {
    (this->*found->parse)(token);
  } else if (std::ranges::find(kTileDirectives, token.text) != kTileDirectives.end()) {
    parse_tile_directive(token);
  } else {
    fail(token, fmt::format("{} is not a directive", in_quotes(token.text)),
         "the directives are .arch, .cfg, .endr, .equ, .mop, .repeat and .word");
  }
  stream_.end_line("the end of the line");
}

void Assembler::parse_arch(const Token&) {
  const Token name = stream_.expect(TokenKind::Name, "the name of a chip");
  const std::optional<Arch> wanted = lanewise::parse_arch(name.text);
  if (!wanted) fail(name, fmt::format("{} is not a chip", in_quotes(name.text)), "write bh or wh");
  if (*wanted == arch_) return;
  fail(name,
       fmt::format("this program is for {}, not for {}", name.text, arch_params(arch_).names.id),
       fmt::format("assemble it for {}", name.text));
}

void Assembler::parse_cfg(const Token& directive) {
  const Token name = stream_.expect(TokenKind::Name, "the name of a configuration field");
  const std::uint32_t value = parse_u32("a configuration value");
  add_config(directive, {std::string(name.text), value, directive.line});
}

void Assembler::parse_equ(const Token&) {
  const Token name = stream_.expect(TokenKind::Name, "a name");
  if (isa::register_number(name.text)) {
    fail(name, fmt::format("{} is the name of a register", in_quotes(name.text)),
         "use another name");
  }
  const std::int64_t value = parse_expression(stream_, {arch_, constants_});
  if (!constants_.emplace(name.text, value).second) {
    fail(name, fmt::format("{} is defined already", in_quotes(name.text)), "use another name");
  }
  lines_.forget(); // the name may stand for a mode so far
  beginnings_.forget();
}

/// A word of MopCfg: a number, or an instruction in either form.
void Assembler::parse_mop(const Token& directive) {
  if (!repeats_.empty()) {
    fail(directive, ".mop stands in a .repeat", "write it before the .repeat");
  }
  const Token at = stream_.token();
  const std::int64_t index = parse_expression(stream_, {arch_, constants_});
  if (index < 0 || index >= kMopWords) {
    fail(at, fmt::format("MopCfg has no word {}", index),
         fmt::format("use 0 to {}", kMopWords - 1));
  }
  stream_.accept(",");
  const Token& value = stream_.token();
  const bool instruction = value.kind == TokenKind::Name && !constants_.contains(value.text) &&
                           isa::find_row(arch_, value.text) != nullptr;
  Program& program = this->program(directive);
  program.mop.push_back({program.words.size(), static_cast<std::uint8_t>(index),
                         instruction ? parse_instruction_word() : parse_u32("a word of MopCfg"),
                         directive.line});
}

void Assembler::parse_word(const Token& directive) {
  push(directive, parse_u32("a word"));
}

void Assembler::parse_repeat(const Token& directive) {
  const Token at = stream_.token();
  const std::int64_t count = parse_expression(stream_, {arch_, constants_});
  if (count < 1 || count > kMostRepeats) {
    fail(at, fmt::format("a repeat count of {} is not possible", count),
         fmt::format("use 1 to {}", kMostRepeats));
  }
  repeats_.push_back({directive, program(directive).words.size(), static_cast<std::size_t>(count)});
}

void Assembler::parse_endr(const Token& directive) {
  if (repeats_.empty()) fail(directive, "this .endr has no .repeat", "remove it");
  const Repeat repeat = repeats_.back();
  repeats_.pop_back();
  std::vector<ProgramWord>& words = program(directive).words;
  const std::size_t length = words.size() - repeat.first;
  check_size(repeat.directive, repeat.first + length * repeat.count);
  words.resize(repeat.first + length * repeat.count);
  for (std::size_t copy = 1; copy < repeat.count; ++copy) {
    std::copy_n(words.begin() + repeat.first, length, words.begin() + repeat.first + copy * length);
  }
}

std::uint32_t Assembler::parse_number(std::string_view what, std::uint32_t largest) {
  const Token at = stream_.token();
  const std::int64_t value = parse_expression(stream_, {arch_, constants_});
  if (value < 0 || value > largest)
    fail(at, fmt::format("{} is not {}", value, what), fmt::format("use 0 to {}", largest));
  return static_cast<std::uint32_t>(value);
}

std::uint32_t Assembler::parse_u32(std::string_view what) {
  const Token at = stream_.token();
  const std::int64_t value = parse_expression(stream_, {arch_, constants_});
  if (value < 0 || value > std::numeric_limits<std::uint32_t>::max()) {
    fail(at, fmt::format("{} is not {} of 32 bits", value, what), "use 0 to 0xFFFFFFFF");
  }
  return static_cast<std::uint32_t>(value);
}

namespace {

/// A program of one thread.
class ThreadAssembler : public Assembler {
 public:
  ThreadAssembler(Arch arch, std::string_view source, std::string_view name)
      : Assembler(arch, source) {
    program_.name = name;
    // Few lines are shorter. A table that grew would be copied, and take more memory on its way.
    constexpr std::size_t kShortLine = 12;
    program_.words.reserve(std::min(source.size() / kShortLine + 1, isa::kMostWords));
  }

  Program assemble() {
    read();
    return std::move(program_);
  }

 protected:
  Program& program(const Token&) override { return program_; }

  void add_config(const Token& directive, ConfigSetting setting) override {
    if (!program_.words.empty() || in_repeat()) {
      fail(directive, ".cfg stands behind an instruction or in a .repeat",
           "configuration is set once, before the first instruction: move it up");
    }
    program_.config.push_back(std::move(setting));
  }

  void parse_tile_directive(const Token& directive) override {
    fail(directive, fmt::format("{} belongs to a program of a whole tile", directive.text),
         "run the file with 'lanewise tile', or leave the line out");
  }

 private:
  Program program_;
};

} // namespace

Expected<Program> assemble(Arch arch, std::string_view source, std::string_view name) {
  try {
    return ThreadAssembler(arch, source, name).assemble();
  } catch (SyntaxError& error) {
    error.fault.file = name;
    return Unexpected(std::move(error.fault));
  }
}

} // namespace lanewise::assembly
