// The kernels of a checkout, tuned, as a page.
#pragma once

#include <span>
#include <string>

#include "study/corpus/tune/tune_corpus.h"

namespace lanewise::report {

/// A page that needs nothing else: totals, reasons, and the rows of tuned_corpus_table(), which a
/// click on a heading sorts and a field searches. `command` is what made it.
std::string tuned_corpus_page(std::span<const corpus::TunedCase> cases,
                              const std::string& command = {});

} // namespace lanewise::report
