// What the RISC-V instructions of a text do to the order of its Tensix words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/assembly/gnu.h"
#include "source/assembly/riscv_names.h"

namespace lanewise::assembly {

/// Collects labels and jumps while a text is read; says in the end which functions have words, and
/// where the words of the text are not those that are executed in that order.
class GnuFlow {
 public:
  /// `words`: how many words stand before the label.
  void add_label(std::string_view name, std::uint32_t line, std::size_t words);
  /// `.type NAME, @function`.
  void add_function_name(std::string_view name) { function_names_.emplace(name); }
  bool is_function_name(std::string_view name) const { return function_names_.contains(name); }
  /// Of objdump: the symbol at the lines that follow.
  void add_objdump_symbol(std::string_view name, std::uint32_t line, std::size_t words);
  /// Of objdump: the address of the instruction of the line.
  void add_address(std::uint64_t address, std::size_t words);
  void add_riscv(RiscvFlow flow, std::string_view mnemonic,
                 std::span<const std::string_view> operands, std::uint32_t line, std::size_t words);
  void add_doubt(std::uint32_t line, std::string message, std::string remedy);

  /// Writes functions and doubts, when all lines are read.
  void finish(GnuText& text);

 private:
  struct Label {
    std::string name;
    std::uint32_t line;
    std::size_t words;
    bool from_objdump;
  };
  struct Jump {
    RiscvFlow flow;
    std::string mnemonic, target;
    std::uint32_t line;
    std::size_t words;
  };

  bool starts_function(const Label& label) const;
  std::vector<GnuFunction> functions(const Program& program) const;
  /// How many words stand before the target of a jump.
  const std::size_t* words_before(const Jump& jump) const;
  void judge(const Jump& jump, const GnuFunction& function, const Program& program);
  void judge_target(const Jump& jump, std::size_t target, const Program& program);

  std::vector<Label> labels_;
  std::vector<Jump> jumps_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::map<std::string, std::map<std::uint32_t, std::size_t>, std::less<>> by_number_; ///< 1:, 2:
  std::map<std::uint64_t, std::size_t> by_address_;
  std::set<std::string, std::less<>> function_names_;
  std::vector<Fault> doubts_;
};

} // namespace lanewise::assembly
