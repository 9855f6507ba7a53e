// A tuned program as it is printed, and what the printed text is when it is read again.
#pragma once

#include <cstdint>
#include <string>

#include "base/fault.h"
#include "study/tune/prove.h"
#include "study/tune/tuned.h"

namespace lanewise::tune {

/// Ways to write a program down.
enum class Form : std::uint8_t {
  Tti,      ///< two functions in C++; they run in a kernel
  Assembly, ///< these two run as 'run' and 'check' start such files: flags are not in use
  Words
};

std::string text_of(const Tuned& tuned, Form form, const std::string& name);

/// The program that the text is: C++ through g++ and the recorder, in a kernel that calls both
/// functions; assembly and words through their readers. It starts as the form starts. Error: what
/// the reader says.
Expected<Plain> read_printed(Arch arch, Form form, const std::string& text,
                             const std::string& name);

/// Functions in Form::Tti are called by it, with endings. `option`: how messages call it.
Expected<void> check_function_name(std::string_view option, const std::string& name);

} // namespace lanewise::tune
