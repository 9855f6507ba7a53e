// The proof that a block is another program's: both as they execute, word by word, with everything
// that they leave behind as numbers of values. It holds for every input, of any number of tiles,
// and believes what chip/isa/effects.h says of what instructions read and write. Besides, both run
// on random tiles, and the block with words that come late.
#pragma once

#include "study/tune/prove.h"

namespace lanewise::tune {

/// Like prove_printed(), of a program that was tuned as a block.
Expected<Proof> prove_block(const Plain& plain, const Tuned& tuned, const Plain& printed,
                            const ProofOptions& options);

/// Whether a tile of both programs leaves the same behind: empty, or the first difference. Error:
/// as follow_block() has it.
Expected<std::string> differ_in_values(const Plain& plain, const Plain& tuned,
                                       formats::Format format);

/// Where Dst differs after both programs have run on random tiles in all of it, two in a row; the
/// second one also with random pauses of the core, as hardware has it. Empty if nowhere.
Expected<std::string> differ_on_random_tiles(const Plain& plain, const Plain& tuned,
                                             formats::Format format);

} // namespace lanewise::tune
