// What the module lacks of the library, since a page has no processes, no g++ and no libraries of
// the machine: operations of a checkout, lines of ELF files, whole tiles. Each way
// there ends in a fault that says so.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/line_source.h"
#include "base/text_file.h"
#include "binary/elf/debug_lines.h"
#include "browser/recorded.h"
#include "cli/check_fixes.h"
#include "cli/config_file.h"
#include "cli/elf_tile.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "number/references/reference.h"
#include "number/references/settled.h"
#include "run/execution/checkout_program.h"
#include "run/execution/generated_loop.h"
#include "run/vectors/tile_conformance.h"
#include "source/checkouts/op.h"
#include "source/sfpi/chip_kernels.h"
#include "source/sfpi/host_library.h"
#include "source/sfpi/kernel.h"
#include "study/corpus/llk/check_hazards.h"

namespace lanewise {

namespace {

Unexpected not_here(std::string_view what) {
  return Unexpected(Fault{.kind = FaultKind::Unsupported,
                          .message = fmt::format("{} not to be had in a browser", what),
                          .remedy = "take assembly or words here, or the program on a machine"});
}

} // namespace

Expected<std::vector<execution::LoadedProgram>> execution::load_kernels(
    const execution::ProgramFile& file, const std::string& text, std::span<const Arch> chips,
    const std::function<void(const execution::CompiledKernel&)>& on_kernel) {
  return browser::load_beside(file, text, chips, on_kernel);
}

/// Code has its addresses, and no lines.
void elf::read_debug_lines(std::string_view /*bytes*/, elf::Image& /*image*/) {}

void cli::add_elf_tile_options(const cli::Command& /*command*/, cli::ElfTileOptions& /*options*/) {}

cli::ExitStatus cli::run_elf_tile(const std::string& /*file*/, Arch /*arch*/,
                                  const cli::ElfTileOptions& /*options*/) {
  return cli::fail(not_here("whole tiles, whose cores are processes, are").value());
}

Expected<void> execution::add_checkout(execution::ProgramFile& /*file*/,
                                       const execution::CheckoutChoice& /*choice*/, Arch /*arch*/) {
  return not_here("operations of a checkout are");
}

Expected<corpus::CheckedCheckout> corpus::check_llk_checkout(
    const corpus::LlkCheckoutCheck& /*check*/,
    const std::function<bool(std::size_t done, std::size_t all, const std::string&)>&
    /*progress*/) {
  return not_here("checkouts of tt-llk are");
}

const checkouts::SfpuOp* checkouts::find_op(std::string_view /*name*/) {
  return nullptr;
}

Expected<std::unique_ptr<LineSource>> LineSource::open_file(const std::string& path,
                                                            std::uint64_t most) {
  auto text = read_text_file(
      path, static_cast<std::size_t>(std::min<std::uint64_t>(most, lanewise::kLargestText)));
  if (!text) return Unexpected(text.error());
  return from_text(std::move(*text));
}

/// Nothing is remembered where nobody has named the code.
std::string references::versions_behind_references() {
  return {};
}

std::string sfpi::host_library_version() {
  return {};
}

Expected<std::unique_ptr<references::Reference>> references::compile_reference(
    const std::string& /*file*/) {
  return not_here("references in C++, which g++ compiles, are");
}

Expected<execution::GeneratedLoop> execution::GeneratedLoop::compile(
    // NOLINTNEXTLINE(performance-unnecessary-value-param): as it is declared
    Arch /*arch*/, execution::RowProgram /*program*/) {
  return not_here("loops as native code, which g++ makes, are");
}

void execution::GeneratedLoop::execute(MachineState& /*state*/,
                                       std::span<const MicroOp> /*ops*/) const {
  std::abort();
}

bool execution::GeneratedLoop::run(MachineState& /*state*/, StoreNote* /*notes*/) const {
  std::abort();
}

// A page has no folders with files of options.

std::string cli::find_config_file() {
  return {};
}

Expected<std::vector<std::string>> cli::words_of_config(const std::string& /*file*/,
                                                        const CommandDescription& /*command*/,
                                                        std::span<char* const> /*words*/) {
  return {};
}

// Who asks waits for the answer, and sees no line before it.

cli::ProgressLine::ProgressLine() : is_terminal_(false) {}
cli::ProgressLine::~ProgressLine() {} // NOLINT(modernize-use-equals-default): as it is declared
void cli::ProgressLine::show(std::string_view /*text*/) {}

// A tile with three threads is left out.

std::optional<vectors::Difference> vectors::run_tile_case(const vectors::VectorCase& /*test*/) {
  return vectors::Difference{.place = "whole tiles do not run in a browser"};
}

/// What is recorded has been compiled by g++ before.
Expected<compiler::Recording> sfpi::record_kernel(Arch /*arch*/,
                                                  const sfpi::KernelSource& /*source*/) {
  return not_here("kernels in C++, which g++ compiles, are");
}

std::vector<Expected<compiler::Recording>> sfpi::record_kernels(
    std::span<const sfpi::ChipKernel> kernels) {
  const Expected<compiler::Recording> none = not_here("kernels in C++, which g++ compiles, are");
  return std::vector(kernels.size(), none);
}

// Asked of operations that have been loaded, of which there are none.
void execution::choose_formats(const checkouts::SfpuOp& /*op*/, std::string& /*format*/,
                               std::string* /*result_format*/) {
  std::abort();
}

report::FixesOf cli::check_fixes(const KernelOptions& /*kernel*/, const std::string& /*format*/) {
  return {}; // an editor's questions are not in the module
}

} // namespace lanewise
