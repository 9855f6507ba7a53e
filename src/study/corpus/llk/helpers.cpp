// What other headers use: conversions of bits, and constants in registers.
#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

/// The call that writes LReg[1], as the statement before leaves it, over the tile.
std::string stored(const std::string& statement) {
  return statement +
         " vUInt word = l_reg[LRegs::LReg1]; "
         "for (int d = 0; d < 8; d++) { dst_reg[0] = word; dst_reg++; } "
         "l_reg[LRegs::LReg1] = word";
}

LlkKernel constant(const char* name, const char* header, const char* init, const std::string& call,
                   std::vector<LlkDst> dst, BitsOfOne reference) {
  return {.name = name,
          .header = header,
          .init = init,
          .call = call,
          .dst = std::move(dst),
          .inputs = {{"random"}},
          .reference = reference};
}

} // namespace

std::vector<LlkKernel> llk_helpers() {
  const std::vector<LlkDst> words{{.format = formats::Format::UINT32}};
  return {
      constant("converter", "converter", "", each_vector_is("Converter::as_float(0xC0490FDBu)"),
               {{.format = formats::Format::FP32}}, [](std::uint32_t) { return 0xC0490FDBU; }),
      constant("load_imm32", "load_config", "", stored("_sfpu_load_imm32_(1, 0x89ABCDEFu);"), words,
               [](std::uint32_t) { return 0x89ABCDEFU; }),
      constant("load_imm16", "load_config", "", stored("_sfpu_load_imm16_(1, 0xCDEFu);"), words,
               [](std::uint32_t) { return 0xCDEFU; }),
      constant("load_config32", "load_config", "_sfpu_load_config32_(13, 0xC049, 0x0FDB)",
               each_vector_is("vConstFloatPrgm1"), {{.format = formats::Format::FP32}},
               [](std::uint32_t) { return 0xC0490FDBU; }),
  };
}

} // namespace lanewise::corpus
