#include "number/references/source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/cache.h"
#include "base/limits.h"
#include "base/private_folder.h"
#include "base/process.h"
#include "number/references/settled.h"
#include "number/references/worker.h"
#include "source/sfpi/prelude.h"

namespace lanewise::references {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Unexpected file_fault(const std::string& file, std::string message, std::string remedy = {}) {
  Unexpected fault = bad_input(std::move(message), std::move(remedy));
  fault.value().file = file;
  return fault;
}

/// No contractions: a * b + c has two roundings, on every host.
constexpr std::array<const char*, 3> kFlags{"-std=c++20", "-O2", "-ffp-contract=off"};

/// With optimisation, g++ takes longer than for a kernel.
constexpr ProcessLimits kCompileLimits{std::chrono::minutes(1), kKernelLimits.memory};

/// g++ with the text on its standard input; what it prints.
Expected<std::string> run_compiler(const sfpi::HostCompiler& compiler, const std::string& file,
                                   const Words& more, const std::string& text,
                                   const fs::path& folder) {
  Words command = compiler.command;
  command.insert(command.end(), kFlags.begin(), kFlags.end());
  command.insert(command.end(), more.begin(), more.end());
  command.insert(command.end(), {"-x", "c++", "-"});
  auto result =
      run_process(command, text, kCompileLimits, {.policy = Policy::Compiler, .folder = folder});
  if (!result) return Unexpected(result.error());
  if (result->succeeded()) return std::move(result->out);
  if (result->was_late) {
    return file_fault(file, "g++ was not done with it within " + time_text(kCompileLimits),
                      "look for templates or includes without end");
  }
  if (result->err.find(kNoReference) != std::string::npos) {
    return file_fault(file, "it has no function 'reference' of one or two numbers",
                      "define double reference(double x) or double reference(double x, double y)");
  }
  std::string messages = std::move(result->err);
  constexpr std::string_view kIncluded = "In file included from <stdin>:1:\n";
  for (std::size_t at = 0; (at = messages.find(kIncluded, at)) != std::string::npos;) {
    messages.erase(at, kIncluded.size());
  }
  while (messages.ends_with('\n')) messages.pop_back();
  return file_fault(file, "g++ could not compile the reference function\n" + messages);
}

struct CompiledReference {
  FileDescriptor program;
  std::string identity;
};

Expected<CompiledReference> compile(const std::string& file) {
  std::error_code error;
  const fs::path path = fs::absolute(file, error);
  if (error || !fs::is_regular_file(path, error)) {
    return file_fault(file, "there is no such file", "check the path");
  }
  if (path.string().find_first_of("\"\n\\") != std::string::npos) {
    return file_fault(file, "g++ cannot include a file of this name", "rename it");
  }
  const auto compiler = sfpi::find_host_compiler();
  if (!compiler) return Unexpected(compiler.error());
  const PrivateFolder folder("reference");
  if (!folder.is_made()) {
    return bad_input("cannot make a folder for temporary files", "set TMPDIR to one of your own");
  }
  const std::string text = fmt::format("#include \"{}\"\n", path.string()) + worker_source();
  // Without line markers: neither where the file is nor how it is laid out matters.
  const auto preprocessed = run_compiler(*compiler, file, {"-E", "-P"}, text, {});
  if (!preprocessed) return Unexpected(preprocessed.error());
  const fs::path program = folder.path() / "reference";
  const auto compiled =
      run_compiler(*compiler, file, {"-o", program.string()}, text, folder.path());
  if (!compiled) return Unexpected(compiled.error());
  // Stays open when the folder goes, so that nothing is left there whatever happens later.
  FileDescriptor opened(::open(program.c_str(), O_RDONLY | O_CLOEXEC));
  if (!opened.is_open()) return file_fault(file, "its program cannot be opened", "try again");
  return CompiledReference{std::move(opened),
                           Digest().add(compiler->version).add(*preprocessed).text()};
}

using Worker = std::unique_ptr<ReferenceWorker>;

class SourceReference final : public SettledReference {
 public:
  SourceReference(std::string file, CompiledReference compiled, Worker first,
                  std::chrono::milliseconds patience)
      : file_(std::move(file)),
        compiled_(std::move(compiled)),
        operands_(first->operands()),
        patience_(patience) {
    idle_.push_back(std::move(first));
  }

  const std::string& text() const override { return file_; }
  const std::string& identity() const override { return compiled_.identity; }
  unsigned operands() const override { return operands_; }

  Expected<void> evaluate(formats::Format format, std::span<const double> x,
                          std::span<const double> y, ReferenceResults& results) const override {
    results.undecided.clear();
    if (operands_ == 2 && y.empty())
      return bad_input("the reference function needs a second number");
    auto worker = take_worker();
    if (!worker) return at_file(worker.error());
    std::array<double, kWorkerBlock> values{};
    for (std::size_t first = 0; first < x.size(); first += kWorkerBlock) {
      const std::size_t count = std::min(kWorkerBlock, x.size() - first);
      const auto second = y.empty() ? y : y.subspan(first, count);
      const auto evaluated =
          (*worker)->evaluate(x.subspan(first, count), second, std::span(values).first(count));
      if (!evaluated) return at_file(evaluated.error());
      for (std::size_t i = 0; i < count; ++i) {
        results.bits[first + i] = formats::round_to_bits(format, values[i]);
        results.exact[first + i] = values[i];
      }
    }
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(*worker));
    return {};
  }

 private:
  Unexpected at_file(Fault fault) const {
    fault.file = file_;
    return Unexpected(std::move(fault));
  }

  /// One that is idle, or a new one: there are as many as threads have called at the same time.
  Expected<Worker> take_worker() const {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        Worker worker = std::move(idle_.back());
        idle_.pop_back();
        return worker;
      }
    }
    return ReferenceWorker::start(compiled_.program, patience_);
  }

  std::string file_;
  CompiledReference compiled_;
  unsigned operands_;
  std::chrono::milliseconds patience_;
  mutable std::mutex mutex_;
  mutable std::vector<Worker> idle_;
};

} // namespace

Expected<std::unique_ptr<Reference>> compile_reference(const std::string& file,
                                                       std::chrono::milliseconds patience) {
  auto compiled = compile(file);
  if (!compiled) return Unexpected(compiled.error());
  auto worker = ReferenceWorker::start(compiled->program, patience);
  if (!worker) {
    worker.error().file = file;
    return Unexpected(worker.error());
  }
  return std::make_unique<SourceReference>(file, std::move(*compiled), std::move(*worker),
                                           patience);
}

Expected<std::unique_ptr<Reference>> compile_reference(const std::string& file) {
  return compile_reference(file, kReferencePatience);
}

} // namespace lanewise::references
