#include "cli/command.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <iterator>

#include "lab/file.h"

namespace lanewise::cli {

namespace {

volatile std::sig_atomic_t interrupt_seen = 0;

extern "C" void note_interrupt(int) {
  interrupt_seen = 1;
}

} // namespace

int fail(const Fault& fault) {
  fmt::print(stderr, "{}\n", to_string(fault));
  return kBadInput;
}

bool interrupted() {
  return interrupt_seen != 0;
}

void watch_for_interrupt() {
  std::signal(SIGINT, note_interrupt);
}

void add_arch_option(CLI::App& command, Arch& arch) {
  command
      .add_option_function<std::string>(
          "--arch", [&arch](const std::string& name) { arch = parse_arch(name).value(); },
          "Chip: bh (Blackhole, default) or wh (Wormhole)")
      ->check(CLI::IsMember({"bh", "wh"}));
}

Expected<std::string> read_text(const std::string& path) {
  if (path == "-") {
    return std::string(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  }
  auto bytes = lab::read_file(path);
  if (!bytes) return Unexpected(bytes.error());
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

} // namespace lanewise::cli
