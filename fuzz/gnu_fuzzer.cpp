// libFuzzer target: the readers of the vendor's assembly and of objdump take any bytes, and what
// they read comes back from its text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "source/assembly/gnu.h"
#include "source/assembly/syntax.h"

namespace {

/// Long programs would spend the fuzzer's time on the way back.
constexpr std::size_t kMostWordsChecked = 100;

void check_fault(const lanewise::Fault& fault) {
  if (fault.kind != lanewise::FaultKind::BadInput || fault.line < 1) std::abort();
}

void check_words(lanewise::Arch arch, const lanewise::Program& program) {
  if (program.words.size() > kMostWordsChecked) return;
  for (const lanewise::ProgramWord& each : program.words) {
    const auto again =
        lanewise::assembly::read_gnu(arch, lanewise::assembly::gnu_line(arch, each.word), "fuzz");
    if (!again || again->program.words.size() != 1) std::abort();
    if (again->program.words.front().word != each.word) std::abort();
  }
}

void check(lanewise::Arch arch, std::string_view source) {
  const auto text = lanewise::assembly::read_gnu(arch, source, "fuzz");
  if (!text) return check_fault(text.error());
  check_words(arch, text->program);
  std::size_t words = 0;
  for (const lanewise::assembly::GnuFunction& each : text->functions) words += each.words;
  if (words != text->program.words.size()) std::abort();
  const auto one = lanewise::assembly::only_function(*text, "f");
  if (one && one->program.words.size() > words) std::abort();
}

void check_choice(lanewise::Arch arch, std::string_view source) {
  const auto text =
      lanewise::assembly::read_assembly(arch, source, "fuzz", lanewise::assembly::Syntax::Auto);
  if (!text) check_fault(text.error());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  for (const lanewise::Arch arch : lanewise::kEveryArch) {
    check(arch, source);
    check_choice(arch, source);
  }
  return 0;
}
