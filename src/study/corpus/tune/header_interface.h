// Which functions of a header a kernel calls, and what tells these calls from others.
#pragma once

#include <string>
#include <vector>

#include "base/fault.h"
#include "source/sfpi/kernel.h"

namespace lanewise::corpus {

/// What makes a call of a function this call, each "NAME == (VALUE)": of compile time and of run
/// time.
struct CallConditions {
  std::vector<std::string> fixed, running;
};

/// A kernel's function and its init function, if it has one, and when they are those of the call.
struct KernelInterface {
  std::string function, init; ///< names; `init` is empty where there is none
  CallConditions when, init_when;
};

/// Of the first call of `source`, and its init part. Error: Unsupported where no branch could tell
/// the call from others, or the init function depends on what the function does not know.
Expected<KernelInterface> interface_of(const std::string& header, const sfpi::KernelSource& source);

/// Why a kernel is not patched: Unsupported.
Unexpected unpatched(std::string why);

} // namespace lanewise::corpus
