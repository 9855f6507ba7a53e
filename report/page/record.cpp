#include "report/page/record.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "base/version.h"
#include "report/page/page.h"

namespace lanewise::report {

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

PageProgram page_program(Arch arch, const Program& program) {
  return {program.name, arch, program_digest(program)};
}

std::string record_html(const PageRecord& record) {
  std::string items = fmt::format("<dt>Lanewise</dt><dd>{}</dd>", version());
  if (!record.command.empty())
    items += fmt::format("<dt>Command</dt><dd><code>{}</code></dd>", escaped(record.command));
  for (const PageProgram& program : record.programs) {
    items +=
        fmt::format("<dt>{}</dt><dd>{}, words <code>{:016x}</code></dd>", escaped(program.name),
                    arch_params(program.arch).long_name, program.digest);
  }
  return fmt::format("<footer><dl>{}</dl></footer>\n", items);
}

} // namespace lanewise::report
