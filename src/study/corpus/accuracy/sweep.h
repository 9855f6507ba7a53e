// A kernel of the accuracy corpus over its inputs, on both chips.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "source/checkouts/checkout.h"
#include "study/corpus/accuracy/corpus.h"
#include "study/sweep/sweep.h"

namespace lanewise::corpus {

/// Where the kernels lie.
struct AccuracySources {
  std::filesystem::path examples;              ///< the folder of that name
  std::optional<checkouts::Checkout> llk = {}; ///< without it, only examples can be had
  std::vector<LlkKernel> known = {};           ///< its kernels: known_kernels()
};

/// The chips among those that the kernel is for: all for an example; others may be for one chip.
std::vector<Arch> accuracy_chips(const AccuracyKernel& kernel, const AccuracySources& sources,
                                 std::span<const Arch> chips);

/// What is known of a kernel of a checkout on a chip; null of an example, or where there is none.
const LlkKernel* accuracy_specification(const AccuracyKernel& kernel,
                                        const AccuracySources& sources, Arch arch);

/// The tile of Dst that has the result: of kernels with two operands, it may not be the first.
unsigned accuracy_output_tile(const AccuracyKernel& kernel, const AccuracySources& sources,
                              Arch arch);

/// The kernel assembled or compiled for a chip, which it has to be for, with tiles of a format.
/// Error: BadInput where a file is missing or does not compile.
Expected<sweep::SweepProgram> accuracy_program(const AccuracyKernel& kernel,
                                               const AccuracySources& sources, Arch arch,
                                               formats::Format format = kAccuracyFormat);

/// The same for each of the chips. The host's compiler works for all of them at the same time.
Expected<std::vector<sweep::SweepProgram>> accuracy_programs(
    const AccuracyKernel& kernel, const AccuracySources& sources, std::span<const Arch> chips,
    formats::Format format = kAccuracyFormat);

/// Programs over the kernel's function and domain. `options` has everything else: format, space,
/// the tile of the result. Errors as sweep() has them.
Expected<sweep::SweepResult> sweep_function(const AccuracyKernel& kernel,
                                            std::span<const sweep::SweepProgram> programs,
                                            sweep::SweepOptions options);

/// The sweep of the kernel, with the space, the domain and the tile of the result that belong to
/// it. `measure` and `progress` as in SweepOptions. Errors as accuracy_programs() and sweep() have
/// them.
Expected<sweep::SweepResult> sweep_accuracy(
    const AccuracyKernel& kernel, const AccuracySources& sources, std::span<const Arch> chips,
    std::function<bool(const sweep::SweepProgress&)> progress = {},
    formats::UlpMeasure measure = formats::UlpMeasure::Line);

} // namespace lanewise::corpus
