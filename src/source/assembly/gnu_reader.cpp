// Lines, labels and directives of the vendor's assembly, and lines of objdump.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/in_quotes.h"
#include "chip/isa/explain.h"
#include "chip/isa/limits.h"
#include "source/assembly/gnu.h"
#include "source/assembly/gnu_flow.h"
#include "source/assembly/gnu_lines.h"
#include "source/assembly/gnu_operands.h"
#include "source/assembly/gnu_place.h"
#include "source/assembly/riscv_names.h"
#include "source/assembly/token_stream.h"

namespace lanewise::assembly {
namespace {

/// Directives that make other text than what stands there.
constexpr std::array kMacroDirectives = std::to_array<std::string_view>(
    {".else", ".elseif", ".endif", ".endm", ".endr", ".if", ".ifdef", ".ifndef", ".incbin",
     ".include", ".irp", ".irpc", ".macro", ".rept"});

constexpr std::array kWordDirectives =
    std::to_array<std::string_view>({".4byte", ".int", ".long", ".word"});

/// Directives that make bytes which are no words.
constexpr std::array kByteDirectives = std::to_array<std::string_view>(
    {".2byte", ".8byte", ".ascii", ".asciz", ".byte", ".dword", ".fill", ".half", ".hword", ".octa",
     ".org", ".quad", ".short", ".skip", ".space", ".string", ".zero"});

template <std::size_t Size>
bool is_in(const std::array<std::string_view, Size>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Whether instructions stand in a section of that name.
bool is_code_section(std::string_view name) {
  constexpr std::array kData = std::to_array<std::string_view>(
      {".bss", ".comment", ".data", ".debug", ".eh_frame", ".gcc_except", ".ldm_data", ".note",
       ".riscv.attributes", ".rodata", ".sbss", ".sdata", ".srodata", ".symtab", ".strtab"});
  return std::ranges::none_of(kData,
                              [&](std::string_view start) { return name.starts_with(start); });
}

/// "a.b::c" as one lower-case text.
std::string lower_case_of(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

bool looks_like_tensix(std::string_view mnemonic) {
  return mnemonic.starts_with("sfp") ||
         (mnemonic.starts_with("tt") && mnemonic != "tt" && !mnemonic.starts_with("tt."));
}

class GnuReader {
 public:
  GnuReader(Arch arch, std::string_view source, std::string_view name)
      : arch_(arch), source_(source) {
    text_.program.name = name;
  }

  /// Throws SyntaxError.
  GnuText read() {
    const bool objdump = is_objdump(source_);
    has_bytes_ = objdump && has_objdump_bytes(source_);
    GnuLines lines(source_);
    while (const std::optional<std::string_view> raw = lines.next()) {
      line_ = lines.number();
      if (objdump) {
        read_objdump_line(*raw);
      } else {
        read_source_line(*raw, lines.without_comments(*raw));
      }
    }
    drop_data();
    settle_order_of_operands();
    flow_.finish(text_);
    return std::move(text_);
  }

 private:
  /// Of a word at an address divisible by four: its lower half.
  struct Half {
    std::uint64_t address;
    std::uint32_t bits;
  };

  /// A line that older binutils read as another word than those of today.
  struct TwoReadings {
    std::size_t index; ///< of the word
    GnuReading today, older;
  };

  Token at(std::string_view piece, std::string_view line) const {
    return {TokenKind::Name, piece, line_,
            static_cast<std::uint32_t>(piece.data() - line.data()) + 1};
  }

  // -------------------------------------------------------------- Source lines

  /// `line` is `raw` with blanks instead of comments, so that columns stay.
  void read_source_line(std::string_view raw, std::string_view line) {
    GnuStatements statements(line);
    while (const std::optional<GnuStatement> statement = statements.next()) {
      for (const std::string_view label : statement->labels) {
        if (in_code_) read_label(label);
      }
      if (statement->mnemonic.empty()) continue;
      if (statement->mnemonic.starts_with('.')) {
        read_directive(*statement, line);
      } else if (in_code_) {
        read_instruction(*statement, line, raw);
      }
    }
  }

  void read_label(std::string_view label) {
    drop_data();
    place_.see_label(label, flow_.is_function_name(label), text_.program.words.size());
    flow_.add_label(label, line_, text_.program.words.size());
  }

  void read_directive(const GnuStatement& statement, std::string_view line) {
    const std::string_view name = statement.mnemonic;
    const Token here = at(name, line);
    if (is_in(kMacroDirectives, name)) {
      fail(here, fmt::format("{} is not followed here", in_quotes(name)),
           "give what the compiler printed, or objdump's output, in which such lines are gone");
    }
    if (name == ".ttinsn") {
      if (statement.operands.size() > 1) {
        fail(here, ".ttinsn is one word", "write a .ttinsn for each word");
      }
      place_.see_instruction(RiscvFlow::Next);
      push(here, number(statement, 0, line, ".ttinsn"));
    } else if (is_in(kWordDirectives, name)) {
      if (in_code_) push_memory(statement, line);
    } else if (is_in(kByteDirectives, name)) {
      if (in_code_ && place_.is_code()) doubt_bytes(name);
    } else if (name == ".insn") {
      place_.see_instruction(RiscvFlow::Next);
      read_insn(statement, line);
    } else {
      read_section_or_type(statement);
    }
  }

  void doubt_bytes(std::string_view directive) {
    flow_.add_doubt(
        line_, fmt::format("{} puts bytes between instructions, which are left out", directive),
        "write instruction words as .ttinsn");
  }

  /// What stands behind a label since the end of the function, and has no instruction: data.
  void drop_data() {
    const std::optional<std::size_t> words = place_.end_of_data();
    if (!words) return;
    text_.program.words.resize(*words);
  }

  void read_section_or_type(const GnuStatement& statement) {
    const std::string_view name = statement.mnemonic;
    const std::string_view first =
        statement.operands.empty() ? std::string_view() : statement.operands.front();
    if (name == ".text") in_code_ = true;
    if (name == ".data" || name == ".bss" || name == ".rodata") in_code_ = false;
    if (name == ".pushsection") sections_.push_back(in_code_);
    if (name == ".section" || name == ".pushsection") in_code_ = is_code_section(first);
    if (name == ".popsection" && !sections_.empty()) {
      in_code_ = sections_.back();
      sections_.pop_back();
    }
    const bool function = name == ".type" && statement.operands.size() == 2 &&
                          statement.operands[1].find("function") != std::string_view::npos;
    if (function) flow_.add_function_name(first);
  }

  /// Words as they lie in memory, one per operand. What is no number is an address.
  void push_memory(const GnuStatement& statement, std::string_view line) {
    for (const std::string_view operand : statement.operands) {
      const auto value = gnu_number(operand);
      if (value) push_memory_word(at(operand, line), static_cast<std::uint32_t>(*value));
    }
  }

  void push_memory_word(const Token& here, std::uint32_t memory) {
    if (is_tensix_in_memory(memory)) {
      push(here, word_of_memory(memory));
    } else {
      ++text_.riscv;
    }
  }

  /// ".insn 0x..." and ".insn 4, 0x..." are words as they lie in memory; other forms are RISC-V.
  void read_insn(const GnuStatement& statement, std::string_view line) {
    const bool is_number = !statement.operands.empty() && gnu_number(statement.operands.front());
    if (is_number) {
      const std::size_t which = statement.operands.size() - 1;
      push_memory_word(at(statement.operands[which], line),
                       number(statement, which, line, ".insn"));
    } else {
      ++text_.riscv;
    }
  }

  std::uint32_t number(const GnuStatement& statement, std::size_t which, std::string_view line,
                       std::string_view directive) const {
    const auto value =
        which < statement.operands.size() ? gnu_number(statement.operands[which]) : std::nullopt;
    if (!value) {
      fail(at(statement.mnemonic, line), fmt::format("{} needs a number", directive),
           "write the word, for instance .ttinsn 0x8f000000");
    }
    return static_cast<std::uint32_t>(*value);
  }

  // -------------------------------------------------------------- Instructions

  void read_instruction(const GnuStatement& statement, std::string_view line,
                        std::string_view raw) {
    const std::string mnemonic = lower_case_of(statement.mnemonic);
    const Token here = at(statement.mnemonic, line);
    if (looks_like_tensix(mnemonic)) {
      place_.see_instruction(RiscvFlow::Next);
      push_reading(here, readings_of(statement, line));
      return;
    }
    const RiscvFlow flow = riscv_flow(mnemonic);
    if (flow == RiscvFlow::Unknown) fail_unknown(here);
    place_.see_instruction(flow);
    ++text_.riscv;
    flow_.add_riscv(flow, mnemonic, statement.operands, line_, text_.program.words.size());
    if (stores_computed_word(mnemonic, raw)) add_computed_word();
  }

  std::vector<GnuReading> readings_of(const GnuStatement& statement, std::string_view line) const {
    const Token here = at(statement.mnemonic, line);
    const std::optional<isa::Op> op = isa::find_gnu_name(arch_, statement.mnemonic);
    if (!op) fail_unknown(here);
    std::string why;
    auto readings = read_gnu_operands(arch_, *op, statement.operands, why);
    if (readings.empty()) fail(here, why, remedy_for_operands(*op, statement));
    return readings;
  }

  /// For an instruction that no form of the chip reads.
  std::string remedy_for_operands(isa::Op op, const GnuStatement& statement) const {
    std::string why;
    for (const Arch other : kEveryArch) {
      if (other == arch_ || isa::find_row(other, op) == nullptr) continue;
      if (read_gnu_operands(other, op, statement.operands, why).empty()) continue;
      return fmt::format("{} takes it: read it with --arch {}", arch_params(other).names.full,
                         arch_params(other).names.id);
    }
    const isa::GnuForm* form = isa::find_gnu_form(arch_, op);
    if (form == nullptr) return "write the word as .ttinsn 0x...";
    return fmt::format("the vendor's order is: {} {}", form->name,
                       isa::gnu_operand_names(arch_, *form));
  }

  [[noreturn]] void fail_unknown(const Token& name) const {
    std::string mnemonic = lower_case_of(name.text);
    for (const Arch other : kEveryArch) {
      if (!isa::find_gnu_name(other, mnemonic)) continue;
      fail(name,
           fmt::format("{} exists on {} only", in_quotes(name.text), arch_params(other).names.id),
           fmt::format("read it with --arch {}", arch_params(other).names.id));
    }
    if (mnemonic.starts_with("tti_") || mnemonic.starts_with("tt_")) {
      fail(name,
           fmt::format("{} is a macro of kernels, not the vendor's assembly", in_quotes(name.text)),
           "read the text with --syntax tti, or give what the compiler made of it");
    }
    if (mnemonic.starts_with("tt")) mnemonic.erase(0, 2);
    if (const auto op = isa::find_op(mnemonic); op && looks_like_tensix(lower_case_of(name.text))) {
      fail(name, fmt::format("the vendor's form of {} is not known", in_quotes(name.text)),
           "write the word as .ttinsn 0x...");
    }
    const auto near = isa::suggestions(mnemonic.substr(0, 64));
    fail(name, fmt::format("{} is neither a Tensix nor a RISC-V instruction", in_quotes(name.text)),
         near.empty()
             ? "check the spelling"
             : fmt::format("did you mean the vendor's form of {}?", fmt::join(near, ", ")));
  }

  void push(const Token& here, std::uint32_t word) {
    if (text_.program.words.size() >= isa::kMostWords) {
      fail(here, fmt::format("the program grows beyond {} words here", isa::kMostWords),
           "give fewer functions");
    }
    text_.program.words.push_back({word, line_});
  }

  void push_reading(const Token& here, const std::vector<GnuReading>& readings) {
    const GnuReading& first = readings.front();
    if (first.form->op == isa::Op::SFPSTORE) {
      (first.form->older ? saw_older_store_ : saw_store_) = true;
    }
    const auto other = std::ranges::find_if(
        readings, [&](const GnuReading& each) { return each.word != first.word; });
    if (other != readings.end()) {
      two_readings_.push_back({text_.program.words.size(), first, *other});
    }
    push(here, first.word);
  }

  /// SFPSTOCHRND has six operands in either order. It changed shortly after SFPSTORE, whose orders
  /// differ in kind: the stores of the text tell which binutils it is for.
  void settle_order_of_operands() {
    for (const TwoReadings& each : two_readings_) {
      ProgramWord& word = text_.program.words[each.index];
      if (saw_older_store_ && !saw_store_) word.word = each.older.word;
      if (saw_older_store_ != saw_store_) continue;
      flow_.add_doubt(
          word.line,
          fmt::format("{} is read as {}, {}; binutils before 2026-03-20 read it as {}, {}",
                      each.today.form->name, isa::gnu_operand_names(arch_, *each.today.form),
                      fmt::format("{:08x}", each.today.word),
                      isa::gnu_operand_names(arch_, *each.older.form),
                      fmt::format("{:08x}", each.older.word)),
          "if it is from an older binutils, give objdump's output with the bytes");
    }
  }

  // -------------------------------------------------------------- Words that are computed

  /// sfpi-gcc notes behind a store which instruction it pushes: "# Op(0x71) ..." or "# 2:SFPLOADI
  /// ...".
  static bool stores_computed_word(std::string_view mnemonic, std::string_view raw) {
    const std::size_t comment = raw.find('#');
    if (mnemonic != "sw" || comment == std::string_view::npos) return false;
    std::string_view note = raw.substr(comment + 1);
    note.remove_prefix(std::min(note.find_first_not_of(" \t"), note.size()));
    if (note.starts_with("Op(")) return true;
    const std::size_t digits = std::min(note.find_first_not_of("0123456789"), note.size());
    if (digits == 0 || digits == note.size() || note[digits] != ':') return false;
    return looks_like_tensix(lower_case_of(note.substr(digits + 1)));
  }

  void add_computed_word() {
    text_.computed.push_back(
        {.kind = FaultKind::Unsupported,
         .message = "this store pushes an instruction word that the program computes, which is no "
                    "part of the text",
         .remedy = "make an ELF of it, which 'lanewise elf --run' executes",
         .file = text_.program.name,
         .line = line_});
  }

  // -------------------------------------------------------------- objdump

  void read_objdump_line(std::string_view raw) {
    if (const auto section = objdump_section(raw)) in_code_ = is_code_section(*section);
    if (const auto symbol = objdump_symbol(raw)) {
      flow_.add_objdump_symbol(*symbol, line_, text_.program.words.size());
    }
    const std::optional<ObjdumpLine> line = objdump_line(raw);
    if (!line || !in_code_ || !line->has_tab || (has_bytes_ && !line->bytes)) return;
    flow_.add_address(line->address, text_.program.words.size());
    const std::string text = GnuLines::without_comments_of_line(line->text);
    GnuStatements statements(text);
    const GnuStatement statement = statements.next().value_or(GnuStatement{});
    if (!line->bytes) {
      if (!statement.mnemonic.empty()) read_instruction_without_bytes(statement, text, raw);
    } else if (!line->is_word || line->address % 4 != 0) {
      read_halves(*line);
    } else if (is_tensix_in_memory(*line->bytes)) {
      read_bytes(word_of_memory(*line->bytes), statement, text, raw);
    } else {
      ++text_.riscv;
      const std::string mnemonic = lower_case_of(statement.mnemonic);
      flow_.add_riscv(riscv_flow(mnemonic), mnemonic, statement.operands, line_,
                      text_.program.words.size());
    }
  }

  /// An objdump that does not know Tensix takes the lower half of a word for an instruction of 16
  /// bits, since its lowest two bits are not 11. The cores have no such instructions.
  void read_halves(const ObjdumpLine& line) {
    add_half(line.address, *line.bytes & 0xFFFFU);
    if (line.is_word) add_half(line.address + 2, *line.bytes >> 16);
  }

  void add_half(std::uint64_t address, std::uint32_t bits) {
    if (address % 4 == 0) {
      half_ = Half{address, bits};
      return;
    }
    if (!half_ || half_->address + 2 != address) return;
    const std::uint32_t memory = bits << 16 | half_->bits;
    half_.reset();
    if (!saw_halves_) {
      flow_.add_doubt(line_,
                      "this objdump does not know Tensix: two instructions of 16 bits, which the "
                      "cores do not have, are read as one Tensix word",
                      "give the output of the vendor's objdump, or the ELF");
    }
    saw_halves_ = true;
    push_memory_word({TokenKind::Name, {}, line_, 1}, memory);
  }

  void read_instruction_without_bytes(const GnuStatement& statement, std::string_view text,
                                      std::string_view raw) {
    if (statement.mnemonic.starts_with('.')) {
      read_directive(statement, text);
    } else {
      read_instruction(statement, text, raw);
    }
  }

  /// The bytes decide. Text that is a Tensix instruction must be able to mean them.
  void read_bytes(std::uint32_t word, const GnuStatement& statement, std::string_view text,
                  std::string_view raw) {
    const Token here{TokenKind::Name, raw.substr(0, 0), line_, 1};
    const auto op = isa::find_gnu_name(arch_, statement.mnemonic);
    if (op) {
      const auto readings = readings_of(statement, text);
      const bool fits =
          std::ranges::any_of(readings, [&](const GnuReading& each) { return each.word == word; });
      if (!fits) {
        fail(here,
             fmt::format("the bytes are {:08x}, {}, and the text beside them is {:08x}", word,
                         gnu_line(arch_, word), readings.front().word),
             "choose the chip that objdump printed it for with --arch");
      }
    }
    push(here, word);
  }

  Arch arch_;
  std::string_view source_;
  GnuText text_;
  GnuFlow flow_;
  std::vector<TwoReadings> two_readings_;
  std::vector<bool> sections_; ///< of .pushsection
  std::uint32_t line_ = 0;
  bool in_code_ = true;
  PlaceInText place_;
  bool has_bytes_ = false; ///< of objdump
  std::optional<Half> half_;
  bool saw_halves_ = false;
  bool saw_store_ = false, saw_older_store_ = false;
};

} // namespace

Expected<GnuText> read_gnu(Arch arch, std::string_view source, std::string_view name) {
  try {
    return GnuReader(arch, source, name).read();
  } catch (SyntaxError& error) {
    error.fault.file = name;
    return Unexpected(std::move(error.fault));
  }
}

} // namespace lanewise::assembly
