// Every BF16 number through a kernel, result by result: for reports that need more than a sweep
// keeps of them.
#pragma once

#include <vector>

#include "study/corpus/accuracy/sweep.h"
#include "study/sweep/statistics.h"

namespace lanewise::corpus {

/// The results for all 65,536 patterns of BF16, in order, of a kernel with one operand.
/// Error: as accuracy_programs() has it, and BadInput for a kernel with two operands.
Expected<std::vector<sweep::SweepCase>> accuracy_points(const AccuracyKernel& kernel,
                                                        const AccuracySources& sources, Arch arch);

} // namespace lanewise::corpus
