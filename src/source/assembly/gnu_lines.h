// Lines of the vendor's assembly: comments, labels, statements, and the lines of objdump.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::assembly {

/// The lines of a text, and which of them begin inside of a /* comment.
class GnuLines {
 public:
  explicit GnuLines(std::string_view source) : rest_(source) {}

  /// The next line without its end; nothing behind the last.
  std::optional<std::string_view> next();
  /// Of the line that next() returned, from 1.
  std::uint32_t number() const { return number_; }
  /// Whether the next line begins inside of a comment.
  bool in_comment() const { return in_comment_; }
  /// The line with blanks instead of comments (#, //, and /* */ over several lines), up to the next
  /// call. Call it once per line, in order.
  std::string_view without_comments(std::string_view line);
  /// The same for a line on its own.
  static std::string without_comments_of_line(std::string_view line) {
    return std::string(GnuLines({}).without_comments(line));
  }

 private:
  std::string_view rest_;
  std::string blanked_; ///< a line that had comments
  std::uint32_t number_ = 0;
  bool in_comment_ = false;
};

/// One statement: "label: mnemonic operand, operand". The parts point into the line.
struct GnuStatement {
  std::vector<std::string_view> labels = {};
  std::string_view mnemonic = {}; ///< or directive; empty where there is none
  std::vector<std::string_view> operands = {};
};

/// What is looked for in statements.
enum class StatementParts : std::uint8_t { All, WithoutOperands };

/// The statements of a line without comments; ';' is between them. Where a compiler's labels are
/// names of C++, "f(int):" takes the whole line.
class GnuStatements {
 public:
  explicit GnuStatements(std::string_view line, StatementParts wanted = StatementParts::All);
  std::optional<GnuStatement> next();

 private:
  std::string_view rest_;
  std::string_view whole_label_; ///< where the line is one
  StatementParts wanted_;
};

/// "  1c:  c0330001  sfpload L0,0,12,3". The parts point into the line.
struct ObjdumpLine {
  std::uint64_t address = 0;
  std::optional<std::uint32_t> bytes = std::nullopt; ///< absent with --no-show-raw-insn
  bool is_word = false;                              ///< four bytes, not two
  bool has_tab = false;                              ///< behind the colon, as objdump writes it
  std::string_view text = {};                        ///< the instruction
};

std::optional<ObjdumpLine> objdump_line(std::string_view line);

/// Whether some line of objdump has bytes: those without are lines of the source, or relocations.
bool has_objdump_bytes(std::string_view source);

/// f in "00000010 <f>:".
std::optional<std::string_view> objdump_symbol(std::string_view line);

/// .text in "Disassembly of section .text:".
std::optional<std::string_view> objdump_section(std::string_view line);

} // namespace lanewise::assembly
