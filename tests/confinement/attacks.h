// The table of tests/confinement/attacks.txt.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "project.h"

namespace lanewise {

struct Attack {
  std::string name, told;
  char place = '-'; ///< as the table says
};

/// Empty if the file is not there.
inline std::vector<Attack> attacks() {
  std::vector<Attack> all;
  std::ifstream file(in_project("tests/confinement/attacks.txt"));
  Attack each;
  while (file >> each.name) {
    const bool is_comment = each.name == "#";
    if (!is_comment) file >> each.place >> std::ws;
    std::getline(file, each.told);
    if (!is_comment) all.push_back(each);
  }
  return all;
}

} // namespace lanewise
