#include <fmt/format.h>
#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <string_view>

#include "base/confinement.h"
#include "base/in_quotes.h"
#include "base/large_pages.h"
#include "base/remembered.h"
#include "base/version.h"
#include "chip/machine/simd_level.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace {

using namespace lanewise::cli;

/// The level of that name.
std::optional<lanewise::SimdLevel> simd_level_called(std::string_view name) {
  for (lanewise::SimdLevel level :
       {lanewise::SimdLevel::Baseline, lanewise::SimdLevel::V3, lanewise::SimdLevel::V4}) {
    if (lanewise::simd_level_name(level) == name) return level;
  }
  return std::nullopt;
}

/// Whether LANEWISE_SIMD names a level or nothing. A level that the processor lacks gives the next
/// lower one, in silence, and one that this build lacks another one, with a warning.
bool check_simd_level() {
  const char* wanted = std::getenv("LANEWISE_SIMD");
  if (wanted == nullptr) return true;
  const auto level = simd_level_called(wanted);
  if (!level) {
    tell("error: LANEWISE_SIMD is {}; it takes baseline, v3 or v4\n", lanewise::in_quotes(wanted));
  } else if (!lanewise::is_built(*level)) {
    tell(
        "warning: LANEWISE_SIMD is {}, which this build has no kernels for: another level is "
        "taken\n",
        lanewise::in_quotes(wanted));
  }
  return level.has_value();
}

/// Who has named a folder for results wants to know that they are not there.
void tell_of_unkept_results() {
  const char* const folder = std::getenv("LANEWISE_CACHE");
  if (folder != nullptr && *folder != '\0' && lanewise::failed_to_remember())
    tell("note: the result could not be kept in {}\n", folder);
}

ExitStatus run(std::span<char* const> words) {
  // Of a thousand options, which the end of the process takes back at once.
  static CommandLine line(words, [] {
    return fmt::format("lanewise {}\nkernels run confined: {} (docs/security.md)",
                       lanewise::version(), lanewise::layers_text());
  });
  add_commands(line);
  if (!check_simd_level()) return ExitStatus::BadInput;
  const ExitStatus status = line.run();
  tell_of_unkept_results();
  return status;
}

/// Memory that was given back is taken again, not asked of the system page by page: one pass over a
/// program after the other has tables of the same size.
void keep_memory() {
  constexpr int kMost = 1 << 30;
  ::mallopt(M_MMAP_THRESHOLD, kMost);
  ::mallopt(M_TRIM_THRESHOLD, kMost);
  // The system is asked for so much at a time.
  ::mallopt(M_TOP_PAD, static_cast<int>(8 * lanewise::kLargePage));
}

/// Ends the process. What it has is given back by the system, which is faster than to do so piece
/// by piece; a sanitizer looks for what nobody could give back.
[[noreturn]] void end_with(ExitStatus status) {
#ifdef LANEWISE_SANITIZED
  std::exit(static_cast<int>(status));
#else
  std::fflush(nullptr);
  std::_Exit(static_cast<int>(status));
#endif
}

} // namespace

// All tables are memory of operator new. A sanitizer has its own.
#ifndef LANEWISE_SANITIZED
void* operator new(std::size_t size) {
  for (;;) {
    if (void* const memory = lanewise::allocate(size)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
#endif

int main(int argc, char** argv) {
  keep_memory();
  prepare_streams();
  remember_command(argc, argv);
  ExitStatus status = ExitStatus::BadInput;
  try {
    status = run({argv, static_cast<std::size_t>(argc)});
  } catch (const std::exception& error) {
    status = fail(error);
  }
  end_with(finish_output(status));
}
