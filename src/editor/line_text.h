// What became of a line, in words.
#pragma once

#include <string>

#include "editor/analysis.h"

namespace lanewise::editor {

/// "2 words, 5 cycles (3 waiting)"; without cycles where they are not known, with how often it was
/// executed where that is another number than its words.
std::string line_summary(const Analysis& analysis, const LineUse& use);

/// The words as assembly, one a line, each with how often it occurs and what its modes mean; what
/// the line waits for.
std::string line_words(const Analysis& analysis, const LineUse& use);

} // namespace lanewise::editor
