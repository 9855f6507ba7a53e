// Whether multiply-adds of this machine are fused.
#pragma once

namespace lanewise {

/// Whether this machine multiplies and adds with one rounding, and has vectors of it: all since
/// 2015. Without it some functions of references have other last bits.
bool has_fma();

} // namespace lanewise
