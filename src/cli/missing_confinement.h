// What is told where kernels are not fully confined.
#pragma once

namespace lanewise::cli {

/// Warns where this system has not all layers of confinement: for commands that run what an editor
/// or a browser sends.
void tell_missing_confinement();

} // namespace lanewise::cli
