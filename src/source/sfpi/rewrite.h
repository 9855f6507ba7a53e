// What g++ 12 needs to compile kernels that are written for newer versions.
#pragma once

#include <string>
#include <string_view>

namespace lanewise::sfpi {

/// A preprocessed C++ text, changed in two ways:
///   - a `false` or `0` with which the condition of a static_assert begins becomes an expression
///     that is false only when the template around it is instantiated. g++ before 13 rejects
///     static_assert(false) even in a branch of `if constexpr` that is discarded (CWG 2518).
///   - `#pragma GCC unroll` lines become empty. g++ before 13 wants a number there, not a template
///     parameter; a kernel that is recorded has no use for them. Those with a number stay where
///     code for a core is made (`unrolls`).
/// The number of lines stays the same, and so does everything in comments and literals. Any bytes
/// are a valid input.
std::string rewrite_for_host_compiler(std::string_view preprocessed, bool unrolls = false);

} // namespace lanewise::sfpi
