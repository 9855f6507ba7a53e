// number/references/functions.def at any precision.
#include <array>

#include "number/references/enclosure_functions.h"
#include "number/references/rows.h"

namespace lanewise::references {
namespace {

/// The row of a generic lambda.
template <class Function>
constexpr EnclosureFunction enclosure_row(Function) {
  return [](const Enclosure* operands) { return evaluate_row<Function>(operands); };
}

#define ONE(group, name, another, meaning, result) \
  enclosure_row([]<class T>(const T& x) -> T { return result; }),
#define TWO(group, name, another, meaning, result) \
  enclosure_row([]<class T>(const T& x, const T& y) -> T { return result; }),
#define THREE(group, name, another, meaning, result) \
  enclosure_row([]<class T>(const T& x, const T& y, const T& z) -> T { return result; }),
#define TWO_DEFAULT(y, ...) TWO(__VA_ARGS__)
#define THREE_DEFAULT(y, z, ...) THREE(__VA_ARGS__)

constexpr std::array kEnclosureFunctions{
#include "number/references/functions.def"
};
#undef ONE
#undef TWO
#undef THREE
#undef TWO_DEFAULT
#undef THREE_DEFAULT

} // namespace

std::span<const EnclosureFunction> enclosure_functions() {
  return kEnclosureFunctions;
}

} // namespace lanewise::references
