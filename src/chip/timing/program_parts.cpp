#include "chip/timing/program_parts.h"

namespace lanewise::timing {

std::vector<ProgramPart> parts_of(const Program& program) {
  std::vector<ProgramPart> parts;
  parts.reserve(program.words.size());
  for (const ProgramWord& word : program.words) parts.push_back(part_of_line(word.line));
  return parts;
}

} // namespace lanewise::timing
