// What a called function reaches by loads, stores and `.ttinsn`: memory, and of the tile what a
// program can hold.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "binary/elf/memory.h"
#include "chip/isa/config.h"
#include "chip/isa/program.h"
#include "chip/riscv/core.h"

namespace lanewise::elf {

class TileBus : public riscv::Bus {
 public:
  TileBus(const Image& image, Arch arch)
      : core(arch, *this), image_(image), arch_(arch), memory_(image, arch) {}

  Expected<std::uint32_t> fetch(std::uint32_t address) override;
  Expected<std::uint32_t> load(std::uint32_t address, unsigned bytes) override;
  Expected<void> store(std::uint32_t address, unsigned bytes, std::uint32_t value) override;
  Expected<void> push(std::uint32_t tensix) override;

  std::uint32_t stack_top() const { return memory_.stack_top(); }

  riscv::Core core;                     ///< that it belongs to
  Program program;                      ///< what was pushed and set
  std::vector<std::uint32_t> pushed_at; ///< of each word, the pc
  std::vector<std::string> notes;

 private:
  std::uint32_t line();
  Expected<void> set_mop(std::uint32_t index, std::uint32_t value);
  Expected<void> store_config(std::uint32_t address, std::uint32_t value);
  Expected<void> store_debug(std::uint32_t address, std::uint32_t value);
  Expected<std::uint32_t> load_config(std::uint32_t address) const;
  /// Sets every known field of a register, or leaves a note if there is none.
  Expected<void> set_fields(isa::ConfigScope scope, std::uint32_t word, std::uint32_t value,
                            const std::string& place);
  Expected<void> set_field(const isa::ConfigPlace& field, std::uint32_t value);
  void note(std::string sentence);

  const Image& image_;
  Arch arch_;
  Memory memory_;
  riscv::CodeMemo<std::uint32_t> lines_; ///< line numbers of code; a loop pushes again and again
  std::map<std::uint32_t, std::uint32_t> config_; ///< words that were written, by address
};

} // namespace lanewise::elf
