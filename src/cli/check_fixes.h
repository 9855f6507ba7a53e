// Changes of a file that mend what 'check' has found in it.
#pragma once

#include <string>

#include "cli/kernel.h"
#include "report/check/finding.h"

namespace lanewise::cli {

/// What mends a finding, as an editor offers it (editor/questions.h): each change was made and the
/// text checked anew. `kernel` and `format` as the program was checked with; nothing for words in
/// hexadecimal, standard input and findings of other files.
report::FixesOf check_fixes(const KernelOptions& kernel, const std::string& format);

} // namespace lanewise::cli
