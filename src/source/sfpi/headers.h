// Where the headers lie that kernels and generated code include.
#pragma once

#include <filesystem>
#include <vector>

#include "base/fault.h"

namespace lanewise::sfpi {

/// Where the headers were installed for a library that is no part of a program of Lanewise's own:
/// share/lanewise/ and include/lanewise/ in `prefix` are looked for before any other place but
/// $LANEWISE_SFPI. To be called before anything else of the library is.
void look_for_headers_in(std::filesystem::path prefix);

/// The folder with sfpi.h: $LANEWISE_SFPI, or ../share/lanewise/sfpi/include as seen from the
/// program, or the source tree or installation that the library was built for.
/// Error: BadInput if no sfpi.h is at any of these places.
Expected<std::filesystem::path> sfpi_include_folder();

/// The folder of what host programs of tt-metal include, which lies beside that of sfpi.h wherever
/// that was installed. Error: BadInput if it is not there.
Expected<std::filesystem::path> host_include_folder();

/// The folders for #include under which the library's own headers are found: ../include/lanewise as
/// seen from the program, or those of the source tree and its build, or of the installation.
/// Error: BadInput if they are at none of these places.
Expected<std::vector<std::filesystem::path>> library_include_folders();

/// A digest of all files in a folder and below: names and contents.
std::string folder_digest(const std::filesystem::path& folder);

} // namespace lanewise::sfpi
