#include "report/page/record.h"

#include <fmt/format.h>

#include "base/version.h"
#include "chip/isa/program_digest.h"
#include "report/page/page.h"

namespace lanewise::report {

PageProgram page_program(Arch arch, const Program& program) {
  return {program.name, arch, isa::program_digest(program)};
}

std::string record_html(const PageRecord& record) {
  std::string items = fmt::format("<dt>Lanewise</dt><dd>{}</dd>", version());
  if (!record.command.empty())
    items += fmt::format("<dt>Command</dt><dd><code>{}</code></dd>", escaped(record.command));
  for (const PageProgram& program : record.programs) {
    items +=
        fmt::format("<dt>{}</dt><dd>{}, words <code>{:016x}</code></dd>", escaped(program.name),
                    arch_params(program.arch).names.full, program.digest);
  }
  return fmt::format("<footer><dl>{}</dl></footer>\n", items);
}

} // namespace lanewise::report
