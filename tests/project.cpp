#include "project.h"

namespace lanewise {

std::string in_project(std::string_view path) {
  return std::string(LANEWISE_SOURCE_DIR) + "/" + std::string(path);
}

} // namespace lanewise
