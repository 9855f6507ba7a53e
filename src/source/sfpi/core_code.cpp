#include "source/sfpi/core_code.h"

namespace lanewise::sfpi {

const std::vector<std::string>& core_code_flags() {
  static const std::vector<std::string> flags{
      "-O1", // immediates of instructions are constants only once functions are inlined
      "-g1", // lines and inlined calls
      "-fPIC", "-fno-omit-frame-pointer", "-fno-gnu-unique", "-fno-exceptions",
      // Behind a loop, g++ 12 stores once more what the loop stores into a volatile: a word would
      // be pushed twice.
      "-fno-tree-loop-im", "-fno-strict-aliasing"};
  return flags;
}

/// Where a linker script of LLK puts the instruction buffer. The address is no part of the object:
/// only a symbol that the loader looks up stays as it is, and there is no shorter way to it.
/// The texts of prints lie where the linker script has them, which is nowhere in a tile.
const std::vector<std::string>& core_code_link_flags() {
  static const std::vector<std::string> flags{
      "-Wl,--defsym=__instrn_buffer=0xffe40000",
      "-Wl,--defsym=__device_print_strings_info_start=0x6500000", "-Wl,--no-relax"};
  return flags;
}

/// g++ calls a function in front of every access, which a library has in other programs: it is not
/// linked, as no other is that g++ would name by itself.
void tell_accesses(ObjectRequest& request) {
  for (const char* const flag : {"-fsanitize=thread", "--param=tsan-distinguish-volatile=1",
                                 "--param=tsan-instrument-func-entry-exit=0", "-fno-builtin-memcpy",
                                 "-fno-builtin-memmove", "-fno-builtin-memset"})
    request.flags.emplace_back(flag);
  for (const char* const flag : {"-Wl,--wrap=memcpy", "-Wl,--wrap=memmove", "-Wl,--wrap=memset"})
    request.link_flags.emplace_back(flag);
  request.libraries = {"-nodefaultlibs", "-lstdc++", "-lm", "-lgcc_s", "-lgcc", "-lc"};
}

/// LLK's instruction words must be constants, which not all of them are before g++ has unrolled the
/// loops around them. Here they may be in a register, too. A store to the instruction buffer is a
/// call, as such a word is. The checks of a print's format ask for
/// the arguments, whose number is a constant only for g++ 14 and later.
const std::vector<std::pair<std::string, std::string>>& core_code_replacements() {
  static const std::vector<std::pair<std::string, std::string>> replacements{
      {"\".ttinsn %0\" : : \"i\"((", "\".ttinsn %0\" : : \"ri\"((unsigned)("},
      {"\".ttinsn %0\" : : \"n\"((", "\".ttinsn %0\" : : \"ri\"((unsigned)("},
      {"&instrn_buffer)[] = __instrn_buffer;",
       "&lanewise_words)[] = __instrn_buffer; "
       "constexpr inline lanewise_instruction_buffer instrn_buffer{};"},
      {"device_print_detail::helpers::count_arguments(args...)", "sizeof...(args)"},
      {"device_print_detail::checks::all_arguments_referenced(_device_print_format, args...)",
       "true"},
      {"constexpr auto message_size = device_print_detail",
       "const auto message_size = device_print_detail"}};
  return replacements;
}

/// Registers of the configuration, which LLK reaches by a pointer of this name, its own or an
/// argument; GPRs, the MOP expander, and semaphores, which stand where a core asks whether its
/// thread is done; whatever is read by its address, counters of circular buffers among it.
const std::vector<std::pair<std::string, std::string>>& register_replacements() {
  static const std::vector<std::pair<std::string, std::string>> replacements{
      {"*cfg = get_cfg_pointer();",
       "*lanewise_first = get_cfg_pointer(); const lanewise_configuration cfg(lanewise_first);"},
      {"* cfg = get_cfg_pointer();",
       "* lanewise_first = get_cfg_pointer(); const lanewise_configuration cfg(lanewise_first);"},
      {"*cfg)\n{", "*lanewise_first)\n{ const lanewise_configuration cfg(lanewise_first);"},
      {"* cfg)\n{", "* lanewise_first)\n{ const lanewise_configuration cfg(lanewise_first);"},
      {" regfile[", " lanewise_at(regfile)["},
      {" mop_cfg[", " lanewise_at(mop_cfg)["},
      {" pc_buf_base[", " lanewise_at(pc_buf_base)["},
      {" cfg_regs[", " lanewise_at(cfg_regs)["},
      {"inline std::uint32_t reg_read(std::uint32_t addr)\n{",
       "inline std::uint32_t reg_read(std::uint32_t addr)\n{ "
       "if (lanewise_is_register(addr)) return *lanewise_register(addr);"},
      {"store_blocking(&pc_buf_base[1], 0);",
       "lanewise_at(pc_buf_base)[1] = 0; "
       "(void)static_cast<std::uint32_t>(lanewise_at(pc_buf_base)[1]);"},
      {"store_blocking(&pc_buf_base[2], 0);",
       "lanewise_at(pc_buf_base)[2] = 0; "
       "(void)static_cast<std::uint32_t>(lanewise_at(pc_buf_base)[2]);"}};
  return replacements;
}

} // namespace lanewise::sfpi
