// What lanewise_first lacks of 'run': every way into the rooms that only kernels in C++, operations
// of a checkout and ELF files need. Where the program comes to one of them, nothing has been
// printed yet, and it hands its work over to lanewise_kernels, which the launcher builds.
#include <sys/types.h>
#include <unistd.h>

#include <cstdlib>

#include "base/memory_file.h"
#include "cli/command.h"
#include "cli/output.h"
#include "run/execution/checkout_program.h"
#include "run/execution/kernel_faults.h"
#include "run/execution/kernel_hints.h"
#include "run/execution/load_kernels.h"
#include "run/oracle/interpreter.h"
#include "source/checkouts/op.h"
#include "source/compiler/compiler.h"
#include "source/compiler/ir.h"
#include "source/sfpi/recording_file.h"

namespace lanewise {

namespace {

/// Starts the same command again with the larger program.
[[noreturn]] void hand_over() {
  const char* launcher = std::getenv("LANEWISE_LAUNCHER");
  if (launcher != nullptr) {
    ::setenv("LANEWISE_PART", "kernels", 1);
    ::execv(launcher, cli::typed_words());
  }
  cli::tell(
      "error: this part of the program reads assembly only; './lanewise' builds the larger one\n");
  std::_Exit(static_cast<int>(cli::ExitStatus::BadInput));
}

/// Puts back what has been read of standard input.
void give_back_input(const std::string& text) {
  const FileDescriptor file = make_memory_file("standard input");
  if (!file.is_open() || !write_all(file.number(), text)) return;
  ::lseek(file.number(), 0, SEEK_SET);
  ::dup2(file.number(), STDIN_FILENO);
}

} // namespace

Expected<std::vector<execution::LoadedProgram>> execution::load_kernels(
    const execution::ProgramFile& /*file*/, const std::string& /*text*/,
    std::span<const Arch> /*chips*/,
    const std::function<void(const execution::CompiledKernel&)>& /*on_kernel*/) {
  hand_over();
}

Expected<std::vector<execution::LoadedProgram>> execution::load_recording(
    const execution::ProgramFile& /*file*/, const std::string& /*text*/,
    std::span<const Arch> /*chips*/,
    const std::function<void(const execution::CompiledKernel&)>& /*on_kernel*/) {
  hand_over();
}

std::string sfpi::recording_text(const sfpi::RecordedKernel& /*kernel*/) {
  hand_over();
}

Expected<std::vector<execution::LoadedProgram>> execution::load_elf(
    const execution::ProgramFile& file, const std::string& text, std::span<const Arch> /*chips*/) {
  if (file.name == "-") give_back_input(text);
  hand_over();
}

Expected<void> execution::add_checkout(execution::ProgramFile& /*file*/,
                                       const execution::CheckoutChoice& /*choice*/, Arch /*arch*/) {
  hand_over();
}

void execution::choose_formats(const checkouts::SfpuOp& /*op*/, std::string& /*format*/,
                               std::string* /*result_format*/) {
  hand_over();
}

std::vector<Fault> oracle::interpret(const compiler::Recording& /*recording*/,
                                     MachineState& /*state*/, FrontEnd& /*front_end*/,
                                     const oracle::InterpretOptions& /*options*/) {
  hand_over();
}

Expected<std::vector<Fault>> execution::kernel_faults(const compiler::Recording& /*recording*/,
                                                      const compiler::Options& /*compiler*/,
                                                      std::span<const tensors::Tensor> /*inputs*/,
                                                      const execution::TileRunOptions& /*options*/,
                                                      const oracle::PrintSink& /*print*/) {
  hand_over();
}

std::string execution::loop_hint(const compiler::Recording& /*recording*/) {
  hand_over();
}

const checkouts::SfpuOp* checkouts::find_op(std::string_view /*name*/) {
  hand_over();
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): as it is declared
compiler::Recording compiler::combined(Recording /*recording*/, const Options& /*options*/) {
  hand_over();
}

std::string compiler::to_text(const Recording& /*recording*/) {
  hand_over();
}

} // namespace lanewise
