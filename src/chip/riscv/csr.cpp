#include "chip/riscv/csr.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lanewise::riscv {

namespace {

constexpr auto kCsrs = std::to_array<CsrRow>({
#define CSR(name, text, number, kind, value) {#name, text, number, CsrKind::kind, value},
#include "chip/riscv/csrs.def"
#undef CSR
});

} // namespace

const CsrRow* find_csr(std::uint32_t number) {
  const auto found = std::ranges::find(kCsrs, number, &CsrRow::number);
  return found == kCsrs.end() ? nullptr : &*found;
}

std::string csr_text(std::uint32_t number) {
  const CsrRow* const row = find_csr(number);
  return row == nullptr || row->text.empty() ? fmt::format("0x{:x}", number)
                                             : std::string(row->text);
}

} // namespace lanewise::riscv
