// References whose results may be remembered (base/remembered.h).
#pragma once

#include <string>

#include "number/references/reference.h"

namespace lanewise::references {

/// One whose identity() says the function itself: the same identity is the same function, in any
/// process. A function of Python's has only its name.
class SettledReference : public Reference {};

/// Whether it is one.
bool is_settled(const Reference& reference);

/// Names and versions of the libraries that references are computed with, of those that are loaded
/// with the program: with others, a result may be another one, if one of them has a defect.
std::string versions_behind_references();

} // namespace lanewise::references
