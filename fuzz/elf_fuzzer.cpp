// ELF files: any bytes are an image or one error, its code is listed, and a function of it that is
// called comes to an end.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "elf/call.h"
#include "elf/code.h"
#include "paths/ordering.h"
#include "report/elf/flow_json.h"
#include "report/elf/json.h"
#include "report/elf/listing.h"
#include "report/elf/ordering.h"
#include "report/elf/statistics.h"

namespace {

void follow(const lanewise::elf::Image& image, const lanewise::elf::Function& function) {
  using namespace lanewise;
  constexpr std::size_t kMostWords = 2000; // the time grows with loads times branches
  if (function.words.size() > kMostWords) return;
  const paths::CodeGraph code = paths::graph_of(function);
  report::flow_json(function, code);
  const auto ordering = paths::find_ordering(function, code, Arch::Blackhole);
  report::ordering_text(image, function, ordering, Arch::Blackhole);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanewise;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto image = elf::read_image(bytes, "fuzz");
  if (!image) {
    if (image.error().kind != FaultKind::BadInput || image.error().file != "fuzz") std::abort();
    return 0;
  }
  constexpr std::size_t kMostFunctions = 8;
  for (std::size_t i = 0; i < image->functions.size() && i < kMostFunctions; ++i) {
    const elf::Function function = elf::code_of(*image, image->functions[i], Arch::Blackhole);
    report::elf_listing(*image, function, Arch::Blackhole);
    report::elf_json(*image, {function}, Arch::Blackhole);
    report::statistics_of(function, Arch::Blackhole);
    if (!function.words.empty()) follow(*image, function);
    elf::call(*image, function.symbol, {1, 2, 3}, Arch::Blackhole, {.most_instructions = 1000});
  }
  return 0;
}
