#include "source/assembly/riscv_names.h"

#include <algorithm>
#include <array>

namespace lanewise::assembly {
namespace {

constexpr std::array kBranches =
    std::to_array<std::string_view>({"beq", "beqz", "bge", "bgeu", "bgez", "bgt", "bgtu", "bgtz",
                                     "ble", "bleu", "blez", "blt", "bltu", "bltz", "bne", "bnez"});

// In the order of their letters.
constexpr std::array kOthers = std::to_array<std::string_view>(
    {"add",       "addi",   "and",   "andi",    "andn",     "auipc",     "bclr",       "bclri",
     "bext",      "bexti",  "binv",  "binvi",   "brev8",    "bset",      "bseti",      "clz",
     "cpop",      "csrc",   "csrci", "csrr",    "csrrc",    "csrrci",    "csrrs",      "csrrsi",
     "csrrw",     "csrrwi", "csrs",  "csrsi",   "csrw",     "csrwi",     "ctz",        "czero.eqz",
     "czero.nez", "div",    "divu",  "ebreak",  "ecall",    "fence",     "fence.i",    "la",
     "lb",        "lbu",    "lh",    "lhu",     "li",       "lla",       "lui",        "lw",
     "max",       "maxu",   "min",   "minu",    "mul",      "mulh",      "mulhsu",     "mulhu",
     "mv",        "neg",    "nop",   "not",     "or",       "orc.b",     "ori",        "orn",
     "pack",      "packh",  "pause", "rdcycle", "rdcycleh", "rdinstret", "rdinstreth", "rdtime",
     "rem",       "remu",   "rev8",  "rol",     "ror",      "rori",      "sb",         "seqz",
     "sext.b",    "sext.h", "sgt",   "sgtu",    "sgtz",     "sh",        "sh1add",     "sh2add",
     "sh3add",    "sll",    "slli",  "slt",     "slti",     "sltiu",     "sltu",       "sltz",
     "snez",      "sra",    "srai",  "srl",     "srli",     "sub",       "sw",         "unimp",
     "unzip",     "wfi",    "xnor",  "xor",     "xori",     "zext.b",    "zext.h",     "zip"});
static_assert(std::ranges::is_sorted(kBranches) && std::ranges::is_sorted(kOthers));

/// Loads, stores and arithmetic of the extensions A and F, whose names have a part behind a dot,
/// and the vendor's own.
bool has_family(std::string_view mnemonic) {
  constexpr std::array kFamilies =
      std::to_array<std::string_view>({"amo", "lr.", "sc.", "tt.", "flw", "fsw", "flh", "fsh"});
  const bool floating = mnemonic.starts_with("f") && mnemonic.find('.') != std::string_view::npos;
  return floating || std::ranges::any_of(kFamilies, [&](std::string_view family) {
           return mnemonic.starts_with(family);
         });
}

} // namespace

RiscvFlow riscv_flow(std::string_view mnemonic) {
  if (mnemonic.starts_with("c.")) mnemonic.remove_prefix(2);
  if (std::ranges::binary_search(kBranches, mnemonic)) return RiscvFlow::Branch;
  if (mnemonic == "j") return RiscvFlow::Jump;
  if (mnemonic == "call" || mnemonic == "jal") return RiscvFlow::Call;
  if (mnemonic == "ret" || mnemonic == "mret" || mnemonic == "tail") return RiscvFlow::Return;
  if (mnemonic == "jr" || mnemonic == "jalr") return RiscvFlow::Indirect;
  const bool next = std::ranges::binary_search(kOthers, mnemonic) || has_family(mnemonic);
  return next ? RiscvFlow::Next : RiscvFlow::Unknown;
}

} // namespace lanewise::assembly
