// lanewise completion SHELL and lanewise man [COMMAND]: what a shell and man(1) are given.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/described_command.h"
#include "cli/help_text.h"
#include "cli/man_page.h"
#include "cli/output.h"

namespace lanewise::cli {

namespace {

ExitStatus print_completion(const std::string& shell) {
  const std::vector<CommandDescription> commands = describe_commands();
  fmt::print("{}", shell == "bash"  ? bash_completion(commands)
                   : shell == "zsh" ? zsh_completion(commands)
                                    : fish_completion(commands));
  return ExitStatus::Success;
}

/// Every page, as NAME.1 in a folder that is there.
Expected<void> write_pages(const std::string& folder) {
  const std::vector<CommandDescription> commands = describe_commands();
  const auto write = [&folder](const std::string& name, const std::string& page) {
    return write_text_file((std::filesystem::path(folder) / (name + ".1")).string(), page);
  };
  if (auto done = write("lanewise", man_page(tasks_text(), commands)); !done) return done;
  for (const CommandDescription& command : commands) {
    if (auto done = write(man_name(command), man_page(command)); !done) return done;
  }
  return {};
}

ExitStatus print_manual(const std::string& name, const std::string& folder) {
  if (!folder.empty()) {
    const auto done = write_pages(folder);
    return done ? ExitStatus::Success : fail(done.error());
  }
  if (name.empty()) {
    fmt::print("{}", man_page(tasks_text(), describe_commands()));
    return ExitStatus::Success;
  }
  const auto command = described_command(name);
  if (!command) return fail(command.error());
  fmt::print("{}", man_page(*command));
  return ExitStatus::Success;
}

} // namespace

void add_completion(CommandLine& line) {
  const Command command = line.add_command(
      "completion", "Print what completes commands, options and values in a shell");
  auto shell = std::make_shared<std::string>();
  command.option("shell", *shell, "The shell").required().one_of({"bash", "zsh", "fish"});
  command.footer(
      "For this shell only: source <(lanewise completion bash). To stay: docs/cli.md "
      "says where each shell looks for it.");
  command.action([shell] { return print_completion(*shell); });
}

void add_man(CommandLine& line) {
  const Command command = line.add_command(
      "man", "Print the manual page of Lanewise or of a command, in the language of man(7)");
  auto name = std::make_shared<std::string>(), folder = std::make_shared<std::string>();
  const Option all =
      command.option("--folder", *folder, "Write every page into this folder, as NAME.1")
          .value("DIR");
  command.option("command", *name, "For instance run").value("COMMAND").excludes(all);
  command.footer("To read one: lanewise man run | man -l -");
  command.action([name, folder] { return print_manual(*name, *folder); });
}

} // namespace lanewise::cli
