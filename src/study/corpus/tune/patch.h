// A kernel's tuned program in the header that has the kernel: what is written into its function and
// its init function, so that both stay what they are for everybody who calls them.
//
// The function gets a branch in front of its text, for the configuration that was tuned; all others
// take the shipped text behind it. What runs once goes to the end of the init function. Where there
// is none, it stands in front of each call, if that is still faster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "source/checkouts/checkout.h"
#include "study/corpus/tune/tune_corpus.h"

namespace lanewise::corpus {

/// Lines that go into a function of a header.
struct HeaderEdit {
  std::string function;
  bool at_end = false; ///< in front of the brace that closes it, instead of behind the first
  std::string lines = {};
};

/// Error: Unsupported if the header has no such function, or several.
Expected<std::string> with_edit(std::string header, const HeaderEdit& edit);

/// What is known of tiles with 32 bits in Dst, which the same function computes.
enum class WideProof : std::uint8_t {
  OtherText, ///< the call says how wide Dst is: they take the shipped text
  Sampled,   ///< a sample agrees
  Proved,    ///< all inputs agree
  None       ///< the kernel does not compile for them
};

/// A kernel of a header, patched or not.
struct PatchedKernel {
  std::string kernel;
  std::string variant;
  std::string why = {};    ///< it is not patched
  double plain_cycles = 0; ///< of a tile, as it is shipped and compiled
  double cycles = 0;       ///< the same of the patched header
  bool init_in_call = false;
  WideProof wide = WideProof::OtherText;
};

/// A header on a chip. `after` is `before` where nothing is patched.
struct PatchedHeader {
  std::string path; ///< in the checkout
  Arch arch = kDefaultArch;
  std::string before = {}, after = {};
  std::vector<PatchedKernel> kernels = {};
};

/// Tunes what one call of each kernel does, writes it into the header, and proves the header: each
/// kernel is compiled from it as LLK calls it, compared with the shipped one over all inputs,
/// checked and timed. `cases` are all of the same header and chip. Error: BadInput as read_file()
/// has it.
Expected<PatchedHeader> patch_header(const std::vector<LlkCase>& cases,
                                     const checkouts::Checkout& checkout,
                                     const CorpusTuning& tuning);

} // namespace lanewise::corpus
