// libFuzzer target: the reader of hex files takes any bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "source/assembly/assembly.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  const auto program = lanewise::assembly::parse_hex_words(source, "fuzz");
  if (program) return 0;
  const lanewise::Fault& fault = program.error();
  const bool has_place = fault.line >= 1 && fault.column >= 1;
  if (fault.kind != lanewise::FaultKind::BadInput || !has_place) std::abort();
  return 0;
}
