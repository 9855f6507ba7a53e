#include "source/assembly/syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "chip/isa/disassembler.h"
#include "chip/isa/gnu_forms.h"
#include "chip/isa/row.h"
#include "source/assembly/assembler.h"
#include "source/assembly/assembly.h"
#include "source/assembly/gnu_lines.h"
#include "source/assembly/line_memo.h"
#include "source/assembly/riscv_names.h"

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

bool is_written_as_ours(std::string_view line, std::string_view mnemonic) {
  const std::size_t behind =
      static_cast<std::size_t>(mnemonic.data() - line.data()) + mnemonic.size();
  const bool capitals = std::ranges::none_of(mnemonic, [](char c) { return c >= 'a' && c <= 'z'; });
  return capitals && (behind >= line.size() || line[behind] != '\t');
}

void mark_statement(Arch arch, const GnuStatement& statement, std::string_view line,
                    std::uint32_t number, Marks& marks) {
  const std::string_view mnemonic = statement.mnemonic;
  const bool is_directive = mnemonic.starts_with('.');
  const auto mark = [number](std::uint32_t& place) { place = place == 0 ? number : place; };
  if (!statement.labels.empty() || is_vendors_directive(mnemonic) ||
      is_vendors_name(arch, mnemonic)) {
    mark(marks.vendors);
  }
  if (is_kernel_macro(mnemonic) || (is_directive && (is_one_of(mnemonic, kOurDirectives) ||
                                                     is_one_of(mnemonic, kTileDirectives)))) {
    mark(marks.ours);
  }
  if (mnemonic == ".word") marks.has_word_directive = true;
  if (!mnemonic.empty() && !is_directive && !is_written_as_ours(line, mnemonic)) {
    marks.written_as_ours = false;
  }
}

Marks marks_of(Arch arch, std::string_view source) {
  Marks marks;
  GnuLines lines(source);
  // Only the first line of a kind counts. Lines with comments, which may go on in the next, are not
  // among those that are known.
  LineMemo known;
  while (const auto raw = lines.next()) {
    if (known.find(*raw)) continue;
    // What stands behind ';' is a comment in our own syntax.
    const std::string_view text = lines.without_comments(*raw);
    if (text.data() == raw->data()) known.remember(*raw, 0);
    const std::string_view line = text.substr(0, text.find(';'));
    GnuStatements statements(line, StatementParts::WithoutOperands);
    if (const auto statement = statements.next()) {
      mark_statement(arch, *statement, line, lines.number(), marks);
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
