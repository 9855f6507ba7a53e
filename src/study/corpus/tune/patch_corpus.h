// The kernels of a checkout, tuned and written into their headers.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "study/corpus/tune/patch.h"

namespace lanewise::corpus {

struct PatchedCorpus {
  /// Those that are done, in the order of their first kernels; `before` is left out.
  struct Header {
    std::string path; ///< in the checkout
    Arch arch = kDefaultArch;
    std::string diff = {}; ///< for git apply in the checkout's folder; empty if nothing is patched
    std::vector<PatchedKernel> kernels = {};
  };
  std::vector<Header> headers;
  std::size_t all = 0;    ///< headers
  std::size_t absent = 0; ///< kernels that are known, without a header in the checkout
};

/// Tunes and patches header by header, in processes (patch.h). `progress` as tune_corpus() has it;
/// errors, too.
Expected<PatchedCorpus> patch_corpus(const CorpusTuning& tuning,
                                     const std::function<bool(const std::string&)>& progress);

/// "bh-ckernel_sfpu_abs.patch".
std::string patch_file_name(const PatchedCorpus::Header& header);

} // namespace lanewise::corpus
