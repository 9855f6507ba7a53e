// Whether what kernels ask for and store lies where the program means it to lie.
#pragma once

#include <cstdint>
#include <string>

#include "chip/noc/transaction.h"
#include "run/launch/found.h"
#include "run/launch/rings.h"
#include "source/programs/layout.h"

namespace lanewise::launch {

class Bounds {
 public:
  Bounds(const programs::Program& program, const programs::Layout& layout, const Rings& rings,
         FoundLog& found);

  /// What a core asks of the NoC.
  void check(const noc::Transaction& t);
  /// A core has computed the address of a page of the buffer at an address of each bank.
  void check_page(unsigned core, const LineOf& line, bool is_dram, std::uint32_t address,
                  std::uint32_t page);
  /// A core stores to L1 by itself.
  void check_store(unsigned core, const LineOf& line, std::uint64_t address, std::uint64_t bytes);

 private:
  void check_end(const noc::Transaction& t, const noc::Location& location);
  std::string name_of(std::size_t buffer) const;

  const programs::Program& program_;
  const programs::Layout& layout_;
  const NocRecord& record_;
  const Rings& rings_;
  FoundLog& found_;
};

} // namespace lanewise::launch
