// The assembler: statements and directives of assembly text, of one thread or of a whole tile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chip/isa/arch.h"
#include "chip/isa/program.h"
#include "chip/isa/row.h"
#include "source/assembly/expression.h"
#include "source/assembly/operands.h"
#include "source/assembly/text_memo.h"
#include "source/assembly/token_stream.h"

namespace lanewise::assembly {

/// Directives that only a program of a whole tile has (tile_assembler.cpp).
inline constexpr auto kTileDirectives =
    std::to_array<std::string_view>({".cfg_word", ".gpr", ".in", ".out", ".semaphore", ".thread"});

/// Reads a text into programs. All functions throw SyntaxError.
class Assembler {
 public:
  Assembler(Arch arch, std::string_view source) : arch_(arch), stream_(source) {}
  Assembler(const Assembler&) = delete;
  Assembler& operator=(const Assembler&) = delete;
  virtual ~Assembler() = default;

  /// Everything, into program().
  void read();

 protected:
  /// What the words, settings and loops that come next belong to.
  virtual Program& program(const Token& at) = 0;
  /// A setting of `.cfg`.
  virtual void add_config(const Token& directive, ConfigSetting setting) = 0;
  /// A directive of kTileDirectives; the token has been taken.
  virtual void parse_tile_directive(const Token& directive) = 0;

  Arch arch() const { return arch_; }
  TokenStream& stream() { return stream_; }
  std::uint32_t parse_u32(std::string_view what);
  /// A number from 0 to `largest`. `what`: "a scalar register".
  std::uint32_t parse_number(std::string_view what, std::uint32_t largest);
  bool in_repeat() const { return !repeats_.empty(); }
  /// Fails if a .repeat is open.
  void check_repeats_closed() const;

 private:
  /// An open `.repeat`.
  struct Repeat {
    Token directive;
    std::size_t first; ///< index of its first word
    std::size_t count;
  };

  void parse_line();
  void parse_instruction();
  bool push_known(const Token& line);
  std::optional<std::uint32_t> find_word(std::string_view line);
  std::optional<std::uint32_t> find_plain_word(std::string_view line);
  std::uint32_t parse_instruction_word();
  const isa::Row& row_of(const Token& name);
  const isa::Row& find_row(const Token& name) const;
  void push(const Token& at, std::uint32_t word);
  static void check_size(const Token& at, std::size_t words);

  void parse_directive();
  void parse_arch(const Token& directive);
  void parse_cfg(const Token& directive);
  void parse_equ(const Token& directive);
  void parse_mop(const Token& directive);
  void parse_word(const Token& directive);
  void parse_repeat(const Token& directive);
  void parse_endr(const Token& directive);

  Arch arch_;
  TokenStream stream_;
  Constants constants_;
  // As the constants stand:
  LineMemo<std::uint32_t> lines_;         ///< words of instructions
  LineMemo<BegunInstruction> beginnings_; ///< of lines, up to their last comma
  NameMemo<const isa::Row*> rows_;
  std::vector<Repeat> repeats_;
};

} // namespace lanewise::assembly
