// Where in a text of the vendor's assembly its reader is: in code, or in data behind it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "source/assembly/riscv_names.h"

namespace lanewise::assembly {

/// Whether what stands in a section of code is code. Compiler Explorer leaves out the directives
/// that name sections, so that constants stand behind a function, under a label of their own.
class PlaceInText {
 public:
  /// `words` stand before the label.
  void see_label(std::string_view label, bool is_function, std::size_t words) {
    if (has_ended_ && !is_function && !is_place_in_code(label)) data_ = words;
  }
  void see_instruction(RiscvFlow flow) {
    data_.reset();
    has_ended_ =
        flow == RiscvFlow::Return || flow == RiscvFlow::Jump || flow == RiscvFlow::Indirect;
  }
  /// Whether bytes here would be executed.
  bool is_code() const { return !has_ended_ && !data_; }
  /// At the next label, or the end: how many words stand before data; nothing where there are none.
  std::optional<std::size_t> end_of_data() { return std::exchange(data_, std::nullopt); }

 private:
  /// .L12 and 1: are targets of jumps; .LC0 is a constant.
  static bool is_place_in_code(std::string_view label) {
    if (label.starts_with(".L")) label.remove_prefix(2);
    return !label.empty() && label.find_first_not_of("0123456789") == std::string_view::npos;
  }

  bool has_ended_ = false; ///< the last instruction does not go on behind itself
  std::optional<std::size_t>
      data_; ///< words before a label, behind which no instruction stands yet
};

} // namespace lanewise::assembly
