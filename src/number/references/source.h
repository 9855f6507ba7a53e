// References that are functions of a C++ file.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "number/references/reference.h"

namespace lanewise::references {

/// How long a function in C++ may take for a block of kWorkerBlock inputs.
inline constexpr std::chrono::milliseconds kReferencePatience{60'000};

/// compile_reference(), with another patience.
Expected<std::unique_ptr<Reference>> compile_reference(const std::string& file,
                                                       std::chrono::milliseconds patience);

} // namespace lanewise::references
