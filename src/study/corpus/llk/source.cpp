#include "study/corpus/llk/source.h"

#include <string_view>

namespace lanewise::corpus {

namespace {

constexpr std::string_view kNoMacros = "DISABLE_SFPLOADMACRO";

std::string filled_in(std::string text, formats::Format format) {
  constexpr std::string_view kPlace = kWidthPlace;
  for (std::size_t at = text.find(kPlace); at != std::string::npos; at = text.find(kPlace, at)) {
    text.replace(at, kPlace.size(), formats::is_32bit(format) ? "true" : "false");
  }
  return text;
}

} // namespace

sfpi::KernelSource llk_source(const LlkKernel& kernel, formats::Format format, bool twin, Arch arch,
                              const checkouts::Checkout& checkout) {
  sfpi::KernelSource source;
  source.file = checkout.header(arch, kernel.header).string();
  source.is_header = true;
  source.init = filled_in(kernel.init, format);
  source.calls = {filled_in(kernel.call, format)};
  source.faces = kernel.faces;
  checkout.set_up(source, arch, formats::is_32bit(format));
  if (twin) source.defines.emplace_back(kNoMacros);
  return source;
}

} // namespace lanewise::corpus
