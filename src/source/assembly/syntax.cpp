#include "source/assembly/syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>

#include "chip/isa/disassembler.h"
#include "chip/isa/gnu_forms.h"
#include "chip/isa/row.h"
#include "source/assembly/assembler.h"
#include "source/assembly/assembly.h"
#include "source/assembly/gnu_lines.h"
#include "source/assembly/riscv_names.h"
#include "source/assembly/text_memo.h"

namespace lanewise::assembly {
namespace {

constexpr std::array kOurDirectives =
    std::to_array<std::string_view>({".arch", ".cfg", ".endr", ".mop", ".repeat"});
/// Both assemblers have them.
constexpr std::array kSharedDirectives = std::to_array<std::string_view>({".equ", ".word"});

template <std::size_t Size>
bool is_one_of(std::string_view name, const std::array<std::string_view, Size>& names) {
  return std::ranges::find(names, name) != names.end();
}

/// What a text says about its syntax: the first lines, from 1, that only one of them has; 0 = none.
struct Marks {
  std::uint32_t ours = 0, vendors = 0;
  /// Whether each Tensix instruction is in capitals, with a blank behind the mnemonic.
  bool written_as_ours = true;
  bool has_word_directive = false;
};

bool is_kernel_macro(std::string_view mnemonic) {
  constexpr std::array kPrefixes = std::to_array<std::string_view>({"TTI_", "TT_"});
  return std::ranges::any_of(kPrefixes,
                             [&](std::string_view prefix) { return mnemonic.starts_with(prefix); });
}

bool is_vendors_directive(std::string_view name) {
  return name.starts_with('.') && !is_one_of(name, kOurDirectives) &&
         !is_one_of(name, kTileDirectives) && !is_one_of(name, kSharedDirectives);
}

/// A name that only the vendor's assembler has: of RISC-V, or with tt before our mnemonic.
bool is_vendors_name(Arch arch, std::string_view mnemonic) {
  if (isa::find_op(mnemonic)) return false;
  return riscv_flow(mnemonic) != RiscvFlow::Unknown ||
         isa::find_gnu_name(arch, mnemonic).has_value();
}

/// What a mnemonic or a directive says by itself.
struct NameMarks {
  bool ours = false, vendors = false; ///< only one of the assemblers has it
  bool is_word_directive = false;
  bool is_instruction = false, in_capitals = false;
};

NameMarks marks_of_name(Arch arch, std::string_view name) {
  const bool is_directive = name.starts_with('.');
  NameMarks marks;
  marks.vendors = is_vendors_directive(name) || is_vendors_name(arch, name);
  marks.ours =
      is_kernel_macro(name) || is_one_of(name, kOurDirectives) || is_one_of(name, kTileDirectives);
  marks.is_word_directive = name == ".word";
  marks.is_instruction = !name.empty() && !is_directive;
  marks.in_capitals = std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
  return marks;
}

/// The names of a text, each looked up once.
class Names {
 public:
  Names(Arch arch, std::string_view source) : arch_(arch), source_(source) {}

  NameMarks marks_of(std::string_view name) {
    if (const auto known = known_.find(name)) return *known;
    const NameMarks marks = marks_of_name(arch_, name);
    if (lasts(name)) known_.remember(name, marks);
    return marks;
  }

 private:
  /// Not of a line that had comments, which is a copy.
  bool lasts(std::string_view name) const {
    constexpr std::less_equal<> kUpTo;
    return kUpTo(source_.data(), name.data()) &&
           kUpTo(name.data() + name.size(), source_.data() + source_.size());
  }

  Arch arch_;
  std::string_view source_;
  NameMemo<NameMarks> known_;
};

/// Whether the name is followed as we write it: by a blank, not by a tab.
bool ends_with_blank(std::string_view line, std::string_view name) {
  const std::size_t behind = static_cast<std::size_t>(name.data() - line.data()) + name.size();
  return behind >= line.size() || line[behind] != '\t';
}

void mark_statement(Names& names, const GnuStatement& statement, std::string_view line,
                    std::uint32_t number, Marks& marks) {
  const NameMarks name = names.marks_of(statement.mnemonic);
  const auto mark = [number](std::uint32_t& place) { place = place == 0 ? number : place; };
  if (!statement.labels.empty() || name.vendors) mark(marks.vendors);
  if (name.ours) mark(marks.ours);
  if (name.is_word_directive) marks.has_word_directive = true;
  if (name.is_instruction && !(name.in_capitals && ends_with_blank(line, statement.mnemonic)))
    marks.written_as_ours = false;
}

/// Where the characters stand that a line with one statement and nothing else has not: those of
/// labels, comments, further statements and text in quotes.
class OtherCharacters {
 public:
  explicit OtherCharacters(std::string_view source) : source_(source) { look_from(0); }

  /// Whether the line, which stands in the source behind those that were asked about, has one.
  bool are_in(std::string_view line) {
    const auto begin = static_cast<std::size_t>(line.data() - source_.data());
    if (first_ < begin) look_from(begin);
    return first_ < begin + line.size();
  }

 private:
  static constexpr std::string_view kOthers = "#/;:\"";

  void look_from(std::size_t begin) {
    for (std::size_t i = 0; i < kOthers.size(); ++i) {
      if (next_[i] <= begin) next_[i] = source_.find(kOthers[i], begin);
    }
    first_ = *std::ranges::min_element(next_);
  }

  std::string_view source_;
  std::array<std::size_t, kOthers.size()> next_{}; ///< of each; npos = no more
  std::size_t first_ = 0;                          ///< of all
};

/// The mnemonic of a line that has one statement and nothing else.
std::optional<std::string_view> plain_mnemonic(std::string_view line) {
  const auto is_blank = [](char c) { return is_space(c) || c == '\v'; };
  const auto first = std::ranges::find_if_not(line, is_blank);
  if (first == line.end()) return std::nullopt;
  return std::string_view(first, std::find_if(first, line.end(), is_blank));
}

/// The mnemonic with what stands behind it.
std::string_view with_end(std::string_view line, std::string_view mnemonic) {
  return line.substr(static_cast<std::size_t>(mnemonic.data() - line.data()), mnemonic.size() + 1);
}

Marks marks_of(Arch arch, std::string_view source) {
  Marks marks;
  GnuLines lines(source);
  // Only the first line of a kind counts. Lines with comments, which may go on in the next, are not
  // among those that are known.
  LineMemo<bool> known;
  NameMemo<bool> known_mnemonics;
  Names names(arch, source);
  OtherCharacters others(source);
  while (const auto raw = lines.next()) {
    const bool is_plain = !others.are_in(*raw) && !lines.in_comment();
    if (const auto mnemonic = is_plain ? plain_mnemonic(*raw) : std::nullopt) {
      const std::string_view beginning = with_end(*raw, *mnemonic);
      if (known_mnemonics.find(beginning)) continue;
      mark_statement(names, {.mnemonic = *mnemonic}, *raw, lines.number(), marks);
      known_mnemonics.remember(beginning, true);
      continue;
    }
    if (known.find(*raw)) continue;
    // What stands behind ';' is a comment in our own syntax.
    const std::string_view text = lines.without_comments(*raw);
    if (text.data() == raw->data()) known.remember(*raw, true);
    const std::string_view line = text.substr(0, text.find(';'));
    GnuStatements statements(line, StatementParts::WithoutOperands);
    if (const auto statement = statements.next()) {
      mark_statement(names, *statement, line, lines.number(), marks);
    }
  }
  return marks;
}

Expected<GnuText> read_ours(Arch arch, std::string_view source, std::string_view name) {
  auto program = assemble(arch, source, name);
  if (!program) return Unexpected(program.error());
  GnuText text;
  text.program = std::move(*program);
  text.vendors = false;
  return text;
}

Unexpected at_line(std::string_view name, std::uint32_t line, std::string message,
                   std::string remedy) {
  Fault fault = bad_input(std::move(message), std::move(remedy), line).value();
  fault.file = name;
  return Unexpected(std::move(fault));
}

std::string word_text(Arch arch, const Program& program, std::size_t index) {
  if (index >= program.words.size()) return "no instruction";
  const std::uint32_t word = program.words[index].word;
  return fmt::format("{:08x}, {}", word, isa::disassemble(arch, word));
}

/// The text fits both syntaxes: read if they agree, else refused with the first difference.
Expected<GnuText> agreed(Arch arch, std::string_view name, Expected<GnuText> ours,
                         const Expected<GnuText>& vendors) {
  const std::vector<ProgramWord>& left = ours->program.words;
  const std::vector<ProgramWord>& right = vendors->program.words;
  const auto [first, second] = std::ranges::mismatch(left, right);
  if (first == left.end() && second == right.end()) return ours;
  const auto index = static_cast<std::size_t>(first - left.begin());
  const std::uint32_t line = first != left.end() ? first->line : second->line;
  return at_line(
      name, line,
      fmt::format("this is {} in Lanewise's own syntax and {} in the vendor's",
                  word_text(arch, ours->program, index), word_text(arch, vendors->program, index)),
      "say which it is: --syntax tti or --syntax gnu");
}

Expected<GnuText> read_by_content(Arch arch, std::string_view source, std::string_view name) {
  if (is_objdump(source)) return read_gnu(arch, source, name);
  const Marks marks = marks_of(arch, source);
  if (marks.ours != 0 && marks.vendors != 0) {
    return at_line(name, std::max(marks.ours, marks.vendors),
                   fmt::format("line {} is Lanewise's own syntax and line {} the vendor's",
                               marks.ours, marks.vendors),
                   "write one of them, or say which it is: --syntax tti or --syntax gnu");
  }
  if (marks.vendors != 0) return read_gnu(arch, source, name);
  const bool is_ours = marks.ours != 0 || marks.written_as_ours || marks.has_word_directive;
  auto ours = read_ours(arch, source, name);
  if (is_ours) return ours;
  auto vendors = read_gnu(arch, source, name);
  if (!vendors) return ours;
  if (!ours) return vendors;
  return agreed(arch, name, std::move(ours), vendors);
}

} // namespace

std::optional<Syntax> parse_syntax(std::string_view name) {
  if (name == "auto") return Syntax::Auto;
  if (name == "tti") return Syntax::Tti;
  if (name == "gnu") return Syntax::Gnu;
  return std::nullopt;
}

Expected<GnuText> read_assembly(Arch arch, std::string_view source, std::string_view name,
                                Syntax syntax) {
  switch (syntax) {
    case Syntax::Auto: return read_by_content(arch, source, name);
    case Syntax::Tti: return read_ours(arch, source, name);
    case Syntax::Gnu: return read_gnu(arch, source, name);
  }
  return read_by_content(arch, source, name);
}

} // namespace lanewise::assembly
