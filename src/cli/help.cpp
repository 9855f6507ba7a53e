// lanewise help [COMMAND]: what there is to do, and each command.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/described_command.h"
#include "cli/help_text.h"
#include "cli/output.h"

namespace lanewise::cli {

std::vector<CommandDescription> describe_commands() {
  CommandLine line;
  add_commands(line);
  return line.describe();
}

Expected<CommandDescription> described_command(const std::string& name) {
  std::vector<std::string> names;
  for (CommandDescription& command : describe_commands()) {
    if (command.name == name) return std::move(command);
    names.push_back(command.name);
  }
  return bad_input(unknown_command(name, names));
}

namespace {

ExitStatus help(const std::string& name) {
  if (name.empty()) {
    print_help(tasks_text());
    return ExitStatus::Success;
  }
  const auto command = described_command(name);
  if (!command) return fail(command.error());
  print_help(help_text(*command, HelpDepth::Short, help_columns()));
  return ExitStatus::Success;
}

} // namespace

void add_help(CommandLine& line) {
  const Command command = line.add_command("help", "What there is to do, or the help of a command");
  auto name = std::make_shared<std::string>();
  command.option("command", *name, "For instance run").value("COMMAND");
  command.action([name] { return help(*name); });
}

} // namespace lanewise::cli
