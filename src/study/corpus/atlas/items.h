// What an atlas is made of: every kernel of a checkout in every format, each by itself.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "study/corpus/accuracy/sweep.h"

namespace lanewise::corpus {

/// Where the kernels of an atlas lie. Of a checkout of tt-metal they are its operations and the
/// kernels of the tt-llk within it, which are compiled as tt-llk's own builds do.
struct AtlasSources {
  AccuracySources operations; ///< of tt-metal, or without a checkout the examples
  AccuracySources llk;

  const AccuracySources& of(AccuracyOrigin origin) const {
    return origin == AccuracyOrigin::Llk ? llk : operations;
  }
};

/// A kernel in one format, on all of its chips.
struct AtlasItem {
  /// Unique among kernels, and fit for the name of a file: "exp", of a kernel of tt-llk "llk.exp".
  std::string id;
  std::string family; ///< of functions: "activations"
  /// Its function; `reference` is empty where none is known that could be measured.
  AccuracyKernel function;
  formats::Format format = formats::Format::BF16;
  std::string header = {}; ///< ckernel_sfpu_<header>.h; empty of examples
  std::string call = {};   ///< what is called, on the first chip

  /// "exp.bf16": unique among items.
  std::string name() const;
};

struct AtlasContents {
  AtlasSources sources;
  std::vector<AtlasItem> items; ///< of a kernel all formats, one behind the other
  std::size_t absent = 0;       ///< kernels of tt-llk that are known and not in the checkout
};

/// What an atlas is asked for.
struct AtlasRequest {
  std::string folder = {};               ///< a checkout; empty: the examples
  std::string examples = "examples";     ///< their folder
  std::vector<std::string> kernels = {}; ///< by id or name; all if empty
  std::vector<formats::Format> formats = {formats::Format::BF16};
  std::vector<Arch> chips = {};
  std::optional<int> sfpi_release = {}; ///< an epoch; of a checkout, instead of its own
};

/// The items, always in the same order: as their families list them. A kernel that has none of the
/// formats is there once, in its own first one. Error: BadInput if the folder is no checkout, or
/// there is no kernel of a name.
Expected<AtlasContents> atlas_contents(const AtlasRequest& request);

} // namespace lanewise::corpus
