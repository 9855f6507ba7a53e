// The call by which a section pushes an instruction
// (source/sfpi/include/section/lanewise_section.h): from the middle of any code, so that it keeps
// all registers and flags.
#pragma once

namespace lanewise::section {

/// Takes the word behind the return address, on the stack.
using PushCall = void (*)();

/// What an object must find in its variable `lanewise_push`. Whichever section runs is the one that
/// pushes.
PushCall push_call();

/// The name of that variable.
inline constexpr const char* kPushName = "lanewise_push";

} // namespace lanewise::section
