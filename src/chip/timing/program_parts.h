// A program's words by what they are there for, and programs made of some of them.
#pragma once

#include <cstddef>
#include <vector>

#include "base/source_line.h"
#include "chip/isa/program.h"

namespace lanewise::timing {

/// What each word of the program is there for.
std::vector<ProgramPart> parts_of(const Program& program);

/// Whom a word is dealt to: the program that gets what configures the MOP expander in front of it,
/// and whether it gets the word as well.
struct DealtTo {
  Program& program;
  bool takes_word = true;
};

/// Deals out the words in their order, and what configures the MOP expander in front of each of
/// them, or behind the last. `deal(i)` is the DealtTo of word i, or of the end.
template <class Deal>
void deal_out(const Program& program, const Deal& deal) {
  std::size_t setting = 0;
  for (std::size_t i = 0; i <= program.words.size(); ++i) {
    const DealtTo to = deal(i);
    for (; setting < program.mop.size() && program.mop[setting].before == i; ++setting) {
      to.program.mop.push_back(program.mop[setting]);
      to.program.mop.back().before = to.program.words.size();
    }
    if (i < program.words.size() && to.takes_word) to.program.words.push_back(program.words[i]);
  }
}

} // namespace lanewise::timing
