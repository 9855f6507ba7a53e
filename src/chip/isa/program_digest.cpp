#include "chip/isa/program_digest.h"

#include "base/digest.h"

namespace lanewise::isa {

std::uint64_t program_digest(const Program& program) {
  Fnv1a digest;
  for (const ProgramWord& word : program.words) digest.add(word.word);
  for (const ConfigSetting& setting : program.config) {
    for (const char letter : setting.name) digest.add(static_cast<unsigned char>(letter));
    digest.add(setting.value);
  }
  for (const MopSetting& setting : program.mop) {
    digest.add(setting.before);
    digest.add(setting.index);
    digest.add(setting.value);
  }
  return digest.value();
}

} // namespace lanewise::isa
