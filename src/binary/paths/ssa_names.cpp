#include "binary/paths/ssa_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "base/graph/dominators.h"
#include "base/graph/ssa.h"
#include "binary/paths/lreg_steps.h"
#include "binary/paths/memory_steps.h"
#include "chip/riscv/disassembly.h"

namespace lanewise::paths {

namespace {

using riscv::Flow;

constexpr RegisterSet kArguments = 0xFF << 10; ///< a0..a7 (RISC-V calling convention)
constexpr RegisterSet kResults = 3 << 10;      ///< a0, a1

/// Accesses of a function, and which word each is of.
struct NamedAccesses {
  graph::Accesses accesses{.variables = kSsaRegisters};
  struct Owner {
    std::uint32_t word;
    bool keeps;
  };
  std::vector<std::vector<Owner>> owners; ///< as accesses.blocks
};

RegisterSet registers_used(const elf::CodeWord& word, const Block& block) {
  if (word.kind != elf::WordKind::RiscV) return 0;
  const RegisterSet read = riscv::registers_read(word.instruction);
  switch (word.flow) {
    case Flow::Call:
    case Flow::IndirectCall:
    case Flow::IndirectJump: return read | kArguments;
    case Flow::Return: return read | kResults;
    case Flow::Jump: return block.leaving == Leaving::TailJump ? read | kArguments : read;
    case Flow::Next:
    case Flow::Branch:
    case Flow::Trap: return read;
  }
  return read;
}

class AccessMaker {
 public:
  AccessMaker(const elf::Function& function, const CodeGraph& code,
              const std::vector<LRegSteps>& lregs)
      : function_(function), code_(code), lregs_(lregs), steps_(steps_of(function)) {}

  NamedAccesses make() {
    for (const Block& block : code_.blocks) {
      made_.accesses.blocks.emplace_back();
      made_.owners.emplace_back();
      for (std::uint32_t i = block.first; i < block.end; ++i) add_word(i, block);
    }
    return std::move(made_);
  }

 private:
  void add_word(std::uint32_t at, const Block& block) {
    add(at, registers_used(function_.words[at], block), 0, false);
    add(at, steps_[at].written, 0, true);
    for (const LRegStep& each : lregs_[at]) {
      add(at, each.reads & ~each.keeps, kFirstLReg, false);
      add(at, each.keeps, kFirstLReg, false, true);
      add(at, each.writes, kFirstLReg, true);
    }
  }

  void add(std::uint32_t word, std::uint32_t set, Register first, bool defines,
           bool keeps = false) {
    for (; set != 0; set &= set - 1) {
      const Register each = first + static_cast<Register>(std::countr_zero(set));
      made_.accesses.blocks.back().push_back({each, defines});
      made_.owners.back().push_back({word, keeps});
    }
  }

  const elf::Function& function_;
  const CodeGraph& code_;
  const std::vector<LRegSteps>& lregs_;
  std::vector<Step> steps_;
  NamedAccesses made_;
};

/// Gives numbers to the values, and puts them to their words.
class Namer {
 public:
  Namer(const CodeGraph& code, const graph::Ssa& ssa, const NamedAccesses& named)
      : code_(code), ssa_(ssa), named_(named), versions_(ssa.values.size(), 0) {}

  FunctionSsa name(std::size_t words) {
    result_.words.resize(words);
    result_.is_defined.assign(kSsaRegisters, false);
    number();
    for (graph::Node node = 0; node < code_.blocks.size(); ++node) {
      take_phis(node);
      for (std::size_t i = 0; i < named_.owners[node].size(); ++i) take_access(node, i);
    }
    return std::move(result_);
  }

 private:
  void number() {
    std::vector<std::uint32_t> last(kSsaRegisters, 0);
    const auto define = [&](graph::Value value) {
      const graph::Variable variable = ssa_.values[value].variable;
      versions_[value] = ++last[variable];
      result_.is_defined[variable] = true;
    };
    for (graph::Node node = 0; node < code_.blocks.size(); ++node) {
      for (const graph::Phi& phi : ssa_.phis[node]) define(phi.result);
      for (std::size_t i = 0; i < ssa_.accesses[node].size(); ++i) {
        const graph::Value value = ssa_.accesses[node][i];
        if (value != graph::kNoValue && named_.accesses.blocks[node][i].defines) define(value);
      }
    }
  }

  SsaName name_of(graph::Value value) const {
    return {ssa_.values[value].variable, versions_[value]};
  }

  void take_phis(graph::Node node) {
    std::vector<SsaPhi>& phis = result_.phis.emplace_back();
    for (const graph::Phi& phi : ssa_.phis[node]) {
      SsaPhi& taken = phis.emplace_back();
      taken.result = name_of(phi.result);
      for (const graph::Value each : phi.arguments)
        taken.arguments.push_back(each == graph::kNoValue ? std::nullopt
                                                          : std::optional(name_of(each)));
    }
  }

  void take_access(graph::Node node, std::size_t access) {
    const graph::Value value = ssa_.accesses[node][access];
    if (value == graph::kNoValue) return;
    const NamedAccesses::Owner& owner = named_.owners[node][access];
    SsaWord& word = result_.words[owner.word];
    const SsaName name = name_of(value);
    if (named_.accesses.blocks[node][access].defines) return insert(word.defines, name);
    const bool from_itself = std::ranges::binary_search(word.defines, name);
    if (!from_itself) insert(owner.keeps ? word.keeps : word.uses, name);
  }

  static void insert(std::vector<SsaName>& names, const SsaName& name) {
    const auto at = std::ranges::lower_bound(names, name);
    if (at == names.end() || *at != name) names.insert(at, name);
  }

  const CodeGraph& code_;
  const graph::Ssa& ssa_;
  const NamedAccesses& named_;
  std::vector<std::uint32_t> versions_; ///< of each value
  FunctionSsa result_;
};

} // namespace

std::string FunctionSsa::text(const SsaName& name) const {
  const std::string base = name.of < kFirstLReg ? std::string(riscv::register_name(name.of))
                                                : fmt::format("L{}", name.of - kFirstLReg);
  return is_defined[name.of] ? fmt::format("{}.{}", base, name.version) : base;
}

FunctionSsa make_function_ssa(const elf::Function& function, const CodeGraph& code, Arch arch,
                              const TensixPaths& paths, const Summaries& summaries) {
  const std::vector<LRegSteps> lregs = lreg_steps(code, arch, paths.executed, summaries);
  const NamedAccesses named = AccessMaker(function, code, lregs).make();
  const graph::Ssa ssa =
      graph::make_ssa(code.graph, graph::DominatorTree(code.graph), named.accesses);
  return Namer(code, ssa, named).name(function.words.size());
}

} // namespace lanewise::paths
