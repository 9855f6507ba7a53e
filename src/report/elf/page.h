// The control flow of a kernel's functions as a page.
#pragma once

#include <string>
#include <vector>

#include "binary/elf/code.h"
#include "binary/paths/file_paths.h"

namespace lanewise::report {

/// A page that needs nothing else: a list of the functions, and of each the control-flow graph with
/// its code, loops, and what --paths finds. `shown`: those that have words are on the page;
/// `paths`: of all functions of the image.
std::string elf_html(const elf::Image& image, const std::vector<elf::Function>& shown,
                     const paths::FilePaths& paths, Arch arch, const std::string& command = {});

} // namespace lanewise::report
