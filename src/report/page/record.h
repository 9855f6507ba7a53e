// What made a page: it stands at its end, so that the page can be made again and told from others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "chip/isa/arch.h"
#include "chip/isa/program.h"

namespace lanewise::report {

/// A program that a page is about.
struct PageProgram {
  std::string name;
  Arch arch = kDefaultArch;
  std::uint64_t digest = 0; ///< isa::program_digest()
};

struct PageRecord {
  std::string command = {}; ///< as a shell takes it; "" if none made the page
  std::vector<PageProgram> programs = {};
};

/// A program under its own name.
PageProgram page_program(Arch arch, const Program& program);

/// The record with the version of Lanewise, as the footer of a page.
std::string record_html(const PageRecord& record);

} // namespace lanewise::report
