// What a header of kernels declares: its functions without a result, with the names of their
// parameters. Kernels change the order and number of their template parameters from one release
// to the next, and keep their names; so a call is made from the names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanewise::checkouts {

/// Names, and each other character on its own; without white space and comments.
std::vector<std::string_view> tokens_of(std::string_view text);

struct Parameter {
  std::string type = {};          ///< "bool", "typename"
  std::string name = {};          ///< empty if it has none
  std::string default_value = {}; ///< empty if it has none

  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// A function that returns nothing, where the header defines it.
struct Function {
  std::string name;
  std::vector<Parameter> templates = {}, parameters = {};

  friend bool operator==(const Function&, const Function&) = default;
};

/// The functions in the text of a header, in order; specialisations are left out. Text that is no
/// C++ gives whatever looks like a function in it.
std::vector<Function> functions_of(std::string_view text);

} // namespace lanewise::checkouts
