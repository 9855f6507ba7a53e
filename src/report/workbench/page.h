// The page of the workbench. It asks the server for everything that depends on the kernel.
#pragma once

#include <string>
#include <string_view>

namespace lanewise::report {

/// The frame of the page: editor, choices, and places for the answers.
std::string_view workbench_frame();
std::string_view workbench_script();
/// Of the page itself; workbench_style() has those of the answers too.
std::string_view workbench_layout();
std::string workbench_style();

/// The kernel that a new page begins with.
std::string_view workbench_kernel();

} // namespace lanewise::report
